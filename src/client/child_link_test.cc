#include <csignal>

#include <gtest/gtest.h>

#include "squall/runtime/sleep.h"

#include "test_support.h"

/// @file Servers that are children: cases D4, E3, E7, E9 of the field's list.

namespace squall::client::test {
namespace {

/// The handshake of 2025-11-25 in the words of a shell, then `body` for each further line.
std::string server_that(std::string_view body) {
  return R"(say() { echo "{\"jsonrpc\":\"2.0\",\"id\":$id,$1}"; }
while read -r line; do
  id=${line#*\"id\":}; id=${id%%,*}
  case $line in
    *server/discover*) say '"error":{"code":-32601,"message":"no"}';;
    *'"initialize"'*) say '"result":{"protocolVersion":"2025-11-25","capabilities":{}}';;
    *notifications/*) ;;
    *) )" +
         std::string(body) + R"(;;
  esac
done)";
}
constexpr std::string_view kAnswer = R"(say '"result":{"content":[]}')";

class ChildServer : public testing::Test {
 protected:
  void start(const std::string& script) {
    ChildOptions options;
    options.process.command = {"/bin/sh", "-c", script};
    options.stop_step = 200ms;
    auto link = over_child(*loop_, options);
    ASSERT_TRUE(link.has_value()) << link.error().message;
    client_ = std::make_unique<Client>(*loop_, *std::move(link));
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
    while (!result) loop_->run();
    return std::move(*result);
  }
  void close() {
    auto whole = [](Client& client) -> Task<bool> {
      co_await client.close();
      co_return true;
    };
    EXPECT_TRUE(run(whole(*client_)));
  }

  std::unique_ptr<runtime::SystemLoop> loop_ = runtime::SystemLoop::make();
  std::unique_ptr<Client> client_;
};

TEST_F(ChildServer, IsSpokenToAndEndedByTheEndOfItsInput) {
  start(server_that(kAnswer));
  ASSERT_TRUE(run(client_->connect()).has_value());
  EXPECT_TRUE(run(client_->call_tool("any", {})).has_value());
  close();
}

TEST_F(ChildServer, MayFloodItsStandardError) {
  start(server_that("head -c 300000 /dev/zero | tr '\\0' x >&2; " + std::string(kAnswer)));
  ASSERT_TRUE(run(client_->connect()).has_value());
  EXPECT_TRUE(run(client_->call_tool("any", {})).has_value());
}

struct Death {
  const char* name;
  const char* script;
  std::optional<int> code;
  std::optional<int> signal;
};
constexpr Death kDeaths[] = {
    {"ByExit", "echo why it died >&2; exit 3", 3, std::nullopt},
    {"InTheMiddleOfAWord", "printf '{\"jsonrpc\":\"2.0\",'; echo why it died >&2; exit 4", 4,
     std::nullopt},
    {"BySignal", "echo why it died >&2; kill -KILL $$", std::nullopt, SIGKILL},
};

TEST_F(ChildServer, ThatDiesFailsEverythingAtOnceAndSaysHow) {
  for (const Death& death : kDeaths) {
    start(server_that(death.script));
    ASSERT_TRUE(run(client_->connect()).has_value());
    std::vector<Task<Outcome<ToolResult>>> calls;
    for (int i = 0; i < 3; ++i) {
      calls.push_back(client_->call_tool("any", {}));
      calls.back().start();
    }
    for (auto& call : calls) {
      auto done = [](runtime::Loop& loop, Task<Outcome<ToolResult>>& waited) -> Task<bool> {
        while (!waited.done()) co_await runtime::sleep(loop, 1ms);
        co_return true;
      };
      run(done(*loop_, call));
      const auto outcome = call.take();
      ASSERT_EQ(kind_of(outcome), OutcomeKind::lost) << death.name;
      const Loss& loss = outcome.error().loss;
      EXPECT_EQ(loss.cause, Loss::Cause::child_exited);
      ASSERT_TRUE(loss.exit.has_value());
      EXPECT_EQ(loss.exit->code, death.code);
      EXPECT_EQ(loss.exit->signal, death.signal);
      EXPECT_EQ(loss.stderr_tail, "why it died\n");
      EXPECT_NE(loss.detail.find("why it died"), std::string::npos);
      EXPECT_TRUE(loss.may_have_run);
    }
    EXPECT_EQ(kind_of(run(client_->call_tool("later", {}))), OutcomeKind::lost);
  }
}

TEST_F(ChildServer, ThatDiesEarlyFailsConnectAndNothingElse) {
  for (const char* const script : {"exit 1", "read line; exit 1"}) {
    start(script);
    const auto server = run(client_->connect());
    ASSERT_EQ(kind_of(server), OutcomeKind::lost);
    EXPECT_EQ(server.error().loss.cause, Loss::Cause::child_exited);
    EXPECT_EQ(server.error().loss.exit->code, 1);
  }
  ChildOptions options;
  options.process.command = {"/does/not/exist"};
  EXPECT_FALSE(over_child(*loop_, options).has_value());
}

TEST_F(ChildServer, ThatWillNotEndIsMadeTo) {
  start("trap '' TERM; " + server_that(kAnswer) + "; while :; do sleep 1; done");
  ASSERT_TRUE(run(client_->connect()).has_value());
  close();  // returns: the child was killed
  start("sleep 1000 & " + server_that(kAnswer) + "; wait");
  ASSERT_TRUE(run(client_->connect()).has_value());
  close();
}

}  // namespace
}  // namespace squall::client::test
