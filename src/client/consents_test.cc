#include <gtest/gtest.h>

#include "squall/runtime/sleep.h"

#include "test_support.h"

/// @file What we answer a server: addresses to go to (-32042), forms that must fit, the time that a
/// person takes, and lists that would grow without end.

namespace squall::client::test {
namespace {

using Kind = Report::Kind;

/// Agrees to everything after `pause`, with `content` for forms.
class Agreeing final : public Handlers {
 public:
  explicit Agreeing(runtime::Duration its_pause = {}) : pause(its_pause) {}
  Task<ElicitAnswer> elicit(const Elicitation& question) override {
    asked.push_back(question.is_url ? question.url : question.message);
    if (loop != nullptr) co_await runtime::sleep(*loop, pause);
    ElicitAnswer answer;
    answer.action = action;
    answer.content = content;
    co_return answer;
  }
  runtime::Duration pause;
  runtime::Loop* loop = nullptr;
  ElicitAnswer::Action action = ElicitAnswer::Action::accept;
  json::Value content = json::Value::object();
  std::vector<std::string> asked;
};

Options with(Handlers& handlers) {
  Options options;
  options.handlers = &handlers;
  options.capabilities.elicitation_form = true;
  options.capabilities.elicitation_url = true;
  return options;
}

constexpr std::string_view kTwoAddresses =
    R"({"elicitations":[{"mode":"url","url":"https://a/","elicitationId":"1","message":"A"},)"
    R"({"mode":"url","url":"https://b/","elicitationId":"2","message":"B"}]})";

void complete(ScriptedPeer& peer, std::string_view id) {
  peer.say(R"({"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":)"
           R"({"elicitationId":")" +
           std::string(id) + R"("}})");
}

/// Refuses `refusals` calls for want of a visit.
ScriptedPeer::OnMessage refusing(int& refusals, std::string data) {
  return [&refusals, data = std::move(data)](ScriptedPeer& peer, const json::Value& message) {
    if (method_of(message) != "tools/call") return;
    if (refusals-- > 0) return peer.refuse(message, -32042, data);
    peer.answer(message, text_result("done"));
  };
}

TEST(UrlElicitationRequired, IsAskedAndTheCallSentAgainOnceTheServerSaysSo) {
  Agreeing handlers;
  int refusals = 1;
  ChannelBench bench(false, refusing(refusals, std::string(kTwoAddresses)), with(handlers));
  bench.connect();
  auto call = bench.client->call_tool("t", json::Value());
  call.start();
  bench.loop->run_ready();
  EXPECT_EQ(handlers.asked, (std::vector<std::string>{"https://a/", "https://b/"}));
  for (const char* const id : {"2", "2", "x"}) complete(*bench.peer, id);
  bench.loop->run_ready();
  EXPECT_FALSE(call.done());
  complete(*bench.peer, "1");
  bench.loop->run_ready();
  ASSERT_TRUE(call.done());
  EXPECT_EQ(call.take()->text(), "done");
  EXPECT_EQ(bench.witness.sent_with("tools/call"), 2);
}

TEST(UrlElicitationRequired, GoesOnWithoutASignAfterTheTimeout) {
  Agreeing handlers;
  int refusals = 1;
  ChannelBench bench(false, refusing(refusals, std::string(kTwoAddresses)), with(handlers));
  bench.connect();
  const auto begun = bench.loop->now();
  EXPECT_EQ(bench.call("t", CallOptions().timeout(7s))->text(), "done");
  EXPECT_GE(bench.loop->now() - begun, 7s);
}

TEST(UrlElicitationRequired, EndsInBoundedTime) {
  Agreeing handlers;
  int refusals = 1'000;
  ChannelBench bench(false, refusing(refusals, R"({"elicitations":[{"mode":"url","url":"u"}]})"),
                     with(handlers));
  bench.connect();
  EXPECT_EQ(bench.call("t").error().code, -32042);
  EXPECT_EQ(bench.witness.sent_with("tools/call"), 10);
}

TEST(UrlElicitationRequired, IsAnErrorLikeAnyOtherWithoutConsentOrAddress) {
  const std::string many = R"({"mode":"url","url":"u"})";
  std::string too_many = R"({"elicitations":[)" + many;
  for (int i = 0; i < 64; ++i) too_many += "," + many;
  for (const std::string& data :
       {std::string("null"), std::string("{}"), std::string(R"({"elicitations":[]})"),
        std::string(R"({"elicitations":[7]})"), too_many + "]}",
        std::string(R"({"elicitations":[{"mode":"form","message":"?"}]})")}) {
    Agreeing handlers;
    int refusals = 1;
    ChannelBench bench(false, refusing(refusals, data), with(handlers));
    bench.connect();
    EXPECT_EQ(bench.call("t").error().code, -32042) << data;
    EXPECT_TRUE(handlers.asked.empty()) << data;
  }
  for (const bool modern : {true, false}) {
    Agreeing handlers;
    handlers.action = ElicitAnswer::Action::decline;
    int refusals = 1;
    ChannelBench bench(modern, refusing(refusals, std::string(kTwoAddresses)), with(handlers));
    bench.connect();
    EXPECT_EQ(bench.call("t").error().code, -32042);
    EXPECT_EQ(handlers.asked.size(), modern ? 0U : 1U);  // the error is gone from 2026-07-28
  }
}

