#include "squall/inject/faulty_link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "squall/client/client.h"
#include "squall/inject/example_tools.h"
#include "squall/server/engine.h"
#include "squall/server/serve.h"
#include "squall/transport/http.h"

#include "test_support.h"

namespace squall::inject {
namespace {

using client::OutcomeKind;
using client::ToolResult;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

enum class Way { channel, http };

/// Our client against our server on virtual time, with faults between.
class Between {
 public:
  Between(const std::string& rules, Way way, client::Negotiation negotiation) {
    server::Registry registry({.name = "examples", .version = "1"});
    add_example_tools(registry);
    const auto compiled = registry.compile();
    EXPECT_TRUE(compiled.has_value());
    engine_ = std::make_unique<server::Engine>(*compiled);
    InjectorOptions injecting;
    injecting.record = true;
    injector_ = *Injector::make(profile_of(rules), {7}, injecting);
    FaultyLinkOptions options;
    options.recorder = &recorder;
    auto link = make_faulty_link(*loop_, make_link(way), *injector_, options);
    client::Options with;
    with.negotiation = negotiation;
    client_ = std::make_unique<client::Client>(*loop_, std::move(link), with);
  }
  ~Between() {
    client_.reset();
    channel_.reset();
    http_.reset();
    endpoint_.reset();
  }

  template <typename T>
  T run(Task<T> task) {
    std::optional<T> result;
    auto whole = [](runtime::Loop& loop, Task<T> inner, std::optional<T>& out) -> Task<void> {
      out.emplace(co_await std::move(inner));
      loop.stop();
    };
    const Task<void> outer = whole(*loop_, std::move(task), result);
    outer.start();
    for (int turns = 0; !result && turns < 100; ++turns) loop_->run();
    EXPECT_TRUE(result.has_value());
    return std::move(*result);
  }
  auto call(const std::string& id, milliseconds patience = seconds(60)) {
    if (client_->server() == nullptr) static_cast<void>(run(client_->connect()));
    client::CallOptions options;
    options.timeout(patience);
    json::Value arguments = json::Value::object({{"account_id", id}});
    return run(client_->call_tool("get_account_balance", std::move(arguments), options));
  }
  [[nodiscard]] std::chrono::nanoseconds now() const { return loop_->now().time_since_epoch(); }
  Injector& injector() { return *injector_; }
  client::Client& client() { return *client_; }
  recording::MemoryRecorder recorder;

 private:
  std::unique_ptr<client::Link> make_link(Way way) {
    if (way == Way::channel) {
      auto [near, far] = transport::make_channel_pair(*loop_);
      channel_ = server::make_channel_endpoint(*loop_, *engine_, std::move(far));
      return client::over_channel(*loop_, std::move(near));
    }
    endpoint_ = server::make_http_endpoint(*loop_, *engine_, server::HttpOptions());
    http_ = std::make_unique<transport::HttpServer>(*loop_, *endpoint_);
    EXPECT_TRUE(http_->listen({}).has_value());
    const std::string url = "http://127.0.0.1:" + std::to_string(http_->port()) + "/mcp";
    return client::over_http(*loop_, url).value();
  }

