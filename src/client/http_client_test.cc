#include <gtest/gtest.h>

#include "http_test_support.h"

/// @file The client over HTTP: cases C3, C6, G7, H1, H6, I1, I2, I3, I5, I8, I10, I12, I14, J1, J2,
/// J3, J4, K1, K4, K12, L2, L6, L9 and O4 of the field's list.

namespace squall::client::test {
namespace {

using Kind = Report::Kind;
using Cause = Loss::Cause;

/// Answers tools/list with no tools, so that modern calls may go ahead.
bool lists_nothing(const Seen& request, const Exchange& exchange) {
  if (method_of(request.body) != "tools/list") return false;
  reply(exchange, 200,
        result_text(request.body,
                    R"("tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private")"));
  return true;
}

HttpBench::Script calls(std::function<void(const Seen&, const Exchange&)> on_call) {
  return [on_call = std::move(on_call)](const Seen& request, const Exchange& exchange) {
    if (!lists_nothing(request, exchange)) on_call(request, exchange);
  };
}

class HttpBothEras : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Era, HttpBothEras, testing::Bool(),
                         [](const auto& era) { return era.param ? "Modern" : "Legacy"; });

TEST_P(HttpBothEras, CallsAToolWithTheHeadersOfItsEra) {
  HttpBench bench(GetParam(), calls([](const Seen& request, const Exchange& exchange) {
                    reply(exchange, 200, result_text(request.body, text_result("hi")),
                          "application/json; charset=utf-8");
                  }));
  bench.connect();
  const auto outcome = bench.call("gr\xC3\xBC\xC3\x9F");
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->text(), "hi");
  const Seen& call = bench.server->seen.back();
  EXPECT_EQ(call.header("content-type"), "application/json");
  EXPECT_EQ(call.header("accept"), "application/json, text/event-stream");
  EXPECT_EQ(call.header("mcp-protocol-version"), GetParam() ? "2026-07-28" : "2025-11-25");
  EXPECT_EQ(call.header("mcp-session-id"), GetParam() ? "" : "s1");
  EXPECT_EQ(call.header("mcp-method"), GetParam() ? "tools/call" : "");
  EXPECT_EQ(call.header("mcp-name"), GetParam() ? "=?base64?Z3LDvMOf?=" : "");
}

TEST_P(HttpBothEras, ReadsAReplyThatIsAStream) {
  HttpBench bench(GetParam(), calls([](const Seen& request, const Exchange& exchange) {
                    open_stream(exchange,
                                event(R"({"jsonrpc":"2.0","method":)"
                                      R"("notifications/message","params":{}})"),
                                "text/event-stream;charset=UTF-8");
                    exchange->write(event(result_text(request.body, text_result("hi"))));
                    exchange->finish();
                  }));
  bench.connect();
  EXPECT_EQ(bench.call("any")->text(), "hi");
  EXPECT_EQ(bench.call("any")->text(), "hi");
}

TEST_P(HttpBothEras, TakesABurstOfWhatSomebodyHeldBack) {
  HttpBench bench(GetParam(), calls([](const Seen& request, const Exchange& exchange) {
                    const json::Value& meta = *request.body.find("params")->find("_meta");
                    const std::string token = json::to_string(*meta.find("progressToken"));
                    std::string burst = ": keep-alive\n\n";
                    for (int step = 1; step <= 100; ++step) {
                      burst += event(R"({"jsonrpc":"2.0","method":"notifications/progress",)"
                                     R"("params":{"progressToken":)" +
                                     token + R"(,"progress":)" + std::to_string(step) + "}}");
                    }
                    burst += event(result_text(request.body, text_result("hi")));
                    open_stream(exchange, burst);
                    exchange->finish();
                  }));
  bench.connect();
  std::vector<double> steps;
  CallOptions options;
  options.on_progress([&steps](const Progress& step) { steps.push_back(step.progress); });
  EXPECT_EQ(bench.call("any", std::move(options))->text(), "hi");
  ASSERT_EQ(steps.size(), 100U);
  EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
}

