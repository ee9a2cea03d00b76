#include "squall/server/guards/guards.h"

#include <gtest/gtest.h>

#include "../pair_bench.h"

namespace squall::server {
namespace {

using namespace std::chrono_literals;
using test::PairBench;

Registry empty_registry() {
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  return Registry(info);
}

constexpr std::string_view kInput =
    R"({"type":"object","properties":{"key":{"type":"string"},"ms":{"type":"integer"}}})";

std::string call(int id, std::string_view action, std::string_view arguments = "") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":"t","arguments":{"action":")" +
         std::string(action) + "\"" + std::string(arguments) +
         R"(},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
}

/// The code of the error in a response, or "ok".
std::string code_of(std::string_view response) {
  const auto value = json::parse(response).value();
  const json::Value* result = value.find("result");
  const json::Value* data = result != nullptr ? result->find("structuredContent") : nullptr;
  const json::Value* error = data != nullptr ? data->find("error") : nullptr;
  return error != nullptr ? std::string(error->find_string("code").value_or("?")) : "ok";
}

std::int64_t retry_of(std::string_view response) {
  const auto value = json::parse(response).value();
  const json::Value* error = value.find("result")->find("structuredContent")->find("error");
  const json::Value* retry = error->find("retry_after_ms");
  return retry != nullptr ? retry->as_int64().value_or(-1) : -1;
}

std::vector<std::string> codes(const std::vector<std::string>& responses) {
  std::vector<std::string> out;
  for (const std::string& one : responses) out.push_back(code_of(one));
  return out;
}

/// A handler that notes when it begins and ends.
auto noting(std::vector<std::string>& notes) {
  return [&notes](Context& context) -> Task<ToolResult> {
    const std::string key(context.text("key"));
    notes.push_back("+" + key);
    co_await context.sleep(std::chrono::milliseconds(context.integer("ms", 10)));
    notes.push_back("-" + key);
    co_return ToolResult::text(key);
  };
}

TEST(Guards, TurnCallsAwayThatFindNeitherAPlaceNorTheQueue) {
  std::vector<std::string> notes;
  Registry registry = empty_registry();
  ConcurrencyOptions options;
  options.active_max = 1;
  options.queue_max = 1;
  registry.action("t.a").input(kInput).guard(limit_concurrency(options)).handle(noting(notes));
  PairBench bench(registry);
  EXPECT_EQ(codes(bench.say(call(1, "a"))), std::vector<std::string>{});
  EXPECT_EQ(codes(bench.hear(10ms)), std::vector<std::string>{"ok"});
  bench.say(call(2, "a"));
  bench.say(call(3, "a"));
  const auto refused = bench.say(call(4, "a"));
  ASSERT_EQ(codes(refused), std::vector<std::string>{"SERVER_BUSY"});
  EXPECT_EQ(retry_of(refused[0]), 20);  // one runs and one waits, at 10 ms each
  EXPECT_EQ(codes(bench.hear(20ms)), (std::vector<std::string>{"ok", "ok"}));
}

TEST(Guards, TakeNoPlaceAndNoTokenForAnInvalidCall) {
  std::vector<std::string> notes;
  Registry registry = empty_registry();
  RateOptions rate;
  rate.calls = 1;
  rate.per = 1h;
  registry.action("t.a")
      .input(kInput)
      .guard(limit_concurrency({}))
      .guard(limit_rate(rate))
      .handle(noting(notes));
  PairBench bench(registry);
  for (int id = 1; id < 4; ++id) {
    EXPECT_EQ(codes(bench.say(call(id, "a", R"(,"ms":"x")"))),
              std::vector<std::string>{"VALIDATION_ERROR"});
  }
  bench.say(call(5, "a"));
  EXPECT_EQ(codes(bench.hear(10ms)), std::vector<std::string>{"ok"});
  EXPECT_EQ(codes(bench.say(call(6, "a"))), std::vector<std::string>{"RATE_LIMITED"});
}

