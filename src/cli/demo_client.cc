#include "demo_client.h"

#include <utility>

#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/jsonrpc/message.h"
#include "squall/mcp/names.h"
#include "squall/mcp/revision.h"

#include "text.h"
#include "version.h"

namespace squall::cli {

using json::Value;

Exchange::Exchange(transport::HttpClientConnection& connection,
                   transport::HttpClientRequest request)
    : connection_(connection), request_(std::move(request)) {}

Exchange::~Exchange() {
  if (under_way_) connection_.cancel();
}

void Exchange::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  under_way_ = true;
  connection_.request(std::move(request_), *this);
}

Result<Exchange::Reply> Exchange::await_resume() { return std::move(reply_); }

void Exchange::on_response(const transport::HttpClientResponse& response) {
  reply_->status = response.status;
  if (const std::string* type = response.header("Content-Type")) reply_->content_type = *type;
}

void Exchange::on_body(std::string_view bytes) { reply_->body += bytes; }

void Exchange::on_done() { wake(); }

void Exchange::on_failed(const Error& error, bool) {
  reply_ = std::unexpected(error);
  wake();
}

void Exchange::wake() {
  under_way_ = false;
  waiter_.resume();
}

DemoClient::DemoClient(runtime::Loop& loop, const transport::Url& url)
    : connection_(loop, url), target_(url.target) {}

Task<Result<Value>> DemoClient::call(std::string method, std::string name, Value params) {
  transport::HttpClientRequest request = make_request(method, name, std::move(params));
  const std::int64_t id = last_id_;
  Result<Exchange::Reply> reply = co_await Exchange(connection_, std::move(request));
  if (!reply) co_return std::unexpected(std::move(reply).error());
  co_return read_reply(*reply, id);
}

transport::HttpClientRequest DemoClient::make_request(const std::string& method,
                                                      const std::string& name, Value params) {
  const std::string_view revision = mcp::to_text(mcp::kLatestModern);
  params["_meta"] = Value::object(
      {{mcp::meta::kProtocolVersion, revision},
       {mcp::meta::kClientCapabilities, Value::object()},
       {mcp::meta::kClientInfo, Value::object({{"name", "squall demo"}, {"version", kVersion}})}});

  transport::HttpClientRequest request;
  request.target = target_;
  request.headers = {{"Content-Type", "application/json"},
                     {"Accept", "application/json, text/event-stream"},
                     {std::string(mcp::header::kProtocolVersion), std::string(revision)},
                     {std::string(mcp::header::kMethod), method}};
  if (!name.empty()) request.headers.emplace_back(mcp::header::kName, name);
  jsonrpc::write_call(request.body, jsonrpc::Id(++last_id_), method, json::to_string(params));
  return request;
}

Result<Value> read_reply(const Exchange::Reply& reply, std::int64_t id) {
  if (reply.content_type != "application/json") {
    return fail(ErrorKind::invalid, "the server answered with status " +
                                        std::to_string(reply.status) + " and type " +
                                        quote(reply.content_type));
  }
  const auto parsed = json::parse(reply.body);
  if (!parsed) return std::unexpected(parsed.error().to_error());
  const auto message = jsonrpc::read_message(*parsed);
  if (!message)
    return fail(ErrorKind::invalid, "the answer is no JSON-RPC: " + message.error().message);
  if (message->kind == jsonrpc::MessageKind::error) {
    const auto why = message->outcome->find_string("message").value_or("an error without a text");
    return fail(ErrorKind::invalid, "the server refused: " + std::string(why));
  }
  if (message->kind != jsonrpc::MessageKind::result || message->id != jsonrpc::Id(id)) {
    return fail(ErrorKind::invalid, "the answer belongs to no request of ours");
  }
  return *message->outcome;
}

}  // namespace squall::cli