TEST_P(HttpBothEras, TakesResultsUpToItsLimitAndNoLarger) {
  Options options;
  options.limits.message_bytes = 1 << 20;
  std::size_t bytes = 0;
  HttpBench bench(GetParam(), calls([&bytes](const Seen& request, const Exchange& exchange) {
                    reply(exchange, 200,
                          result_text(request.body, text_result(std::string(bytes, 'x'))));
                  }),
                  options);
  bench.connect();
  for (const std::size_t size : {std::size_t{1'000'000}, std::size_t{1'100'000}}) {
    bytes = size;
    const auto outcome = bench.call("any");
    EXPECT_EQ(outcome.has_value(), size < options.limits.message_bytes);
  }
}

TEST_P(HttpBothEras, RefusesAReplyInACodingThatItDidNotAskFor) {
  HttpBench bench(GetParam(), calls([](const Seen& request, const Exchange& exchange) {
                    reply(exchange, 200, result_text(request.body, text_result("hi")),
                          "application/json", {{"Content-Encoding", "gzip"}});
                  }));
  bench.connect();
  EXPECT_FALSE(bench.call("any").has_value());
  EXPECT_EQ(bench.server->seen.back().header("accept-encoding"), "identity");
}

/// What a request's reply may be instead of a response, and what the call comes to.
struct BadReply {
  const char* name;
  std::function<void(const Seen&, const Exchange&)> say;
  OutcomeKind kind;
  Cause cause = Cause::ended;
  bool may_have_run = true;
};

std::vector<BadReply> bad_replies() {
  std::vector<BadReply> out;
  const auto whole = [](int status, std::string body, std::string type) {
    return [status, body, type](const Seen&, const Exchange& exchange) {
      reply(exchange, status, body, type);
    };
  };
  const std::string html = "<h1>no</h1>";
  out.push_back({"Html", whole(200, html, "text/html"), OutcomeKind::lost, Cause::http_status});
  out.push_back({"NoBody", whole(202, "", ""), OutcomeKind::lost, Cause::http_status});
  out.push_back(
      {"TooLarge", whole(413, html, "text/html"), OutcomeKind::lost, Cause::http_status, false});
  out.push_back(
      {"ServerError", whole(500, html, "text/html"), OutcomeKind::lost, Cause::http_status});
  out.push_back(
      {"Unauthorized", whole(401, "", ""), OutcomeKind::lost, Cause::unauthorized, false});
  out.push_back(
      {"ForeignJson", whole(200, R"({"Output":1})", "application/json"), OutcomeKind::invalid});
  out.push_back({"NoJson", whole(200, "{", "application/json"), OutcomeKind::invalid});
  out.push_back({"Batch", whole(200, "[]", "application/json"), OutcomeKind::invalid});
  out.push_back({"AnotherId",
                 whole(200, R"({"jsonrpc":"2.0","id":999,"result":{}})", "application/json"),
                 OutcomeKind::invalid});
  out.push_back({"ErrorWithoutId", whole(400, error_text("null", -32602), "application/json"),
                 OutcomeKind::protocol_error, Cause::ended, false});
  out.push_back({"ErrorWithId",
                 [](const Seen& request, const Exchange& exchange) {
                   reply(exchange, 404, error_text(id_text(request.body), -32601));
                 },
                 OutcomeKind::protocol_error, Cause::ended, false});
  out.push_back({"StreamThatEnds",
                 [](const Seen&, const Exchange& exchange) {
                   open_stream(exchange, ": hello\n\n");
                   exchange->finish();
                 },
                 OutcomeKind::lost, Cause::ended});
  out.push_back({"StreamThatBreaks",
                 [](const Seen&, const Exchange& exchange) {
                   open_stream(exchange, "data: {\"jsonr");
                   exchange->drop(true);
                 },
                 OutcomeKind::lost, Cause::reset});
  out.push_back({"BrokenBeforeTheHead",
                 [](const Seen&, const Exchange& exchange) { exchange->drop(true); },
                 OutcomeKind::lost, Cause::reset});
  out.push_back({"RedirectElsewhere",
                 [](const Seen&, const Exchange& exchange) {
                   reply(exchange, 307, "", "", {{"Location", "http://evil.example/mcp"}});
                 },
                 OutcomeKind::lost, Cause::http_status, false});
  out.push_back({"RedirectLoop",
                 [](const Seen&, const Exchange& exchange) {
                   reply(exchange, 308, "", "", {{"Location", "/mcp"}});
                 },
                 OutcomeKind::lost, Cause::http_status, false});
  return out;
}