TEST(Guards, AdmitTenOfTwoHundredCallsAtARateOfTen) {
  std::vector<std::string> notes;
  Registry registry = empty_registry();
  RateOptions rate;
  rate.calls = 10;
  rate.per = 10s;
  registry.action("t.a").input(kInput).guard(limit_rate(rate)).handle(noting(notes));
  PairBench bench(registry);
  std::size_t refused = 0;
  for (int id = 0; id < 200; ++id) {
    const auto heard = bench.say(call(id, "a"));
    refused += heard.size();
    for (const std::string& one : heard) EXPECT_EQ(retry_of(one), 1'000);
  }
  EXPECT_EQ(refused, 190U);
  EXPECT_EQ(bench.hear(10ms).size(), 10U);
}

TEST(Guards, EndACallThatTakesTooLongWhereItWaits) {
  bool destroyed = false;
  struct Flag {
    bool& flag;
    ~Flag() { flag = true; }
  };
  Registry registry = empty_registry();
  registry.action("t.a")
      .guard(limit_time(50ms))
      .handle([&destroyed](Context& context) -> Task<ToolResult> {
        const Flag flag{destroyed};
        co_await context.wait_forever();
        co_return ToolResult();
      });
  std::vector<std::string> notes;
  registry.action("t.fast").input(kInput).guard(limit_time(50ms)).handle(noting(notes));
  PairBench bench(registry);
  bench.say(call(1, "a"));
  bench.say(call(2, "fast"));
  EXPECT_EQ(codes(bench.hear(49ms)), std::vector<std::string>{"ok"});
  EXPECT_FALSE(destroyed);
  EXPECT_EQ(codes(bench.hear(1ms)), std::vector<std::string>{"TIMEOUT"});
  EXPECT_TRUE(destroyed);
}

TEST(Guards, RefuseArgumentsThatAreTooLarge) {
  std::vector<std::string> notes;
  Registry registry = empty_registry();
  registry.action("t.a").input(kInput).guard(limit_arguments(100)).handle(noting(notes));
  PairBench bench(registry);
  const std::string large = R"(,"key":")" + std::string(100, 'x') + "\"";
  EXPECT_EQ(codes(bench.say(call(1, "a", large))), std::vector<std::string>{"ARGUMENTS_TOO_LARGE"});
  bench.say(call(2, "a"));
  EXPECT_EQ(codes(bench.hear(10ms)), std::vector<std::string>{"ok"});
}

TEST(Guards, LetCallsOfOneKeyRunOneAtATimeInTheirOrder) {
  std::vector<std::string> notes;
  Registry registry = empty_registry();
  SerializeOptions options;
  options.key = [](Context& context) { return std::string(context.text("key")).substr(0, 1); };
  registry.action("t.a").input(kInput).guard(serialize(options)).handle(noting(notes));
  PairBench bench(registry);
  bench.say(call(1, "a", R"(,"key":"a1")"));
  bench.say(call(2, "a", R"(,"key":"a2")"));
  bench.say(call(3, "a", R"(,"key":"b1")"));
  bench.say(call(4, "a", R"(,"key":"a3")"));
  // The second is cancelled while it waits: the fourth doesn't start early.
  bench.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
  bench.hear(30ms);
  EXPECT_EQ(notes, (std::vector<std::string>{"+a1", "+b1", "-a1", "-b1", "+a3", "-a3"}));
}

TEST(Guards, SerialiseMutationsUnasked) {
  std::vector<std::string> notes;
  Registry registry = empty_registry();
  registry.mutation("t.change").input(kInput).handle(noting(notes));
  registry.mutation("t.by_key").input(kInput).serialize_by("/key").handle(noting(notes));
  registry.mutation("t.freely").input(kInput).concurrent().handle(noting(notes));
  registry.query("t.read").input(kInput).handle(noting(notes));
  PairBench bench(registry);
  const auto order_of = [&](std::string_view action, std::string_view second) {
    notes.clear();
    bench.say(call(1, action, R"(,"key":"1")"));
    bench.say(call(2, action, R"(,"key":")" + std::string(second) + "\""));
    bench.hear(20ms);
    std::string out;
    for (const std::string& note : notes) out += note;
    return out;
  };
  EXPECT_EQ(order_of("change", "2"), "+1-1+2-2");
  EXPECT_EQ(order_of("by_key", "1"), "+1-1+1-1");
  EXPECT_EQ(order_of("by_key", "2"), "+1+2-1-2");
  EXPECT_EQ(order_of("freely", "2"), "+1+2-1-2");
  EXPECT_EQ(order_of("read", "2"), "+1+2-1-2");
}

TEST(Guards, AreMadeInTheOrderInWhichTheyBelongAndOnlyWhenAskedFor) {
  EXPECT_TRUE(make_guards({}).empty());
  std::vector<std::string> notes;
  Registry registry = empty_registry();
  GuardOptions options;
  options.concurrency = ConcurrencyOptions{1, 0};
  options.serialize = SerializeOptions{};
  options.time = 15ms;
  auto action = registry.action("t.a").input(kInput);
  for (auto& guard : make_guards(options)) action.guard(guard);
  action.handle(noting(notes));
  PairBench bench(registry);
  // The second waits for the first, but holds no place and spends no time of its own meanwhile.
  bench.say(call(1, "a"));
  bench.say(call(2, "a"));
  EXPECT_EQ(codes(bench.hear(20ms)), (std::vector<std::string>{"ok", "ok"}));
}

}  // namespace
}  // namespace squall::server
