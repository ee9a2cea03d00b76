#include "builtin_tools.h"

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/server/engine.h"
#include "squall/server/serve.h"
#include "squall/transport/channel.h"

namespace squall::cli {
namespace {

using namespace std::chrono_literals;

/// A client of the built-in server in virtual time, over a pair of channels.
class BuiltinTools : public testing::Test, transport::MessageChannel::Receiver {
 protected:
  BuiltinTools() {
    server::Registry registry = make_builtin_registry();
    add_builtin_tools(registry);
    auto pipeline = registry.compile();
    EXPECT_TRUE(pipeline.has_value());
    engine_ = std::make_unique<server::Engine>(*std::move(pipeline));
    auto pair = transport::make_channel_pair(*loop_);
    channel_ = std::move(pair.first);
    channel_->start(*this);
    endpoint_ = server::make_channel_endpoint(*loop_, *engine_, std::move(pair.second));
  }

  void call(int id, const std::string& tool, const std::string& arguments) {
    channel_->send(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
                   R"(,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":)" +
                   arguments + R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":)" +
                   R"("2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})");
  }

  /// The text of the only answer so far.
  std::string only_text() {
    EXPECT_EQ(answers_.size(), 1u);
    if (answers_.empty()) return "";
    const json::Value* content = answers_[0].find("result")->find("content");
    EXPECT_NE(content, nullptr);
    return content == nullptr ? ""
                              : std::string(content->items()[0].find_string("text").value_or(""));
  }

  void on_message(std::string text) override {
    auto parsed = json::parse(text);
    ASSERT_TRUE(parsed.has_value());
    answers_.push_back(*std::move(parsed));
  }
  void on_oversize(std::size_t) override { FAIL(); }
  void on_end(runtime::End) override {}

  std::unique_ptr<runtime::SimulatedLoop> loop_ = runtime::SimulatedLoop::make();
  std::unique_ptr<server::Engine> engine_;
  std::unique_ptr<server::ChannelEndpoint> endpoint_;
  std::unique_ptr<transport::MessageChannel> channel_;
  std::vector<json::Value> answers_;
};

TEST_F(BuiltinTools, PingAnswersWithTheTime) {
  call(1, "ping", "{}");
  loop_->advance(0ms);
  EXPECT_EQ(only_text(), R"({"status":"ok","timestamp":"2026-01-01T00:00:00.000Z"})");
}

TEST_F(BuiltinTools, DelayAnswersAfterItsTime) {
  call(1, "delay", R"({"delayMs":30000})");
  loop_->advance(29'999ms);
  EXPECT_TRUE(answers_.empty());
  loop_->advance(1ms);
  EXPECT_EQ(only_text(), R"({"status":"delayed","delayMs":30000})");
}

TEST_F(BuiltinTools, DelayKeepsItsBounds) {
  int id = 0;
  for (const char* arguments : {R"({"delayMs":30001})", R"({"delayMs":-1})", R"({"delayMs":0.5})",
                                R"({"delayMs":"5"})", "{}"}) {
    call(++id, "delay", arguments);
  }
  loop_->advance(1ms);
  ASSERT_EQ(answers_.size(), 5u);
  for (const json::Value& answer : answers_) {
    EXPECT_TRUE(answer.find("result")->find("isError")->boolean()) << json::to_string(answer);
  }
}

TEST_F(BuiltinTools, HangAnswersNever) {
  call(1, "hang", "{}");
  loop_->advance(std::chrono::hours(1));
  EXPECT_TRUE(answers_.empty());
  channel_->send(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  call(2, "ping", "{}");
  loop_->advance(1ms);
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(*answers_[0].find("id"), json::Value(2));
}

}  // namespace
}  // namespace squall::cli