class BadReplies : public testing::TestWithParam<std::tuple<bool, std::size_t>> {};
INSTANTIATE_TEST_SUITE_P(All, BadReplies,
                         testing::Combine(testing::Bool(),
                                          testing::Range<std::size_t>(0, bad_replies().size())),
                         [](const auto& which) {
                           return std::string(bad_replies()[std::get<1>(which.param)].name) +
                                  (std::get<0>(which.param) ? "Modern" : "Legacy");
                         });

TEST_P(BadReplies, EndTheCallAtOnceWithAnOutcomeOfTheirOwn) {
  const auto [modern, index] = GetParam();
  const BadReply bad = bad_replies()[index];
  HttpBench bench(modern, calls(bad.say));
  bench.connect();
  const auto began = bench.loop->now();
  const auto outcome = bench.call("any");
  EXPECT_LT(bench.loop->now() - began, 100ms);
  ASSERT_EQ(kind_of(outcome), bad.kind) << to_text(kind_of(outcome));
  if (bad.kind != OutcomeKind::lost) return;
  EXPECT_EQ(outcome.error().loss.cause, bad.cause) << outcome.error().message;
  EXPECT_EQ(outcome.error().may_have_run(), bad.may_have_run);
  EXPECT_EQ(bench.server->count("POST", "tools/call"), index + 1 == bad_replies().size() ? 6 : 1);
}

TEST(Http, UsesTheUrlToTheLetter) {
  auto loop = runtime::SimulatedLoop::make();
  ScriptedHttp server(*loop, [](ScriptedHttp&, const Seen& request, const Exchange& exchange) {
    shake_hands(request, exchange, true);
  });
  Client client(*loop, over_http(*loop, server.url("/mcp/?key=a%20b")).value());
  ASSERT_TRUE(finish(*loop, client.connect()).has_value());
  EXPECT_EQ(server.seen.front().target, "/mcp/?key=a%20b");
}

TEST(Http, FollowsRedirectsWithinTheOriginWithEverythingKept) {
  HttpBench bench(true, calls([](const Seen& request, const Exchange& exchange) {
                    if (request.target == "/mcp") {
                      reply(exchange, 307, "", "", {{"Location", "/mcp/"}});
                    } else {
                      reply(exchange, 200, result_text(request.body, text_result("moved")));
                    }
                  }));
  bench.connect();
  EXPECT_EQ(bench.call("any")->text(), "moved");
  const Seen& last = bench.server->seen.back();
  EXPECT_EQ(last.method, "POST");
  EXPECT_EQ(last.header("mcp-name"), "any");
}

/// Every 2xx to a notification is success; the first request waits for it.
TEST(Http, TakesAnySuccessForANotification) {
  const std::vector<std::pair<int, std::string>> replies = {
      {200, "null"}, {204, ""}, {200, "ok"}, {200, ""}, {202, ""}};
  for (const auto& [status, body] : replies) {
    HttpBench bench(false, [](const Seen&, const Exchange&) {});
    bench.override_handshake = true;
    auto loop = runtime::SimulatedLoop::make();
    ScriptedHttp server(*loop, [&code = status, &text = body](ScriptedHttp&, const Seen& request,
                                                              const Exchange& exchange) {
      if (method_of(request.body) == "notifications/initialized") {
        reply(exchange, code, text, "text/plain");
      } else {
        shake_hands(request, exchange, false);
      }
    });
    Client client(*loop, over_http(*loop, server.url()).value());
    EXPECT_TRUE(finish(*loop, client.connect()).has_value()) << status << body;
  }
}