  std::unique_ptr<runtime::SimulatedLoop> loop_ = runtime::SimulatedLoop::make();
  std::unique_ptr<server::Engine> engine_;
  std::unique_ptr<server::ChannelEndpoint> channel_;
  std::unique_ptr<server::HttpEndpoint> endpoint_;
  std::unique_ptr<transport::HttpServer> http_;
  std::unique_ptr<Injector> injector_;
  std::unique_ptr<client::Client> client_;
};

struct Setting {
  Way way;
  client::Negotiation negotiation;
};
class FaultyLink : public testing::TestWithParam<Setting> {
 protected:
  static Between between(const std::string& rules) {
    return Between(rules, GetParam().way, GetParam().negotiation);
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, FaultyLink,
                         testing::Values(Setting{Way::channel, client::Negotiation::modern},
                                         Setting{Way::channel, client::Negotiation::legacy},
                                         Setting{Way::http, client::Negotiation::modern},
                                         Setting{Way::http, client::Negotiation::legacy}));

TEST_P(FaultyLink, HandsOnWhatNothingStrikes) {
  Between run = between("  - {fault: error, when: {tool: other}}\n");
  ASSERT_TRUE(run.run(run.client().connect()).has_value());
  const auto called = run.call("ACC-1");
  ASSERT_TRUE(called.has_value()) << called.error().message;
  EXPECT_FALSE(called->is_error());
  EXPECT_EQ(run.run(run.client().list_tools())->entries.size(), 3U);
}

TEST_P(FaultyLink, GivesAnErrorInTheServersPlace) {
  Between run = between("  - {fault: error, execute: before, message: \"no, thank you\"}\n");
  const auto called = run.call("ACC-1");
  ASSERT_TRUE(called.has_value()) << called.error().message;
  EXPECT_TRUE(called->is_error());
  EXPECT_EQ(called->text(), "no, thank you");
}

TEST_P(FaultyLink, DelaysOnVirtualTime) {
  Between run = between("  - {fault: latency, delay: 30s}\n");
  ASSERT_TRUE(run.run(run.client().connect()).has_value());
  const auto before = run.now();
  ASSERT_TRUE(run.call("ACC-1").has_value());
  EXPECT_GE(run.now() - before, seconds(30));
  EXPECT_LT(run.now() - before, seconds(31));
}

TEST_P(FaultyLink, LosesTheResponseOfWhatRan) {
  Between run = between("  - {fault: lost, how: silence, attempts: [1]}\n");
  const auto lost = run.call("ACC-1", seconds(2));
  ASSERT_FALSE(lost.has_value());
  EXPECT_EQ(lost.error().kind, OutcomeKind::timeout);
  EXPECT_TRUE(run.call("ACC-1").has_value());
}

TEST_P(FaultyLink, HangsUntilTheClientGivesUp) {
  Between run = between("  - {fault: hang, until: cancelled, attempts: [1]}\n");
  EXPECT_EQ(run.call("ACC-1", seconds(2)).error().kind, OutcomeKind::timeout);
  EXPECT_EQ(run.injector().struck_exchanges(), 0U);
  EXPECT_TRUE(run.call("ACC-1").has_value());
}

TEST_P(FaultyLink, HidesATool) {
  Between run = between("  - {fault: hide-tool, when: {tool: search}}\n");
  ASSERT_TRUE(run.run(run.client().connect()).has_value());
  EXPECT_EQ(run.run(run.client().list_tools())->entries.size(), 2U);
}

TEST_P(FaultyLink, RecordsEveryMessageOnceInOrder) {
  Between run = between("  - {fault: corrupt, of: number}\n");
  ASSERT_TRUE(run.call("ACC-1").has_value());
  std::uint64_t in = 0;
  std::size_t changed = 0;
  for (const recording::Event& event : run.recorder.events()) {
    if (const auto* message = std::get_if<recording::Message>(&event.body)) {
      EXPECT_EQ(message->in, ++in);
    }
    const auto* delivered = std::get_if<recording::Delivered>(&event.body);
    if (delivered != nullptr && delivered->delivery == recording::Delivery::changed) ++changed;
  }
  EXPECT_GT(in, 2U);
  EXPECT_EQ(changed, 1U);
}

TEST(FaultyLinkOverHttp, AnswersWithAStatus) {
  Between run("  - {fault: http-status, status: 500}\n", Way::http, client::Negotiation::modern);
  const auto called = run.call("ACC-1");
  ASSERT_FALSE(called.has_value());
  EXPECT_EQ(called.error().kind, OutcomeKind::lost);
  EXPECT_EQ(called.error().loss.status, 500);
  EXPECT_FALSE(called.error().may_have_run());
}

TEST(FaultyLinkOverHttp, EndsAStreamWithoutItsResponse) {
  Between run("  - {fault: stream-unanswered}\n", Way::http, client::Negotiation::modern);
  const auto called = run.call("ACC-1");
  ASSERT_FALSE(called.has_value());
  EXPECT_EQ(called.error().kind, OutcomeKind::lost);
  EXPECT_TRUE(called.error().may_have_run());
}

TEST(FaultyLinkOverHttp, TakesUnusualFramingForWhatItMeans) {
  Between run("  - {fault: stream-format, variant: cr}\n", Way::http, client::Negotiation::modern);
  const auto called = run.call("ACC-1");
  ASSERT_TRUE(called.has_value()) << called.error().message;
  EXPECT_THAT(called->text(), HasSubstr("ACC-1"));
}

TEST(FaultyLinkOverHttp, EndsASessionThatTheClientFindsAgain) {
  Between run("  - {fault: expire, answer: 404, after-requests: 2, budget: {strikes: 1}}\n",
              Way::http, client::Negotiation::legacy);
  int refused = 0;
  for (int n = 0; n < 5; ++n) {
    const auto called = run.call("ACC-" + std::to_string(n));
    if (called.has_value()) continue;
    ++refused;
    EXPECT_EQ(called.error().loss.cause, client::Loss::Cause::session);
    EXPECT_FALSE(called.error().may_have_run());
  }
  EXPECT_EQ(refused, 1);
}

TEST(FaultyLinkOnALine, IsOverWhenTheProcessDies) {
  Between run("  - {fault: crash, when: after-messages, messages: 2}\n", Way::channel,
              client::Negotiation::legacy);
  static_cast<void>(run.call("ACC-1"));
  const auto called = run.call("ACC-2");
  ASSERT_FALSE(called.has_value());
  EXPECT_EQ(called.error().kind, OutcomeKind::lost);
}

}  // namespace
}  // namespace squall::inject
