#include <gtest/gtest.h>

#include "squall/runtime/sleep.h"
#include "squall/server/engine.h"
#include "squall/server/serve.h"

#include "test_support.h"

/// @file The client against our own server: every way to it, in both eras.

namespace squall::client::test {
namespace {

using server::Context;
using server::ToolResult;

server::Registry registry() {
  server::Registry out({.name = "mine", .version = "1"});
  out.tool("echo")
      .input(R"({"type":"object","properties":{"text":{"type":"string"}},"required":["text"]})")
      .handle([](Context& context) { return ToolResult::text(std::string(context.text("text"))); });
  out.tool("slow").handle([](Context& context) -> Task<ToolResult> {
    for (int step = 1; step <= 3; ++step) {
      context.progress(step, 3, "step");
      co_await context.sleep(std::chrono::milliseconds(5));
    }
    co_return ToolResult::text("done");
  });
  out.tool("ask").handle([](Context& context) -> server::Outcome<ToolResult> {
    const json::Value* const answer = context.ask(
        "name", server::elicit_form("Who?", value_of(R"({"type":"object","properties":)"
                                                     R"({"name":{"type":"string"}}})")));
    if (answer == nullptr) return context.need_input();
    return ToolResult::text("Hello, " +
                            std::string(answer->find("content")->find("name")->string()));
  });
  out.tool("hang").handle([](Context& context) -> Task<ToolResult> {
    co_await context.wait_forever();
    co_return ToolResult::text("never");
  });
  out.resource("a:1", "one").handle([](Context&) -> server::ResourceResult {
    return server::ResourceContents::of_text("text/plain", "content");
  });
  return out;
}

class Zed final : public Handlers {
 public:
  Task<ElicitAnswer> elicit(const Elicitation&) override {
    ElicitAnswer answer;
    answer.action = ElicitAnswer::Action::accept;
    answer.content = json::Value::object();
    answer.content.set("name", "Zed");
    co_return answer;
  }
};

enum class Way { channel, http };
struct Setting {
  Way way;
  Negotiation negotiation;
  bool system;
};

class OwnEngine : public testing::TestWithParam<Setting> {
 protected:
  OwnEngine() {
    const auto compiled = registry().compile();
    EXPECT_TRUE(compiled.has_value());
    engine_ = std::make_unique<server::Engine>(*compiled);
    options_.negotiation = GetParam().negotiation;
    options_.handlers = &handlers_;
    options_.capabilities.elicitation_form = true;
    options_.observer = &witness_;
    client_ = std::make_unique<Client>(*loop_, make_link(), options_);
  }
  ~OwnEngine() override {
    client_.reset();
    channel_endpoint_.reset();
    http_.reset();
    http_endpoint_.reset();
  }

  std::unique_ptr<Link> make_link() {
    if (GetParam().way == Way::channel) {
      auto [near, far] = transport::make_channel_pair(*loop_);
      channel_endpoint_ = server::make_channel_endpoint(*loop_, *engine_, std::move(far));
      return over_channel(*loop_, std::move(near));
    }
    http_endpoint_ = server::make_http_endpoint(*loop_, *engine_, server::HttpOptions());
    http_ = std::make_unique<transport::HttpServer>(*loop_, *http_endpoint_);
    EXPECT_TRUE(http_->listen({}).has_value());
    return over_http(*loop_, "http://127.0.0.1:" + std::to_string(http_->port()) + "/mcp").value();
  }

  /// Runs a task on whichever loop it is.
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