constexpr std::string_view kAgeForm =
    R"("params":{"message":"Age?","requestedSchema":{"type":"object","properties":)"
    R"({"age":{"type":"integer","minimum":18}},"required":["age"]}})";

ScriptedPeer::OnMessage asking_age(bool modern) {
  return [modern](ScriptedPeer& peer, const json::Value& message) {
    if (method_of(message) == "tools/call" && !modern) {
      peer.say(R"({"jsonrpc":"2.0","id":"q","method":"elicitation/create",)" +
               std::string(kAgeForm) + "}");
    } else if (method_of(message) == "tools/call") {
      peer.answer(message, R"("resultType":"input_required","requestState":"s","inputRequests":)"
                           R"({"q":{"method":"elicitation/create",)" +
                               std::string(kAgeForm) + "}}");
    }
  };
}

TEST(FormContent, IsNeverSentWhenItDoesNotFit) {
  for (const bool modern : {false, true}) {
    for (const char* const content : {"{}", R"({"age":17})", R"({"age":"hunter2"})", "[]"}) {
      Agreeing handlers;
      handlers.content = value_of(content);
      ChannelBench bench(modern, asking_age(modern), with(handlers));
      bench.connect();
      EXPECT_FALSE(bench.call("t", CallOptions().total(1s)).has_value());
      EXPECT_EQ(bench.witness.count(Kind::bad_answer), 1) << content;
      EXPECT_EQ(bench.witness.sent_with("hunter2") + bench.witness.sent_with(R"("age":17)"), 0);
      for (const Report& report : bench.witness.reports) {
        EXPECT_EQ(report.text.find("hunter2"), std::string::npos);
      }
    }
  }
}

TEST(FormContent, IsSentWhenItFits) {
  Agreeing handlers;
  handlers.content = value_of(R"({"age":18})");
  ChannelBench bench(false, asking_age(false), with(handlers));
  bench.connect();
  static_cast<void>(bench.call("t", CallOptions().total(1s)));
  EXPECT_EQ(bench.witness.sent_with(R"("content":{"age":18})"), 1);
}

TEST(LegacyQuestions, DoNotCostTheServerTheTimeThatAPersonTakes) {
  for (const bool bounded : {false, true}) {
    Agreeing handlers(5min);
    handlers.content = value_of(R"({"age":18})");
    json::Value call;
    const auto script = [&call](ScriptedPeer& peer, const json::Value& message) {
      if (method_of(message) == "tools/call") {
        call = message;
        asking_age(false)(peer, message);
      } else if (message.contains("result")) {
        peer.answer(call, text_result("done"));
      }
    };
    ChannelBench bench(false, script, with(handlers));
    handlers.loop = bench.loop.get();
    bench.connect();
    CallOptions options;
    options.timeout(1s);
    if (bounded) options.total(10s);  // whatever happens, that is a bound
    const auto begun = bench.loop->now();
    const auto outcome = bench.call("t", std::move(options));
    const auto took = bench.loop->now() - begun;
    EXPECT_EQ(kind_of(outcome), bounded ? OutcomeKind::timeout : OutcomeKind::success);
    EXPECT_TRUE(bounded ? took < 11s : took >= 5min);
  }
}

std::string long_page(std::size_t bytes, int number, std::string_view more) {
  const std::string name = "t" + std::to_string(number);
  return R"("tools":[{"name":")" + name + R"(","inputSchema":{"type":"object"},"description":")" +
         std::string(bytes, 'x') + R"("}],"resultType":"complete","cacheScope":"private",)" +
         R"("ttlMs":60000)" + std::string(more);
}

TEST(Lists, EndWhereTheirBytesDo) {
  Options options;
  options.limits.list_bytes = 10'000;
  int page = 0;
  ChannelBench bench(
      true,
      [&page](ScriptedPeer& peer, const json::Value& message) {
        ++page;
        peer.answer(message,
                    long_page(1'000, page, R"(,"nextCursor":")" + std::to_string(page) + R"(")"));
      },
      options);
  bench.connect();
  const auto listing = finish(*bench.loop, bench.client->list_tools());
  ASSERT_TRUE(listing.has_value());
  EXPECT_FALSE(listing->complete);
  EXPECT_EQ(page, 9);
  EXPECT_EQ(bench.witness.count(Kind::bad_cursor), 1);
}

TEST(Lists, AreKeptAsLongAsThereIsRoomForThem) {
  for (const bool room : {true, false}) {
    Options options;
    options.limits.cached_bytes = room ? 10'000 : 1'000;
    int asked = 0;
    ChannelBench bench(
        true,
        [&asked](ScriptedPeer& peer, const json::Value& message) {
          ++asked;
          peer.answer(message, long_page(2'000, 1, ""));
        },
        options);
    bench.connect();
    for (int i = 0; i < 3; ++i) static_cast<void>(finish(*bench.loop, bench.client->list_tools()));
    EXPECT_EQ(asked, room ? 1 : 3);
  }
}

}  // namespace
}  // namespace squall::client::test
