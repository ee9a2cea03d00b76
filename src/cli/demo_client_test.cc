#include "demo_client.h"

#include <gmock/gmock.h>

namespace squall::cli {
namespace {

using testing::HasSubstr;

Result<json::Value> read(std::string body, std::string type = "application/json") {
  return read_reply({200, std::move(type), std::move(body)}, 2);
}

TEST(ReadReply, GivesTheResult) {
  const auto result = read(R"({"jsonrpc":"2.0","id":2,"result":{"a":1}})");
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(*result, json::Value::object({{"a", 1}}));
}

TEST(ReadReply, TellsWhyThereIsNone) {
  const auto why = [](const Result<json::Value>& result) {
    return result ? "a result" : result.error().message;
  };
  EXPECT_EQ(why(read(R"({"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}})")),
            "the server refused: no");
  EXPECT_EQ(why(read(R"({"jsonrpc":"2.0","id":3,"result":{}})")),
            "the answer belongs to no request of ours");
  EXPECT_EQ(why(read(R"({"jsonrpc":"2.0","method":"x"})")),
            "the answer belongs to no request of ours");
  EXPECT_THAT(why(read("[]")), HasSubstr("no JSON-RPC"));
  EXPECT_THAT(why(read("{")), HasSubstr("line 1"));
  EXPECT_EQ(why(read("busy", "text/plain")),
            "the server answered with status 200 and type 'text/plain'");
}

TEST(DemoClient, FailsWhenNobodyListens) {
  const auto loop = runtime::SimulatedLoop::make();
  transport::Url url;
  url.scheme = "http";
  url.host = "127.0.0.1";
  url.port = 9;
  url.target = "/mcp";
  DemoClient client(*loop, url);
  Task<Result<json::Value>> call = client.call("server/discover", "", json::Value::object());
  call.start();
  loop->advance(std::chrono::seconds(30));
  ASSERT_TRUE(call.done());
  EXPECT_FALSE(call.take().has_value());
}

}  // namespace
}  // namespace squall::cli