TEST(Http, SendsNoRequestBeforeInitializedIsTaken) {
  auto loop = runtime::SimulatedLoop::make();
  bool taken = false;
  bool overtaken = false;
  ScriptedHttp server(*loop, [&](ScriptedHttp&, const Seen& request, const Exchange& exchange) {
    if (method_of(request.body) == "notifications/initialized") {
      loop->call_after(2s, [&taken, exchange] {
        taken = true;
        reply(exchange, 202);
      });
    } else if (!shake_hands(request, exchange, false)) {
      overtaken = overtaken || !taken;
      reply(exchange, 200, result_text(request.body, text_result("ok")));
    }
  });
  Client client(*loop, over_http(*loop, server.url()).value());
  auto call = client.call_tool("early", {});
  auto connect = client.connect();
  connect.start();
  call.start();
  ASSERT_TRUE(wait_for(*loop, std::move(call)).has_value());
  EXPECT_FALSE(overtaken);
}

TEST(ModernHttp, CancelsByClosingTheStreamAndSendsNoNotification) {
  bool gone = false;
  Exchange kept;
  HttpBench bench(true, calls([&](const Seen&, const Exchange& exchange) {
                    kept = exchange;
                    open_stream(exchange, ": working\n\n");
                    exchange->on_gone([&gone] { gone = true; });
                  }));
  bench.connect();
  EXPECT_EQ(kind_of(bench.call("hang", CallOptions().timeout(500ms))), OutcomeKind::timeout);
  bench.pass(10ms);
  EXPECT_TRUE(gone);
  EXPECT_EQ(bench.server->count("POST", "notifications/cancelled"), 0);
}

TEST(LegacyHttp, CancelsByNotificationAndStopsWaiting) {
  Exchange kept;
  HttpBench bench(false, calls([&](const Seen& request, const Exchange& exchange) {
                    if (method_of(request.body) == "notifications/cancelled") {
                      return reply(exchange, 202);
                    }
                    kept = exchange;
                    open_stream(exchange, ": working\n\n");
                  }));
  bench.connect();
  EXPECT_EQ(kind_of(bench.call("hang", CallOptions().timeout(500ms))), OutcomeKind::timeout);
  bench.pass(10ms);
  EXPECT_EQ(bench.server->count("POST", "notifications/cancelled"), 1);
}

TEST(LegacyHttp, ResumesAStreamThatBrokeAfterTheTimeItWasTold) {
  std::optional<runtime::TimePoint> closed;
  std::optional<runtime::TimePoint> resumed;
  json::Value call;
  HttpBench bench(false, [&](const Seen& request, const Exchange& exchange) {
    if (request.method == "POST") {
      call = request.body;
      open_stream(exchange, "id: e1\nretry: 500\ndata: \n\n");
      exchange->finish();
      closed = bench.loop->now();
    } else {
      resumed = bench.loop->now();
      EXPECT_EQ(request.header("last-event-id"), "e1");
      EXPECT_EQ(request.header("mcp-session-id"), "s1");
      open_stream(exchange, event(result_text(call, text_result("resumed")), "e2"));
      exchange->finish();
    }
  });
  bench.connect();
  const auto outcome = bench.call("any");
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->text(), "resumed");
  ASSERT_TRUE(closed && resumed);
  EXPECT_GE(*resumed - *closed, 500ms);
  EXPECT_LT(*resumed - *closed, 600ms);
  bench.pass(1min);
  EXPECT_EQ(bench.server->count("GET"), 2);  // the listening one too, which got 405
}

TEST(LegacyHttp, GivesUpResumingWhereTheServerRefuses) {
  for (const int status : {400, 404, 405}) {
    HttpBench bench(false, [&](const Seen& request, const Exchange& exchange) {
      if (request.method == "GET") return reply(exchange, status);
      open_stream(exchange, "id: e1\ndata: \n\n");
      exchange->finish();
    });
    bench.connect();
    const auto outcome = bench.call("any");
    ASSERT_EQ(kind_of(outcome), OutcomeKind::lost);
    EXPECT_TRUE(outcome.error().may_have_run());
    EXPECT_NE(outcome.error().message.find(std::to_string(status)), std::string::npos);
  }
}

TEST(LegacyHttp, DoesNotResumeAStreamThatGaveItsResponse) {
  HttpBench bench(false, [](const Seen& request, const Exchange& exchange) {
    open_stream(exchange, event(result_text(request.body, text_result("ok")), "e1"));
    exchange->finish();
  });
  bench.connect();
  EXPECT_TRUE(bench.call("any").has_value());
  bench.pass(10min);
  EXPECT_EQ(bench.server->count("GET"), 1);  // the listening one
}

