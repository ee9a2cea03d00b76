#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/server/registry.h"
#include "squall/server/serve.h"

// Engines without a socket: one request in, one JSON reply out.

namespace squall::server {
namespace {

using namespace std::chrono_literals;
using transport::HttpReply;
using transport::HttpRequest;

std::shared_ptr<const Pipeline> pipeline() {
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  Registry registry(info);
  registry.query("ping").handle([](Context&) { return "pong"; });
  registry.query("slow").handle([](Context& context) -> Task<std::string> {
    context.progress(1, 2);
    co_await context.sleep(1ms);
    co_return "done";
  });
  registry.query("hang").handle([](Context& context) -> Task<std::string> {
    co_await context.wait_forever();
    co_return "never";
  });
  return *registry.compile();
}

HttpRequest request_of(std::string_view method, std::string body) {
  HttpRequest request;
  request.method = method;
  request.target = "/mcp";
  request.path = "/mcp";
  request.headers = {{"Host", "127.0.0.1"},
                     {"Content-Type", "application/json"},
                     {"Accept", "application/json, text/event-stream"}};
  request.body = std::move(body);
  return request;
}

std::string call_of(std::string_view tool) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) +
         R"(","_meta":{"progressToken":"p"}}})";
}

HttpRequest modern_call(std::string_view tool) {
  HttpRequest request = request_of(
      "POST", R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
                  std::string(tool) +
                  R"(","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                  R"("io.modelcontextprotocol/clientCapabilities":{},"progressToken":"p"}}})");
  request.headers.emplace_back("MCP-Protocol-Version", "2026-07-28");
  request.headers.emplace_back("Mcp-Method", "tools/call");
  request.headers.emplace_back("Mcp-Name", tool);
  return request;
}

class HandleHttp : public testing::Test {
 protected:
  HttpReply handle(HttpRequest request, HandleOptions options = {}) {
    return handle_http(engine_, std::move(request), options);
  }
  Engine engine_{pipeline()};
};

TEST_F(HandleHttp, AnswersACallOfEitherEra) {
  for (HttpRequest& request :
       std::array{request_of("POST", call_of("ping")), modern_call("ping")}) {
    const HttpReply reply = handle(std::move(request));
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.content_type, "application/json");
    EXPECT_NE(reply.body.find("pong"), std::string::npos) << reply.body;
  }
}

TEST_F(HandleHttp, GivesOneJsonReplyThoughTheHandlerTellsProgressAndWaits) {
  for (HttpRequest& request :
       std::array{request_of("POST", call_of("slow")), modern_call("slow")}) {
    const HttpReply reply = handle(std::move(request));
    EXPECT_EQ(reply.content_type, "application/json");
    const auto body = json::parse(reply.body);
    ASSERT_TRUE(body.has_value()) << reply.body;
    EXPECT_NE(reply.body.find("done"), std::string::npos);
  }
}

TEST_F(HandleHttp, OpensNoSession) {
  const HttpReply reply = handle(request_of(
      "POST",
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})"));
  EXPECT_EQ(reply.status, 200);
  for (const auto& [name, value] : reply.headers) EXPECT_NE(name, "Mcp-Session-Id");
  EXPECT_EQ(engine_.session_count(), 0U);
  EXPECT_EQ(handle(request_of("GET", "")).status, 405);
}

TEST_F(HandleHttp, ChecksHostOriginTypeAndPath) {
  HttpRequest foreign = request_of("POST", call_of("ping"));
  foreign.headers[0].second = "evil.example";
  EXPECT_EQ(handle(std::move(foreign)).status, 403);
  HttpRequest text = request_of("POST", call_of("ping"));
  text.headers[1].second = "text/plain";
  EXPECT_EQ(handle(std::move(text)).status, 415);
  HttpRequest elsewhere = request_of("POST", call_of("ping"));
  elsewhere.path = "/other";
  EXPECT_EQ(handle(std::move(elsewhere)).status, 404);
  EXPECT_EQ(handle(request_of("POST", "{")).status, 400);
}

TEST_F(HandleHttp, EndsAtItsDeadline) {
  HandleOptions options;
  options.deadline = 1ms;
  EXPECT_EQ(handle(modern_call("hang"), options).status, 504);
}

TEST_F(HandleHttp, RefusesABodyBeyondItsLimit) {
  HandleOptions options;
  options.http.http.body_bytes_max = 100;
  const HttpReply reply = handle(modern_call("ping"), options);
  EXPECT_EQ(reply.status, 413);
  EXPECT_NE(reply.body.find("too large"), std::string::npos);
}

}  // namespace
}  // namespace squall::server
