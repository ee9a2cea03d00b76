#include "http_replies.h"

#include "squall/mcp/names.h"

namespace squall::server {

using transport::HttpReply;

HttpReply json_reply(int status, std::string body) {
  HttpReply reply;
  reply.status = status;
  reply.content_type = "application/json";
  reply.body = std::move(body);
  return reply;
}

HttpReply error_reply(int status, int code, std::string_view message, const jsonrpc::Id& id,
                      const json::Value* data) {
  std::string body;
  jsonrpc::write_error(body, id, code, message, data);
  return json_reply(status, std::move(body));
}

HttpReply to_reply(const Refusal& refusal, const jsonrpc::Id& id) {
  return error_reply(refusal.status, refusal.code, refusal.message, id,
                     refusal.data.is_null() ? nullptr : &refusal.data);
}

HttpReply accepted() {
  HttpReply reply;
  reply.status = 202;
  return reply;
}

HttpReply method_not_allowed(bool sessions) {
  HttpReply reply = error_reply(405, mcp::code::kTransport, "method not allowed");
  reply.headers.emplace_back("Allow", sessions ? "GET, POST, DELETE, OPTIONS" : "POST, OPTIONS");
  return reply;
}

HttpReply cors_reply(const transport::HttpRequest& head) {
  HttpReply reply;
  reply.status = 204;
  reply.headers = {
      {"Allow", "GET, POST, DELETE, OPTIONS"},
      {"Access-Control-Allow-Methods", "GET, POST, DELETE, OPTIONS"},
      {"Access-Control-Allow-Headers",
       std::string(head.header("Access-Control-Request-Headers").value_or("content-type"))},
      {"Access-Control-Max-Age", "600"}};
  return reply;
}

std::vector<std::pair<std::string, std::string>> origin_headers(std::string_view origin) {
  return {{"Access-Control-Allow-Origin", std::string(origin)},
          {"Access-Control-Expose-Headers", "mcp-session-id, www-authenticate"},
          {"Vary", "Origin"}};
}

}  // namespace squall::server