TEST(LegacyHttp, DoesNotReconnectOnceClosed) {
  HttpBench bench(false, [](const Seen&, const Exchange& exchange) {
    open_stream(exchange, "id: e1\nretry: 5000\ndata: \n\n");
    exchange->finish();
  });
  bench.connect();
  auto call = bench.client->call_tool("any", {});
  call.start();
  bench.pass(1s);
  finish(*bench.loop, bench.client->close());
  bench.pass(10min);
  EXPECT_EQ(bench.server->count("GET"), 1);
  EXPECT_EQ(bench.server->count("DELETE"), 1);
  EXPECT_EQ(kind_of(wait_for(*bench.loop, std::move(call))), OutcomeKind::lost);
}

class Sessions : public testing::Test {
 protected:
  /// A server that forgets sessions whenever `forgets` says so.
  std::unique_ptr<HttpBench> bench(Options options = {}) {
    auto made = std::make_unique<HttpBench>(
        false,
        [this](const Seen& request, const Exchange& exchange) {
          const std::string_view method = method_of(request.body);
          if (method == "initialize") {
            ++sessions_;
            known_ = "s" + std::to_string(sessions_);
            EXPECT_EQ(request.header("mcp-session-id"), "");
            shake_hands(request, exchange, false, known_);
          } else if (request.method == "POST" && method != "server/discover" &&
                     (forgets_ || request.header("mcp-session-id") != known_)) {
            reply(exchange, 404, error_text("null", -32001));
          } else if (!shake_hands(request, exchange, false)) {
            reply(exchange, 200, result_text(request.body, text_result("ok") + R"(,"tools":[])"));
          }
        },
        options);
    made->override_handshake = true;
    return made;
  }
  int sessions_ = 0;
  std::string known_;
  bool forgets_ = false;
};

TEST_F(Sessions, ThatAreForgottenAreRenewedOnceAndSafeRequestsRepeated) {
  const auto made = bench();
  made->connect();
  known_ = "lost";
  EXPECT_TRUE(finish(*made->loop, made->client->list_tools()).has_value());
  EXPECT_EQ(sessions_, 2);
  known_ = "lost";
  const auto call = made->call("unsafe");
  ASSERT_EQ(kind_of(call), OutcomeKind::lost);
  EXPECT_EQ(call.error().loss.cause, Cause::session);
  EXPECT_FALSE(call.error().may_have_run());
  EXPECT_EQ(sessions_, 3);
  EXPECT_TRUE(made->call("again").has_value());
  known_ = "lost";
  EXPECT_TRUE(made->call("safe", CallOptions().idempotent(true)).has_value());
}

TEST_F(Sessions, AreRenewedOnceForAllRequestsThatMissThem) {
  const auto made = bench();
  made->connect();
  known_ = "lost";
  std::vector<Task<Outcome<Answer>>> pings;
  for (int i = 0; i < 10; ++i) {
    pings.push_back(made->client->ping());
    pings.back().start();
  }
  for (auto& ping : pings) EXPECT_TRUE(wait_for(*made->loop, std::move(ping)).has_value());
  EXPECT_EQ(sessions_, 2);
}

TEST_F(Sessions, DoNotLoopWhereEveryoneIsForgottenAtOnce) {
  const auto made = bench();
  made->connect();
  forgets_ = true;
  EXPECT_EQ(kind_of(finish(*made->loop, made->client->list_tools())), OutcomeKind::lost);
  EXPECT_EQ(sessions_, 2);
}

TEST_F(Sessions, AreReportedAndNothingElseWherePolicySaysSo) {
  Options options;
  options.sessions = SessionPolicy::report;
  const auto made = bench(options);
  made->connect();
  known_ = "lost";
  const auto tools = finish(*made->loop, made->client->list_tools());
  ASSERT_EQ(kind_of(tools), OutcomeKind::lost);
  EXPECT_EQ(tools.error().loss.cause, Cause::session);
  EXPECT_EQ(sessions_, 1);
}

/// The GET stream of a session, and how often it is asked for.
int gets_within(runtime::Duration span, std::function<void(const Exchange&)> answer) {
  HttpBench bench(false, [&](const Seen& request, const Exchange& exchange) {
    if (request.method == "GET") return answer(exchange);
    shake_hands(request, exchange, false);
  });
  bench.override_handshake = true;
  bench.connect();
  bench.pass(span);
  return bench.server->count("GET");
}

