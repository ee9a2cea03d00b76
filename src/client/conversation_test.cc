#include <gtest/gtest.h>

#include "squall/runtime/sleep.h"

#include "http_test_support.h"

/// @file Lists, caches, questions, structured content, mirrored arguments and subscriptions: cases
/// B12, K1, K3, K8, M1, M3, M6, N1, N4, O3 of the field's list.

namespace squall::client::test {
namespace {

using Kind = Report::Kind;

constexpr std::string_view kComplete = R"("resultType":"complete","cacheScope":"private")";

// Lists

std::string page(std::string_view names, std::string_view cursor, int ttl = 0) {
  std::string out = R"("tools":[)";
  bool comma = false;
  for (const char name : names) {
    if (std::exchange(comma, true)) out += ',';
    out += std::string(R"({"name":")") + name + R"(","inputSchema":{"type":"object"}})";
  }
  out += "],";
  if (!cursor.empty()) out += R"("nextCursor":)" + std::string(cursor) + ",";
  return out + std::string(kComplete) + R"(,"ttlMs":)" + std::to_string(ttl);
}

struct CursorCase {
  const char* name;
  std::function<std::string(const json::Value* cursor)> page;
  std::size_t entries;
  bool complete;
  int requests;
};

std::vector<CursorCase> cursor_cases() {
  std::vector<CursorCase> out;
  out.push_back({"OnePage", [](const json::Value*) { return page("ab", ""); }, 2, true, 1});
  out.push_back({"ThreePages",
                 [](const json::Value* cursor) {
                   if (cursor == nullptr) return page("a", "\"1\"");
                   return cursor->string() == "1" ? page("b", "\"\"") : page("c", "");
                 },
                 3, true, 3});
  out.push_back(
      {"EmptyForEver", [](const json::Value*) { return page("a", "\"\""); }, 1, false, 2});
  out.push_back(
      {"SameForEver", [](const json::Value*) { return page("ab", "\"c1\""); }, 2, false, 2});
  out.push_back({"RoundAndRound",
                 [](const json::Value* cursor) {
                   const bool a = cursor != nullptr && cursor->string() == "a";
                   return a ? page("x", "\"b\"") : page("y", "\"a\"");
                 },
                 2, false, 3});
  out.push_back({"NoCursorAtAll", [](const json::Value*) { return page("a", "7"); }, 1, false, 1});
  out.push_back({"NullIsTheEnd", [](const json::Value*) { return page("a", "null"); }, 1, true, 1});
  return out;
}

class Cursors : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(All, Cursors, testing::Range<std::size_t>(0, cursor_cases().size()),
                         [](const auto& which) { return cursor_cases()[which.param].name; });

TEST_P(Cursors, AreFollowedOnceEach) {
  const CursorCase given = cursor_cases()[GetParam()];
  ChannelBench bench(true, [&](ScriptedPeer& peer, const json::Value& message) {
    peer.answer(message, given.page(message.find("params")->find("cursor")));
  });
  bench.connect();
  const auto tools = finish(*bench.loop, bench.client->list_tools());
  ASSERT_TRUE(tools.has_value());
  EXPECT_EQ(tools->entries.size(), given.entries);
  EXPECT_EQ(tools->complete, given.complete);
  EXPECT_EQ(bench.witness.count(Kind::bad_cursor), given.complete ? 0 : 1);
  EXPECT_EQ(bench.witness.sent_with("tools/list"), given.requests);
}

TEST(Pages, AreBoundedInNumber) {
  Options options;
  options.limits.pages = 50;
  int number = 0;
  ChannelBench bench(
      true,
      [&](ScriptedPeer& peer, const json::Value& message) {
        peer.answer(message, page("", '"' + std::to_string(++number) + '"'));
      },
      options);
  bench.connect();
  const auto tools = finish(*bench.loop, bench.client->list_tools());
  ASSERT_TRUE(tools.has_value());
  EXPECT_FALSE(tools->complete);
  EXPECT_EQ(number, 50);
}

TEST(Listing, IsKeptForAsLongAsTheServerSaysAndNoLonger) {
  int asked = 0;
  ChannelBench bench(true, [&](ScriptedPeer& peer, const json::Value& message) {
    ++asked;
    peer.answer(message, page("a", "", 10'000));
  });
  bench.connect();
  const auto list = [&](CallOptions options = CallOptions()) {
    EXPECT_EQ(finish(*bench.loop, bench.client->list_tools(std::move(options)))->entries.size(),
              1U);
  };
  list();
  list();
  EXPECT_EQ(asked, 1);
  list(CallOptions().cached(false));
  EXPECT_EQ(asked, 2);
  bench.loop->advance(10'001ms);
  list();
  EXPECT_EQ(asked, 3);
}

TEST(Listing, IsForgottenWhenTheServerSaysThatItChanged) {
  int asked = 0;
  ChannelBench bench(false, [&](ScriptedPeer& peer, const json::Value& message) {
    if (++asked == 2) {
      // While it is being listed again it changes again.
      peer.say(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    }
    peer.answer(message, page("a", "", 1'000'000));
  });
  bench.connect();
  const auto list = [&] { EXPECT_TRUE(finish(*bench.loop, bench.client->list_tools())); };
  list();
  list();
  EXPECT_EQ(asked, 1);
  bench.peer->say(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  bench.loop->run_ready();
  list();
  EXPECT_EQ(asked, 2);
  list();
  EXPECT_EQ(asked, 3);
  list();
  EXPECT_EQ(asked, 3);
}

TEST(Listing, LeavesOutWhatCannotBeUsedAndKeepsTheRest) {
  ChannelBench bench(true, [](ScriptedPeer& peer, const json::Value& message) {
    peer.answer(message, R"("tools":[{"name":"a"},7,{"title":"nameless"},{"name":"a"},)"
                         R"({"name":"b","outputSchema":{"type":"object","properties":{"s":)"
                         R"({"$ref":"#/$defs/Nope"}}}}],"ttlMs":0,)" +
                             std::string(kComplete));
  });
  bench.connect();
  const auto tools = finish(*bench.loop, bench.client->list_tools());
  ASSERT_TRUE(tools.has_value());
  EXPECT_EQ(tools->entries.size(), 2U);
  EXPECT_EQ(tools->dropped, 3U);
  EXPECT_EQ(bench.witness.count(Kind::dropped_entry), 3);
  EXPECT_EQ(bench.witness.count(Kind::bad_schema), 1);
}

TEST(Resource, IsKeptUntilItIsUpdated) {
  int asked = 0;
  ChannelBench bench(false, [&](ScriptedPeer& peer, const json::Value& message) {
    ++asked;
    peer.answer(message, R"("contents":[],"ttlMs":100000)");
  });
  bench.connect();
  const auto read = [&](std::string uri) {
    EXPECT_TRUE(finish(*bench.loop, bench.client->read_resource(std::move(uri))).has_value());
  };
  read("a:1");
  read("a:2");
  read("a:1");
  EXPECT_EQ(asked, 2);
  bench.peer->say(
      R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:1"}})");
  bench.loop->run_ready();
  read("a:2");
  EXPECT_EQ(asked, 2);
  read("a:1");
  EXPECT_EQ(asked, 3);
}

// Structured content

struct Structured {
  const char* name;
  const char* members;
  OutcomeKind kind;
};
constexpr Structured kStructured[] = {
    {"Conforms", R"("structuredContent":{"n":9007199254740993})", OutcomeKind::success},
    {"WholeAsFraction", R"("structuredContent":{"n":3.0})", OutcomeKind::success},
    {"WrongType", R"("structuredContent":{"n":"3"})", OutcomeKind::invalid},
    {"Fraction", R"("structuredContent":{"n":3.5})", OutcomeKind::invalid},
    {"Missing", R"("content":[])", OutcomeKind::invalid},
    {"Null", R"("structuredContent":null)", OutcomeKind::invalid},
    {"ErrorsAreNotHeldToIt", R"("isError":true)", OutcomeKind::tool_error},
};

TEST(OutputSchema, IsHeldAgainstWhatTheToolAnswers) {
  for (const Structured& given : kStructured) {
    ChannelBench bench(true, [&](ScriptedPeer& peer, const json::Value& message) {
      if (method_of(message) == "tools/list") {
        return peer.answer(message,
                           R"("tools":[{"name":"t","outputSchema":{"type":"object",)"
                           R"("properties":{"n":{"type":"integer"}},"required":["n"]}}],)" +
                               std::string(kComplete));
      }
      peer.answer(message, given.members + std::string(",") + std::string(kComplete));
    });
    bench.connect();
    ASSERT_TRUE(finish(*bench.loop, bench.client->list_tools()).has_value());
    EXPECT_EQ(kind_of(bench.call("t")), given.kind) << given.name;
  }
}

// Mirrored arguments

TEST(ParamHeaders, MirrorArgumentsAndDropToolsWithBadOnes) {
  HttpBench bench(true, [](const Seen& request, const Exchange& exchange) {
    if (method_of(request.body) == "tools/list") {
      return reply(
          exchange, 200,
          result_text(request.body,
                      R"("tools":[{"name":"good","inputSchema":{"type":"object","properties":{)"
                      R"("region":{"type":"string","x-mcp-header":"Region"},)"
                      R"("n":{"type":"integer","x-mcp-header":"N"},)"
                      R"("ok":{"type":"boolean","x-mcp-header":"Ok"},)"
                      R"("none":{"type":"string","x-mcp-header":"None"},)"
                      R"("method":{"type":"string","x-mcp-header":"Method"}}}},)"
                      R"({"name":"bad","inputSchema":{"type":"object","properties":{)"
                      R"("x":{"type":"number","x-mcp-header":"X"}}}}],"ttlMs":0,)" +
                          std::string(kComplete)));
    }
    reply(exchange, 200, result_text(request.body, text_result("ok")));
  });
  bench.connect();
  const json::Value arguments =
      value_of(R"({"region":"H\u00e9","n":42,"ok":false,"none":null,"method":"m"})");
  ASSERT_TRUE(bench.call("good", CallOptions(), arguments).has_value());
  EXPECT_EQ(bench.server->count("POST", "tools/list"), 1);  // by itself: the call needs it
  const Seen& call = bench.server->seen.back();
  EXPECT_EQ(call.header("mcp-param-region"), "=?base64?SMOp?=");
  EXPECT_EQ(call.header("mcp-param-n"), "42");
  EXPECT_EQ(call.header("mcp-param-ok"), "false");
  EXPECT_EQ(call.header("mcp-param-none"), "");
  EXPECT_EQ(call.header("mcp-param-method"), "m");
  EXPECT_EQ(call.header("mcp-method"), "tools/call");
  const auto tools = finish(*bench.loop, bench.client->list_tools());
  EXPECT_EQ(tools->entries.size(), 1U);
  EXPECT_EQ(tools->dropped, 1U);
}

TEST(ParamHeaders, AreLearntAgainOnceWhenTheServerSaysTheyMismatch) {
  int lists = 0;
  bool stubborn = false;
  HttpBench bench(true, [&](const Seen& request, const Exchange& exchange) {
    if (method_of(request.body) == "tools/list") {
      const std::string header = ++lists == 1 ? "Old" : "New";
      return reply(exchange, 200,
                   result_text(request.body,
                               R"("tools":[{"name":"t","inputSchema":{"type":"object",)"
                               R"("properties":{"a":{"type":"string","x-mcp-header":")" +
                                   header + R"("}}}}],"ttlMs":1000000,)" + std::string(kComplete)));
    }
    if (!stubborn && request.header("mcp-param-new") == "v") {
      return reply(exchange, 200, result_text(request.body, text_result("ok")));
    }
    reply(exchange, 400, error_text(id_text(request.body), -32020));
  });
  bench.connect();
  const json::Value arguments = value_of(R"({"a":"v"})");
  EXPECT_TRUE(bench.call("t", CallOptions(), arguments).has_value());
  EXPECT_EQ(lists, 2);
  stubborn = true;
  EXPECT_EQ(bench.call("t", CallOptions(), arguments).error().code, -32020);
  EXPECT_EQ(lists, 3);
}

// Questions

class Answers final : public Handlers {
 public:
  Task<ElicitAnswer> elicit(const Elicitation& question) override {
    questions.push_back(question.message);
    ElicitAnswer answer;
    answer.action = ElicitAnswer::Action::accept;
    answer.content = json::Value::object();
    answer.content.set("name", "Zed");
    co_return answer;
  }
  Task<HandlerResult> sample(const json::Value&) override {
    co_return value_of(R"({"role":"assistant","content":{"type":"text","text":"Paris"},)"
                       R"("model":"m"})");
  }
  Task<std::vector<Root>> roots() override {
    std::vector<Root> all;
    all.push_back({.uri = "file:///a"});
    co_return all;
  }
  std::vector<std::string> questions;
};

Options asking(Handlers& handlers) {
  Options options;
  options.handlers = &handlers;
  options.capabilities.elicitation_form = true;
  options.capabilities.sampling = true;
  options.capabilities.roots = true;
  return options;
}

constexpr std::string_view kForm =
    R"({"message":"Who?","mode":"form","requestedSchema":{"type":"object","properties":)"
    R"({"name":{"type":"string"},"age":{"type":"integer","default":30}}}})";

TEST(ModernQuestions, AreAnsweredAndTheRequestSentAgainWithItsState) {
  Answers handlers;
  ChannelBench bench(
      true,
      [](ScriptedPeer& peer, const json::Value& message) {
        const json::Value& params = *message.find("params");
        if (params.find("inputResponses") != nullptr) {
          return peer.answer(message, text_result(json::to_string(*params.find("inputResponses")) +
                                                  json::to_string(*params.find("requestState"))));
        }
        peer.answer(message,
                    R"("resultType":"input_required","requestState":"s\u00e9\"1","inputRequests":{)"
                    R"("who":{"method":"elicitation/create","params":)" +
                        std::string(kForm) +
                        R"(},"capital":{"method":"sampling/createMessage","params":{}},)"
                        R"("where":{"method":"roots/list"}})");
      },
      asking(handlers));
  bench.connect();
  const auto outcome = bench.call("ask");
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->text(),
            R"({"who":{"action":"accept","content":{"name":"Zed","age":30}},)"
            R"("capital":{"role":"assistant","content":{"type":"text","text":"Paris"},)"
            R"("model":"m"},"where":{"roots":[{"uri":"file:///a"}]}})"
            "\"s\xC3\xA9\\\"1\"");
  const auto& heard = bench.peer->heard;
  const json::Value& first = heard[heard.size() - 2];
  EXPECT_NE(*first.find("id"), *heard.back().find("id"));
  EXPECT_EQ(*first.find("params")->find("arguments"),
            *heard.back().find("params")->find("arguments"));
}

TEST(ModernQuestions, AreBoundedAndJudged) {
  Answers handlers;
  const std::vector<std::pair<std::string, OutcomeKind>> results = {
      {R"("resultType":"input_required")", OutcomeKind::invalid},
      {R"("resultType":"input_required","requestState":"for ever")", OutcomeKind::invalid},
      {R"("resultType":"input_required","inputRequests":{"x":{"method":"no/such"}})",
       OutcomeKind::invalid},
      {R"("resultType":"strange")", OutcomeKind::invalid},
      {R"("resultType":7)", OutcomeKind::invalid},
      {R"("content":[])", OutcomeKind::success},
  };
  for (const auto& [members, kind] : results) {
    int rounds = 0;
    ChannelBench bench(
        true,
        [&rounds, &answer = members](ScriptedPeer& peer, const json::Value& message) {
          ++rounds;
          peer.answer(message, answer);
        },
        asking(handlers));
    bench.connect();
    EXPECT_EQ(kind_of(bench.call("ask")), kind) << members;
    EXPECT_LE(rounds, 10);
  }
}

TEST(LegacyQuestions, AreAnsweredWhileTheCallIsOpen) {
  Answers handlers;
  json::Value call;
  ChannelBench bench(
      false,
      [&](ScriptedPeer& peer, const json::Value& message) {
        if (method_of(message) == "tools/call") {
          call = message;
          // The ids of the two directions are apart.
          peer.say(R"({"jsonrpc":"2.0","id":)" + json::to_string(*message.find("id")) +
                   R"(,"method":"elicitation/create","params":)" + std::string(kForm) + "}");
        } else {
          peer.answer(call, text_result(json::to_string(message)));
        }
      },
      asking(handlers));
  bench.connect();
  const auto outcome = bench.call("ask");
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->text(), R"({"jsonrpc":"2.0","id":)" + json::to_string(*call.find("id")) +
                                 R"(,"result":{"action":"accept","content":)"
                                 R"({"name":"Zed","age":30}}})");
}

TEST(LegacyQuestions, ThatWereNotDeclaredAreRefused) {
  const std::vector<std::pair<std::string, int>> questions = {
      {R"("method":"sampling/createMessage","params":{})", -32601},
      {R"("method":"roots/list")", -32601},
      {R"("method":"no/such/method")", -32601},
      {R"("method":"elicitation/create","params":{"mode":"url","url":"http://x"})", -32602},
  };
  for (const auto& [question, code] : questions) {
    Options options;
    options.capabilities.elicitation_form = true;
    ChannelBench bench(false, [](ScriptedPeer&, const json::Value&) {}, options);
    bench.connect();
    bench.peer->say(R"({"jsonrpc":"2.0","id":"s1",)" + question + "}");
    bench.loop->run_ready();
    const json::Value& answer = bench.peer->heard.back();
    EXPECT_EQ(answer.find_string("id"), "s1");
    EXPECT_EQ(*answer.find("error")->find("code"), json::Value(code)) << question;
  }
}

TEST(LegacyQuestions, PingIsAnsweredAndModernRequestsAreNot) {
  for (const bool modern : {false, true}) {
    ChannelBench bench(modern, [](ScriptedPeer&, const json::Value&) {});
    bench.connect();
    const std::size_t before = bench.peer->heard.size();
    bench.peer->say(R"({"jsonrpc":"2.0","id":0,"method":"ping"})");
    bench.loop->run_ready();
    EXPECT_EQ(bench.peer->heard.size() - before, modern ? 0U : 1U);
    EXPECT_EQ(bench.witness.count(Kind::stray_request), modern ? 1 : 0);
  }
}

/// An answer that takes for ever, and counts what became of it.
class Slow final : public Handlers {
 public:
  Task<ElicitAnswer> elicit(const Elicitation&) override {
    struct Guard {
      int& ended;
      explicit Guard(int& count) : ended(count) {}
      ~Guard() { ++ended; }
    } guard(ended);
    ++begun;
    co_await runtime::Forever();
    co_return ElicitAnswer();
  }
  int begun = 0;
  int ended = 0;
};

TEST(LegacyQuestions, AreGivenUpWhenTheServerSaysSoAndBoundedInNumber) {
  Slow handlers;
  Options options;
  options.handlers = &handlers;
  options.capabilities.elicitation_form = true;
  options.limits.server_requests = 5;
  ChannelBench bench(false, [](ScriptedPeer&, const json::Value&) {}, options);
  bench.connect();
  for (int id = 0; id < 8; ++id) {
    bench.peer->say(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
                    R"(,"method":"elicitation/create","params":{"message":"?"}})");
  }
  bench.loop->run_ready();
  EXPECT_EQ(handlers.begun, 5);
  for (const char* const id : {"2", "\"2\"", "null", "{}", "77"}) {
    bench.peer->say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":)"
                    R"({"requestId":)" +
                    std::string(id) + "}}");
  }
  bench.peer->say(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
  bench.loop->run_ready();
  EXPECT_EQ(handlers.ended, 1);
  bench.client.reset();
  EXPECT_EQ(handlers.ended, 5);
}

// Subscriptions

class Listener final : public SubscriptionListener {
 public:
  void on_granted(const Interest& granted) override {
    log.push_back(std::string("granted") + (granted.tools ? " tools" : "") +
                  (granted.resources ? " resources" : "") + " " +
                  std::to_string(granted.uris.size()));
  }
  void on_change(const Change& change) override {
    log.push_back((change.guessed ? "guess " : "change ") +
                  std::to_string(static_cast<int>(change.what)) + change.uri);
  }
  void on_ended(const Failure* failure) override {
    log.push_back(failure != nullptr ? "failed" : "ended");
  }
  std::vector<std::string> log;
};

std::string change(std::string_view method, std::string_view id, std::string_view more = "") {
  return R"({"jsonrpc":"2.0","method":"notifications/)" + std::string(method) + R"(","params":{)" +
         std::string(more) + R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" +
         std::string(id) + "}}}";
}

std::string acknowledgement(std::string_view id) {
  return change("subscriptions/acknowledged", id,
                R"("notifications":{"toolsListChanged":true,"resourceSubscriptions":["a:1"]},)");
}

TEST(ModernSubscription, BelievesWhatItWasGrantedAndNothingElse) {
  std::string id;
  ChannelBench bench(true, [&](ScriptedPeer& peer, const json::Value& message) {
    if (method_of(message) != "subscriptions/listen") return;
    id = json::to_string(*message.find("id"));
    peer.say(change("tools/list_changed", id));  // before the acknowledgement
    peer.say(acknowledgement(id));
    peer.say(change("tools/list_changed", "999"));
    peer.say(change("tools/list_changed", '"' + id + '"'));
    peer.say(change("prompts/list_changed", id));
    peer.say(change("resources/updated", id, R"("uri":"a:2",)"));
    peer.say(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    peer.say(change("tools/list_changed", id));
    peer.say(change("resources/updated", id, R"("uri":"a:1",)"));
  });
  bench.connect();
  Listener listener;
  const auto subscription = bench.client->subscribe(Interest::in_all({"a:1", "a:2"}), listener);
  bench.loop->run_ready();
  EXPECT_EQ(listener.log, (std::vector<std::string>{"granted tools 1", "change 0", "change 3a:1"}));
  EXPECT_EQ(bench.witness.count(Kind::stray_notification), 6);
  EXPECT_FALSE(subscription->ended());
}

TEST(ModernSubscription, EndsProperlyInEitherWayAndIsNotRepeated) {
  for (const bool by_result : {true, false}) {
    int listens = 0;
    ChannelBench bench(true, [&](ScriptedPeer& peer, const json::Value& message) {
      if (method_of(message) != "subscriptions/listen") return;
      ++listens;
      const std::string id = json::to_string(*message.find("id"));
      peer.say(acknowledgement(id));
      if (by_result) return peer.answer(message, kComplete);
      peer.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
               id + "}}");
    });
    bench.connect();
    Listener listener;
    const auto subscription = bench.client->subscribe(Interest::in_all({"a:1"}), listener);
    bench.loop->advance(10min);
    EXPECT_EQ(listener.log, (std::vector<std::string>{"granted tools 1", "ended"}));
    EXPECT_TRUE(subscription->ended());
    EXPECT_EQ(listens, 1);
  }
}

TEST(ModernSubscription, ComesBackAfterABreakAndGuessesWhatItMissed) {
  int listens = 0;
  std::vector<Exchange> open;
  HttpBench bench(true, [&](const Seen& request, const Exchange& exchange) {
    if (method_of(request.body) != "subscriptions/listen") return;
    ++listens;
    open_stream(exchange, event(acknowledgement(id_text(request.body))));
    if (listens == 1) {
      exchange->drop(true);
    } else {
      open.push_back(exchange);
    }
  });
  bench.connect();
  Listener listener;
  auto subscription = bench.client->subscribe(Interest::in_all({"a:1"}), listener);
  bench.pass(1min);
  EXPECT_EQ(listens, 2);
  EXPECT_EQ(listener.log, (std::vector<std::string>{"granted tools 1", "granted tools 1", "guess 0",
                                                    "guess 3a:1"}));
  bool gone = false;
  open.back()->on_gone([&gone] { gone = true; });
  subscription.reset();
  bench.pass(10ms);
  EXPECT_TRUE(gone);
}

TEST(ModernSubscription, GivesUpInTheEndWithoutAStorm) {
  int listens = 0;
  HttpBench bench(true, [&](const Seen& request, const Exchange& exchange) {
    if (method_of(request.body) != "subscriptions/listen") return;
    ++listens;
    exchange->drop(false);
  });
  bench.connect();
  Listener listener;
  const auto subscription = bench.client->subscribe(Interest::in_all(), listener);
  bench.pass(3s);
  EXPECT_LE(listens, 10);
  bench.pass(1h);
  EXPECT_EQ(listens, 10);
  EXPECT_EQ(listener.log, std::vector<std::string>{"failed"});
}

TEST(LegacySubscription, SubscribesToEachResourceAndUnsubscribes) {
  ChannelBench bench(false, [&](ScriptedPeer& peer, const json::Value& message) {
    if (message.find("params")->find_string("uri") == "a:2") return peer.refuse(message, -32602);
    peer.answer(message, "");
  });
  bench.connect();
  Listener listener;
  auto subscription = bench.client->subscribe(Interest::in_all({"a:1", "a:2"}), listener);
  bench.loop->run_ready();
  bench.peer->say(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  for (const char* const uri : {"a:1", "a:2"}) {
    bench.peer->say(R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":)"
                    R"({"uri":")" +
                    std::string(uri) + "\"}}");
  }
  bench.loop->run_ready();
  EXPECT_EQ(listener.log, (std::vector<std::string>{"granted tools 1", "change 0", "change 3a:1"}));
  subscription.reset();
  bench.loop->run_ready();
  EXPECT_EQ(bench.witness.sent_with("resources/unsubscribe"), 1);
}

// The rest of the interface

TEST(Names, AreSentAndComparedByteForByte) {
  const std::string composed = "caf\xC3\xA9";
  const std::string decomposed = "cafe\xCC\x81";
  ChannelBench bench(true, [](ScriptedPeer& peer, const json::Value& message) {
    if (method_of(message) == "tools/list") {
      return peer.answer(message,
                         "\"tools\":[{\"name\":\"caf\xC3\xA9\"},{\"name\":\"cafe\xCC\x81\"}]"
                         "," +
                             std::string(kComplete));
    }
    peer.answer(message, text_result(message.find("params")->find("name")->string()));
  });
  bench.connect();
  EXPECT_EQ(finish(*bench.loop, bench.client->list_tools())->entries.size(), 2U);
  EXPECT_EQ(bench.call(composed)->text(), composed);
  EXPECT_EQ(bench.call(decomposed)->text(), decomposed);
}

TEST(LogLevel, IsARequestBeforeAndPartOfEveryRequestSince) {
  for (const bool modern : {false, true}) {
    ChannelBench bench(modern, [](ScriptedPeer& peer, const json::Value& message) {
      peer.answer(message, text_result("ok"));
    });
    bench.connect();
    EXPECT_TRUE(finish(*bench.loop, bench.client->set_log_level(mcp::LogLevel::warning)));
    EXPECT_TRUE(bench.call("any").has_value());
    EXPECT_EQ(bench.witness.sent_with("logging/setLevel"), modern ? 0 : 1);
    EXPECT_EQ(bench.witness.sent_with(R"("io.modelcontextprotocol/logLevel":"warning")"),
              modern ? 1 : 0);
  }
}

TEST(Requests, SayWhatTheyAreGiven) {
  ChannelBench bench(true, [](ScriptedPeer& peer, const json::Value& message) {
    peer.answer(message, kComplete);
  });
  bench.connect();
  CallOptions options;
  options.meta(value_of(R"({"traceparent":"00-1-2-01"})"));
  EXPECT_TRUE(finish(
      *bench.loop,
      bench.client->request("vendor/thing", value_of(R"({"a":1,"_meta":{"b":2}})"), options)));
  const json::Value& params = *bench.peer->heard.back().find("params");
  EXPECT_EQ(*params.find("a"), json::Value(1));
  EXPECT_EQ(*params.find("_meta")->find("b"), json::Value(2));
  EXPECT_EQ(params.find("_meta")->find_string("traceparent"), "00-1-2-01");
  EXPECT_EQ(params.find("_meta")->find_string("io.modelcontextprotocol/protocolVersion"),
            "2026-07-28");
  json::Value reference = value_of(R"({"type":"ref/prompt","name":"p"})");
  EXPECT_TRUE(finish(*bench.loop,
                     bench.client->complete(reference, "arg", "va", value_of(R"({"x":"y"})"))));
  EXPECT_EQ(json::to_string(*bench.peer->heard.back().find("params")->find("context")),
            R"({"arguments":{"x":"y"}})");
  EXPECT_TRUE(finish(*bench.loop, bench.client->get_prompt("p", value_of(R"({"x":"y"})"))));
  EXPECT_TRUE(finish(*bench.loop, bench.client->ping()));
  EXPECT_EQ(method_of(bench.peer->heard.back()), "server/discover");
}

}  // namespace
}  // namespace squall::client::test
