#include "squall/recording/event.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch.h"

namespace squall::recording {
namespace {

using std::chrono::nanoseconds;
using testing::HasSubstr;

Event event_of(EventBody body) {
  return {.seq = 7, .at = nanoseconds(1'500'000), .body = std::move(body)};
}

/// One of each kind, with a value in every member.
std::vector<Event> samples() {
  Spawn spawn;
  spawn.process = 2;
  spawn.command = {"node", "server.mjs"};
  spawn.pid = 4321;
  Connect connect;
  connect.connection = 3;
  connect.transport = "http";
  connect.with = Party::server;
  connect.peer = "127.0.0.1";
  connect.port = 8080;
  connect.session = "7f3a";
  Message message = sample_message("{\"id\":1}");
  message.from = Party::server;
  message.http = json::Value::object({{"status", 200}});
  Considered rule{.rule = "slow",
                  .kind = "latency",
                  .layer = "message",
                  .site = R"(["call","search",3])",
                  .draw = 0xfc18bfebef898ef3u,
                  .threshold = "3/20",
                  .standing = Standing::won,
                  .why = "struck",
                  .parameters = json::Value::object({{"delay", 5932}})};
  Decision decision{.in = 4,
                    .connection = 1,
                    .process = 1,
                    .rules = {rule, Considered{}},
                    .in_flight = {2, 3},
                    .order_sensitive = true};
  Upstream upstream{.in = 4, .executed = Executed::yes, .answer = Payload("{}"), .answer_in = 5};
  Delivered delivered{.connection = 1,
                      .to = Party::server,
                      .in = 5,
                      .out = 6,
                      .delivery = Delivery::changed,
                      .rule = "stale",
                      .how = "one digit",
                      .sha256 = std::string(64, 'a'),
                      .payload = Payload("x"),
                      .drawn = nanoseconds(5)};
  Expectation expectation{.name = "outcome",
                          .expected = "success",
                          .received = "timeout",
                          .held = true,
                          .timing = true};
  Verdict verdict{.step = 1,
                  .name = "call ping",
                  .judgement = Judgement::failed,
                  .outcome = "timeout",
                  .why = "late",
                  .took = nanoseconds(9),
                  .expectations = {expectation},
                  .first_in = 1,
                  .last_in = 2};
  Exit exit{.process = 1,
            .code = -1,
            .signal = "SIGKILL",
            .last_lines = {"bye"},
            .why = "interrupted",
            .dropped = 3};
  return {event_of(spawn),    event_of(connect),   event_of(message), event_of(decision),
          event_of(upstream), event_of(delivered), event_of(verdict), event_of(exit)};
}

TEST(EventLine, SaysEverythingThatTheEventHolds) {
  for (const Event& event : samples()) {
    const std::string line = to_line(event);
    const auto read = parse_event(line);
    ASSERT_TRUE(read.has_value()) << line << "\n" << read.error().message;
    EXPECT_EQ(*read, event) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos);
  }
}

TEST(EventLine, LeavesOutWhatIsZeroOrEmpty) {
  EXPECT_EQ(to_line({.seq = 1, .at = {}, .body = Exit{}}), R"({"seq":1,"at":0,"event":"exit"})");
  const EventBody bodies[] = {Spawn{},    Connect{},   Message{}, Decision{},
                              Upstream{}, Delivered{}, Verdict{}, Exit{}};
  for (const EventBody& body : bodies) {
    const Event event{.seq = 1, .at = {}, .body = body};
    EXPECT_EQ(parse_event(to_line(event)).value(), event);
  }
}

TEST(EventLine, WritesBytesThatAreNoTextAsBase64) {
  const Event event = event_of(sample_message(std::string("\xff\x00z", 3)));
  EXPECT_THAT(to_line(event), HasSubstr(R"("base64":"/wB6")"));
  EXPECT_EQ(parse_event(to_line(event)).value(), event);
}

TEST(EventLine, IsHashedWithoutWhatDiffersFromRunToRun) {
  for (const Event& event : samples()) {
    const std::string line = to_hashed_line(event);
    for (const char* key :
         {"\"at\"", "\"pid\"", "\"port\"", "\"session\"", "\"took\"", "\"received\""}) {
      EXPECT_EQ(line.find(key), std::string::npos) << line;
    }
  }
}

struct Refused {
  const char* line;
  const char* why;
};

TEST(ParseEvent, RefusesWhatIsNotInTheFormat) {
  const Refused refused[] = {
      {"", "expected"},
      {"[]", "expected an object"},
      {R"({"seq":1,"at":0})", "/event: expected spawn"},
      {R"({"seq":1,"at":0,"event":"spwan"})", "/event: expected spawn"},
      {R"({"seq":-1,"at":0,"event":"exit"})", "/seq: expected a whole number"},
      {R"({"seq":1,"at":-1,"event":"exit"})", "/at: expected a whole number"},
      {R"({"seq":1,"at":0,"event":"exit","proces":1})", "did you mean \"process\""},
      {R"({"seq":1,"seq":1,"at":0,"event":"exit"})", "seq"},
      {R"({"seq":1,"at":0,"event":"exit","code":3000000000})", "/code"},
      {R"({"seq":1,"at":0,"event":"spawn","command":["a",1]})", "/command: expected an array"},
      {R"({"seq":1,"at":0,"event":"message","from":"proxy"})", "/from: expected one of client"},
      {R"({"seq":1,"at":0,"event":"message","payload":{"blob":"../x"}})", "/payload/blob"},
      {R"({"seq":1,"at":0,"event":"message","payload":{"text":"a","base64":"/w=="}})", "one of"},
      {R"({"seq":1,"at":0,"event":"message","payload":{"base64":"%"}})", "/payload/base64"},
      {R"({"seq":1,"at":0,"event":"message","payload":{"base64":"YQ=="}})", "stands as text"},
      {R"({"seq":1,"at":0,"event":"decision","rules":[{},{"draw":"12"}]})", "/rules/1/draw"},
  };
  for (const auto& [line, why] : refused) {
    const auto read = parse_event(line);
    ASSERT_FALSE(read.has_value()) << line;
    EXPECT_THAT(read.error().message, HasSubstr(why)) << line;
  }
}

}  // namespace
}  // namespace squall::recording
