#include <gtest/gtest.h>

#include "test_support.h"

/// @file Calls that become tasks (the extension io.modelcontextprotocol/tasks).

namespace squall::client::test {
namespace {

std::string task(std::string_view status, std::string_view more = "") {
  return R"("taskId":"t1","status":")" + std::string(status) +
         R"(","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z",)"
         R"("ttlMs":60000,"pollIntervalMs":100,)" +
         std::string(more);
}

/// A server whose every call becomes a task that goes through `states`, one for each tasks/get.
class TaskBench {
 public:
  explicit TaskBench(std::vector<std::string> states, bool declared = true)
      : bench(
            true,
            [this, states = std::move(states)](ScriptedPeer& peer, const json::Value& message) {
              const std::string_view method = method_of(message);
              if (method == "tools/call") {
                peer.answer(message, task("working", R"("resultType":"task")"));
              } else if (method == "tasks/get") {
                const std::size_t now = std::min(gets++, states.size() - 1);
                peer.answer(message, states[now] + R"(,"resultType":"complete")");
              } else if (message.contains("id")) {
                peer.answer(message, R"("resultType":"complete")");
              }
            },
            options(declared)) {
    bench.connect();
  }
  static Options options(bool declared) {
    Options out;
    out.capabilities.tasks = declared;
    out.capabilities.elicitation_form = true;
    return out;
  }

  std::size_t gets = 0;
  ChannelBench bench;
};

TEST(Task, IsFollowedUntilItIsCompleted) {
  TaskBench given({task("working", R"("x":1)"),
                   task("completed", R"("result":{)" + text_result("done") + "}")});
  const auto began = given.bench.loop->now();
  const auto outcome = given.bench.call("any");
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->text(), "done");
  EXPECT_EQ(given.gets, 2U);
  EXPECT_GE(given.bench.loop->now() - began, 200ms);
  EXPECT_EQ(given.bench.witness.sent_with("tasks/cancel"), 0);
  EXPECT_EQ(given.bench.witness.sent_with(R"("extensions":{"io.modelcontextprotocol/tasks":{}})"),
            4);
}

struct TaskEnd {
  std::string state;
  OutcomeKind kind;
};

TEST(Task, EndsInEveryWayThatATaskCan) {
  const std::vector<TaskEnd> ends = {
      {task("failed", R"("error":{"code":17,"message":"no"})"), OutcomeKind::protocol_error},
      {task("failed", R"("x":1)"), OutcomeKind::protocol_error},
      {task("cancelled", R"("x":1)"), OutcomeKind::cancelled},
      {task("completed", R"("result":{"isError":true})"), OutcomeKind::tool_error},
      {task("completed", R"("x":1)"), OutcomeKind::invalid},
      {task("strange", R"("x":1)"), OutcomeKind::invalid},
  };
  for (const TaskEnd& end : ends) {
    TaskBench given({end.state});
    EXPECT_EQ(kind_of(given.bench.call("any")), end.kind) << end.state;
  }
}

TEST(Task, HasItsQuestionsAnsweredOnceEach) {
  const std::string asking =
      task("input_required",
           R"("inputRequests":{"who":{"method":"elicitation/create","params":{"message":"?"}}})");
  TaskBench given({asking, asking, task("completed", R"("result":{)" + text_result("ok") + "}")});
  EXPECT_EQ(given.bench.call("any")->text(), "ok");
  EXPECT_EQ(given.bench.witness.sent_with("tasks/update"), 1);
  EXPECT_EQ(given.bench.witness.sent_with(R"("inputResponses":{"who":{"action":"cancel"}})"), 1);
}

TEST(Task, IsCancelledWhenNobodyWaitsForItAnyMore) {
  TaskBench given({task("working", R"("x":1)")});
  const auto outcome = given.bench.call("any", CallOptions().total(2s));
  EXPECT_EQ(kind_of(outcome), OutcomeKind::timeout);
  given.bench.loop->run_ready();
  EXPECT_EQ(given.bench.witness.sent_with("tasks/cancel"), 1);
  {
    auto dropped = given.bench.client->call_tool("any", {});
    dropped.start();
    given.bench.loop->advance(1s);
  }
  given.bench.loop->run_ready();
  EXPECT_EQ(given.bench.witness.sent_with("tasks/cancel"), 2);
}

TEST(Task, ThatWasNotDeclaredIsNoResult) {
  TaskBench given({task("working", R"("x":1)")}, false);
  EXPECT_EQ(kind_of(given.bench.call("any")), OutcomeKind::invalid);
  EXPECT_EQ(given.gets, 0U);
}

}  // namespace
}  // namespace squall::client::test