TEST(GetStream, ThatIsNotOfferedIsAskedForOnce) {
  EXPECT_EQ(gets_within(10min, [](const Exchange& e) { reply(e, 405); }), 1);
  EXPECT_EQ(gets_within(10min, [](const Exchange& e) { reply(e, 400); }), 1);
  EXPECT_EQ(gets_within(10min, [](const Exchange& e) { reply(e, 200, "hi", "text/plain"); }), 1);
  EXPECT_EQ(gets_within(10min, [](const Exchange& e) { reply(e, 200, "{}"); }), 1);
}

TEST(GetStream, ThatEndsAtOnceIsNotStormed) {
  const auto ends = [](const Exchange& exchange) {
    open_stream(exchange, ": empty\n\n");
    exchange->finish();
  };
  const int soon = gets_within(3s, ends);
  EXPECT_GE(soon, 2);
  EXPECT_LE(soon, 10);
  EXPECT_LE(gets_within(60min, ends), 12);
  const auto patient = [](const Exchange& exchange) {
    open_stream(exchange, "retry: 2000\n\n");
    exchange->finish();
  };
  EXPECT_EQ(gets_within(3s, patient), 2);
}

TEST(RetryAfter, IsHonouredForWhatIsSafeAndNothingElseIsRepeated) {
  int refusals = 0;
  std::vector<runtime::TimePoint> times;
  HttpBench bench(true, [&](const Seen& request, const Exchange& exchange) {
    times.push_back(bench.loop->now());
    if (refusals-- > 0) return reply(exchange, 503, "", "", {{"Retry-After", "7"}});
    reply(exchange, 200,
          result_text(request.body, R"("tools":[],)" + text_result("ok") +
                                        R"(,"ttlMs":0,"cacheScope":"private")"));
  });
  bench.connect();
  refusals = 1;
  EXPECT_TRUE(finish(*bench.loop, bench.client->list_tools()).has_value());
  ASSERT_EQ(times.size(), 2U);
  EXPECT_GE(times[1] - times[0], 7s);
  refusals = 1;
  const auto call = bench.call("unsafe");
  ASSERT_EQ(kind_of(call), OutcomeKind::lost);
  EXPECT_EQ(call.error().loss.status, 503);
  EXPECT_FALSE(call.error().may_have_run());
}

TEST(Unreachable, IsTriedAgainWhateverTheRequestForNothingWasSent) {
  auto loop = runtime::SimulatedLoop::make();
  auto server = std::make_unique<ScriptedHttp>(
      *loop, [](ScriptedHttp&, const Seen& request, const Exchange& exchange) {
        if (!shake_hands(request, exchange, false)) reply(exchange, 200, "{}");
      });
  Witness witness;
  Options options;
  options.observer = &witness;
  options.listen_legacy = false;
  Client client(*loop, over_http(*loop, server->url()).value(), options);
  ASSERT_TRUE(finish(*loop, client.connect()).has_value());
  server.reset();
  loop->run_ready();
  const auto outcome = finish(*loop, client.call_tool("unsafe", {}));
  ASSERT_EQ(kind_of(outcome), OutcomeKind::lost);
  EXPECT_EQ(outcome.error().loss.cause, Cause::connect);
  EXPECT_FALSE(outcome.error().may_have_run());
  EXPECT_EQ(witness.count(Kind::retrying), 2);
}

/// Legacy servers that answer the probe in their own ways.
TEST(ProbeOverHttp, FallsBackOnWhateverIsNotModern) {
  const std::vector<std::tuple<int, std::string, std::string>> answers = {
      {400, "", ""},
      {400, "Unsupported protocol version", "text/plain"},
      {400, error_text("null", -32600), "application/json"},
      {404, "", ""},
      {404, "Not found", "text/html"},
      {405, "", ""},
      {406, error_text("null", -32000), "application/json"},
      {200, error_text("1", -32601), "application/json"},
      {200, "<html>", "text/html"},
  };
  for (const auto& [status, body, type] : answers) {
    HttpBench bench(false, [&code = status, &text = body, &kind = type](const Seen& request,
                                                                        const Exchange& exchange) {
      if (method_of(request.body) == "server/discover") {
        reply(exchange, code, text, kind);
      } else {
        shake_hands(request, exchange, false);
      }
    });
    bench.override_handshake = true;
    bench.connect();
  }
}