  static std::unique_ptr<runtime::Loop> make_loop() {
    if (GetParam().system) return runtime::SystemLoop::make();
    return runtime::SimulatedLoop::make();
  }
  std::unique_ptr<runtime::Loop> loop_ = make_loop();
  Witness witness_;
  Zed handlers_;
  Options options_;
  std::unique_ptr<server::Engine> engine_;
  std::unique_ptr<server::ChannelEndpoint> channel_endpoint_;
  std::unique_ptr<server::HttpEndpoint> http_endpoint_;
  std::unique_ptr<transport::HttpServer> http_;
  std::unique_ptr<Client> client_;
};

INSTANTIATE_TEST_SUITE_P(Ways, OwnEngine,
                         testing::Values(Setting{Way::channel, Negotiation::automatic, false},
                                         Setting{Way::channel, Negotiation::legacy, false},
                                         Setting{Way::http, Negotiation::automatic, false},
                                         Setting{Way::http, Negotiation::legacy, false},
                                         Setting{Way::http, Negotiation::automatic, true},
                                         Setting{Way::http, Negotiation::legacy, true}),
                         [](const auto& setting) {
                           return std::string(setting.param.way == Way::channel ? "Channel"
                                                                                : "Http") +
                                  (setting.param.negotiation == Negotiation::legacy ? "Legacy"
                                                                                    : "Modern") +
                                  (setting.param.system ? "System" : "");
                         });

TEST_P(OwnEngine, IsSpokenToInWholeAndNothingOddIsSeen) {
  const auto server = run(client_->connect());
  ASSERT_TRUE(server.has_value()) << server.error().message;
  EXPECT_EQ(client_->is_modern(), GetParam().negotiation != Negotiation::legacy);
  const auto tools = run(client_->list_tools());
  ASSERT_TRUE(tools.has_value());
  EXPECT_EQ(tools->entries.size(), 4U);

  const auto echoed = run(client_->call_tool("echo", value_of(R"({"text":"h\u00e9"})")));
  ASSERT_TRUE(echoed.has_value()) << echoed.error().message;
  EXPECT_EQ(echoed->text(), "h\xC3\xA9");
  EXPECT_EQ(kind_of(run(client_->call_tool("echo", value_of("{}")))), OutcomeKind::tool_error);
  EXPECT_EQ(kind_of(run(client_->call_tool("nope", value_of("{}")))), OutcomeKind::protocol_error);

  int steps = 0;
  CallOptions options;
  options.on_progress([&steps](const Progress&) { ++steps; });
  EXPECT_EQ(run(client_->call_tool("slow", {}, options))->text(), "done");
  EXPECT_EQ(steps, 3);

  const auto asked = run(client_->call_tool("ask", {}));
  ASSERT_TRUE(asked.has_value()) << asked.error().message;
  EXPECT_EQ(asked->text(), "Hello, Zed");

  const auto read = run(client_->read_resource("a:1"));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->json().find("contents")->items()[0].find_string("text"), "content");

  CallOptions short_options;
  short_options.timeout(std::chrono::milliseconds(50));
  EXPECT_EQ(kind_of(run(client_->call_tool("hang", {}, short_options))), OutcomeKind::timeout);
  EXPECT_TRUE(run(client_->ping()).has_value());

  int odd = 0;
  for (const Report& report : witness_.reports) {
    if (report.kind != Report::Kind::era && report.kind != Report::Kind::stream_refused) {
      ++odd;
      ADD_FAILURE() << to_text(report.kind) << ": " << report.text;
    }
  }
  EXPECT_EQ(odd, 0);
}

class Changes final : public SubscriptionListener {
 public:
  explicit Changes(runtime::Loop& loop) : loop_(loop) {}
  void on_granted(const Interest&) override {
    ++granted;
    loop_.stop();
  }
  void on_change(const Change& change) override {
    seen.push_back(change);
    if (seen.size() == 2) loop_.stop();
  }
  int granted = 0;
  std::vector<Change> seen;

 private:
  runtime::Loop& loop_;
};

TEST_P(OwnEngine, TellsItsSubscribers) {
  ASSERT_TRUE(run(client_->connect()).has_value());
  Changes changes(*loop_);
  const auto subscription = client_->subscribe(Interest::in_all({"a:1"}), changes);
  for (int turns = 0; changes.granted == 0 && turns < 100; ++turns) loop_->run();
  ASSERT_EQ(changes.granted, 1);
  // A legacy client's stream may be on its way still.
  for (int tries = 0; changes.seen.size() < 2 && tries < 100; ++tries) {
    engine_->tools_changed();
    engine_->resource_updated("a:1");
    auto pause = [](runtime::Loop& loop) -> Task<bool> {
      co_await runtime::sleep(loop, std::chrono::milliseconds(20));
      co_return true;
    };
    run(pause(*loop_));
  }
  ASSERT_GE(changes.seen.size(), 2U);
  EXPECT_EQ(changes.seen[0].what, Change::What::tools);
  EXPECT_EQ(changes.seen[1].uri, "a:1");
}

TEST_P(OwnEngine, ServesAThousandCallsAtOnceAndMixesNoneUp) {
  ASSERT_TRUE(run(client_->connect()).has_value());
  constexpr int kCalls = 1'000;
  auto all = [](runtime::Loop& loop, Client& client) -> Task<int> {
    std::vector<Task<Outcome<client::ToolResult>>> calls;
    for (int i = 0; i < kCalls; ++i) {
      json::Value arguments = json::Value::object();
      arguments.set("text", std::to_string(i));
      calls.push_back(client.call_tool("echo", std::move(arguments)));
      calls.back().start();
    }
    int right = 0;
    for (int i = 0; i < kCalls; ++i) {
      auto& call = calls[static_cast<std::size_t>(i)];
      while (!call.done()) co_await runtime::sleep(loop, std::chrono::milliseconds(1));
      const auto outcome = call.take();
      right += outcome && outcome->text() == std::to_string(i) ? 1 : 0;
    }
    co_return right;
  };
  EXPECT_EQ(run(all(*loop_, *client_)), kCalls);
}

}  // namespace
}  // namespace squall::client::test
