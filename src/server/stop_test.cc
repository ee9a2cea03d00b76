#include <algorithm>
#include <iterator>

#include <gmock/gmock.h>

#include "squall/server/registry.h"
#include "squall/server/serve.h"

// How a channel's endpoint stops; that of HTTP is tested with the program.

namespace squall::server {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr std::string_view kStopping = "the server is stopping";

class Stop : public testing::Test, protected transport::MessageChannel::Receiver {
 protected:
  Stop() {
    mcp::Implementation info;
    info.name = "t";
    info.version = "1";
    Registry registry(std::move(info));
    registry.tool("hang").describe("x").handle([](Context& context) -> Task<ToolResult> {
      co_await context.wait_forever();
      co_return ToolResult();
    });
    registry.tool("delay").describe("x").handle([](Context& context) -> Task<ToolResult> {
      co_await context.sleep(500ms);
      co_return ToolResult::text("late");
    });
    engine = std::make_unique<Engine>(registry.compile().value());
    auto pair = transport::make_channel_pair(*loop);
    endpoint = make_channel_endpoint(*loop, *engine, std::move(pair.second));
    endpoint->on_done([this] { done = true; });
    channel = std::move(pair.first);
    channel->start(*this);
  }

  void call(int id, std::string_view tool) {
    channel->send(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
                  R"(,"method":"tools/call","params":{"name":")" + std::string(tool) + "\"}}");
    loop->run_ready();
  }
  void on_message(std::string text) override { heard.push_back(std::move(text)); }
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End) override {}

  /// What has come back, apart from what comes before an answer.
  std::vector<std::string> answers() const {
    std::vector<std::string> found;
    std::copy_if(
        heard.begin(), heard.end(), std::back_inserter(found),
        [](const std::string& text) { return text.find("\"method\"") == std::string::npos; });
    return found;
  }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  std::unique_ptr<Engine> engine;
  std::unique_ptr<transport::MessageChannel> channel;
  std::unique_ptr<ChannelEndpoint> endpoint;
  std::vector<std::string> heard;
  bool done = false;
};

TEST_F(Stop, IsDoneAtOnceWhenNothingIsUnderWay) {
  endpoint->stop(false);
  loop->run_ready();
  EXPECT_TRUE(done);
}

TEST_F(Stop, DoesNotWaitForWhatHangs) {
  call(1, "hang");
  EXPECT_TRUE(heard.empty());
  endpoint->stop(false);
  loop->run_ready();
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_THAT(heard[0], HasSubstr(kStopping));
  EXPECT_TRUE(done);
}

TEST_F(Stop, LetsTheRestFinish) {
  call(1, "delay");
  endpoint->stop(false);
  loop->run_ready();
  EXPECT_FALSE(done);
  loop->advance(500ms);
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_THAT(heard[0], HasSubstr("late"));
  EXPECT_TRUE(done);
}

TEST_F(Stop, EndsAllWhenToldTo) {
  call(1, "delay");
  endpoint->stop(false);
  endpoint->stop(true);
  loop->run_ready();
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_THAT(heard[0], HasSubstr(kStopping));
  EXPECT_TRUE(done);
}

TEST_F(Stop, AtTheEndOfInputWhatHangsIsAnsweredAtOnce) {
  call(1, "hang");
  channel->finish();
  loop->run_ready();
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_THAT(heard[0], HasSubstr(kStopping));
  EXPECT_TRUE(done);
}

TEST_F(Stop, AtTheEndOfInputAListenEndsWithItsResultAndOthersGoOn) {
  channel->send(
      R"({"jsonrpc":"2.0","id":"L","method":"subscriptions/listen","params":{"notifications":{},)"
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
  call(2, "delay");
  channel->finish();
  loop->run_ready();
  ASSERT_EQ(answers().size(), 1U);
  EXPECT_THAT(answers()[0], HasSubstr(R"("id":"L","result":{"resultType":"complete")"));
  EXPECT_FALSE(done);
  loop->advance(500ms);
  ASSERT_EQ(answers().size(), 2U);
  EXPECT_THAT(answers()[1], HasSubstr("late"));
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace squall::server