TEST(ProbeOverHttp, StaysModernByRecognisedErrorsOfStatus400) {
  for (const int code : {-32020, -32021}) {
    HttpBench bench(true, [&](const Seen& request, const Exchange& exchange) {
      reply(exchange, 400, error_text(id_text(request.body), code));
    });
    bench.override_handshake = true;
    bench.connect();
    EXPECT_EQ(bench.server->count("POST", "initialize"), 0);
  }
}

TEST(ProbeOverHttp, IsAHardErrorWhereTheServerIsBroken) {
  for (const int status : {500, 502, 503, 401, 403}) {
    HttpBench bench(true, [&](const Seen&, const Exchange& exchange) { reply(exchange, status); });
    bench.override_handshake = true;
    const auto server = finish(*bench.loop, bench.client->connect());
    EXPECT_EQ(kind_of(server), OutcomeKind::lost);
    EXPECT_EQ(bench.server->seen.size(), 1U);
  }
}

TEST(EraCache, SparesTheProbeOfAKnownLegacyOrigin) {
  auto loop = runtime::SimulatedLoop::make();
  ScriptedHttp server(*loop, [](ScriptedHttp&, const Seen& request, const Exchange& exchange) {
    shake_hands(request, exchange, false);
  });
  Options options;
  options.eras = std::make_shared<EraCache>();
  for (int i = 0; i < 3; ++i) {
    Client client(*loop, over_http(*loop, server.url()).value(), options);
    ASSERT_TRUE(finish(*loop, client.connect()).has_value());
  }
  EXPECT_EQ(server.count("POST", "server/discover"), 1);
  EXPECT_EQ(server.count("POST", "initialize"), 3);
}

/// HTTP+SSE of 2024-11-05.
TEST(OldSse, IsTheLastResort) {
  Exchange stream;
  auto loop = runtime::SimulatedLoop::make();
  ScriptedHttp server(*loop, [&](ScriptedHttp&, const Seen& request, const Exchange& exchange) {
    if (request.method == "GET") {
      stream = exchange;
      return open_stream(exchange, "event: endpoint\ndata: /messages?session=1\n\n");
    }
    if (request.target != "/messages?session=1") return reply(exchange, 405);
    reply(exchange, 202, "Accepted", "text/plain");
    const std::string_view method = method_of(request.body);
    if (method == "initialize") {
      stream->write(
          event(result_text(request.body, R"("protocolVersion":"2024-11-05","capabilities":{})")));
    } else if (method == "tools/call") {
      stream->write(event(result_text(request.body, text_result("old"))));
    } else if (method == "resources/list") {
      stream->finish();
    }
  });
  Client client(*loop, over_http(*loop, server.url("/sse")).value());
  const auto connected = finish(*loop, client.connect());
  ASSERT_TRUE(connected.has_value()) << connected.error().message;
  EXPECT_EQ(connected->revision, mcp::Revision::r2024_11_05);
  EXPECT_EQ(finish(*loop, client.call_tool("any", {}))->text(), "old");
  EXPECT_EQ(kind_of(finish(*loop, client.list_resources())), OutcomeKind::lost);
}

TEST(OldSse, IsNotFollowedToAnotherOrigin) {
  auto loop = runtime::SimulatedLoop::make();
  ScriptedHttp server(*loop, [&](ScriptedHttp&, const Seen& request, const Exchange& exchange) {
    if (request.method != "GET") return reply(exchange, 404);
    open_stream(exchange, "event: endpoint\ndata: http://evil.example/m\n\n");
    exchange->finish();
  });
  Client client(*loop, over_http(*loop, server.url("/sse")).value());
  const auto connected = finish(*loop, client.connect());
  ASSERT_EQ(kind_of(connected), OutcomeKind::lost);
  EXPECT_EQ(connected.error().loss.status, 404);
}

}  // namespace
}  // namespace squall::client::test
