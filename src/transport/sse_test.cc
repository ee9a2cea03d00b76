#include "squall/transport/sse.h"

#include <vector>

#include <gtest/gtest.h>

namespace squall::transport {
namespace {

/// What a reader makes of `pieces`, one line an event: "type|data|id", and "-" for no data.
std::vector<std::string> read(const std::vector<std::string_view>& pieces) {
  SseReader reader;
  std::vector<std::string> events;
  for (const std::string_view piece : pieces) {
    EXPECT_TRUE(reader.feed(piece, [&events](SseReader::Event&& event) {
      events.push_back(event.type + "|" + (event.has_data ? event.data : "-") + "|" +
                       event.last_id);
    }));
  }
  return events;
}

TEST(AppendSse, WritesTheFieldsThatAreThere) {
  std::string out;
  append_sse(out, {.event = "message", .id = "7", .retry_ms = 1500, .data = "{}"});
  append_sse(out, {.event = "", .id = "", .retry_ms = {}, .data = ""});
  EXPECT_EQ(out, "event: message\nid: 7\nretry: 1500\ndata: {}\n\ndata: \n\n");
}

TEST(AppendSse, SplitsDataAtEveryKindOfLineBreak) {
  std::string out;
  append_sse(out, {.event = "", .id = "", .retry_ms = {}, .data = "a\nb\rc\r\nd\n"});
  EXPECT_EQ(out, "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n");
  EXPECT_EQ(read({out}), std::vector<std::string>{"message|a\nb\nc\nd\n|"});
}

TEST(AppendSse, LetsNoFieldBreakItsLine) {
  std::string out;
  append_sse(out, {.event = "a\ndata: x", .id = "1\r\n\r\n", .retry_ms = {}, .data = "d"});
  EXPECT_EQ(out, "event: adata: x\nid: 1\ndata: d\n\n");
}

TEST(AppendSseComment, IsNoEvent) {
  std::string out;
  append_sse_comment(out, "keep\nalive");
  EXPECT_EQ(out, ": keep\n: alive\n\n");
  EXPECT_TRUE(read({out}).empty());
}

TEST(SseReader, ReadsTheExamplesOfTheStandard) {
  EXPECT_EQ(read({"data: YHOO\ndata: +2\ndata: 10\n\n"}),
            std::vector<std::string>{"message|YHOO\n+2\n10|"});
  EXPECT_EQ(read({": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\n"
                  "data:  third event\n\n"}),
            (std::vector<std::string>{"message|first event|1", "message|second event|",
                                      "message| third event|"}));
  EXPECT_EQ(read({"data\n\ndata\ndata\n\ndata:"}),
            (std::vector<std::string>{"message||", "message|\n|"}));
  EXPECT_EQ(read({"data:test\n\ndata: test\n\n"}),
            (std::vector<std::string>{"message|test|", "message|test|"}));
}

TEST(SseReader, GivesTheSameEventsAtEveryTwoCuts) {
  const std::string_view stream =
      "\xEF\xBB\xBF"
      "event: add\rdata: 1\r\ndata:2\r\n\r\n:c\n\nid: x\r\rdata: y\n\n";
  const std::vector<std::string> events = {"add|1\n2|", "message|-|x", "message|y|x"};
  for (std::size_t a = 0; a <= stream.size(); ++a) {
    for (std::size_t b = a; b <= stream.size(); ++b) {
      EXPECT_EQ(read({stream.substr(0, a), stream.substr(a, b - a), stream.substr(b)}), events)
          << a << " " << b;
    }
  }
}

TEST(SseReader, IgnoresWhatTheStandardIgnores) {
  using std::string_literals::operator""s;
  EXPECT_EQ(read({"id: 1\nid: a\0b\nfield: x\nretry: 1x\ndata: d\n\n"s}),
            std::vector<std::string>{"message|d|1"});
  // A mark counts at the very start only.
  EXPECT_EQ(read({"data: a\n\n\xEF\xBB\xBF"
                  "data: b\n\n"}),
            std::vector<std::string>{"message|a|"});
}

TEST(SseReader, KeepsRetryWhenItIsDigits) {
  SseReader reader;
  const SseReader::OnEvent ignore = [](SseReader::Event&&) {};
  EXPECT_EQ(reader.retry_ms(), std::nullopt);
  ASSERT_TRUE(reader.feed("retry: 250\nretry: -1\nretry:\nretry: 99999999999\n", ignore));
  EXPECT_EQ(reader.retry_ms(), 250U);
}

TEST(SseReader, CountsAnIdOnceItsEventHasEnded) {
  SseReader reader;
  const SseReader::OnEvent ignore = [](SseReader::Event&&) {};
  ASSERT_TRUE(reader.feed("id: 1\ndata: a\n\nid: 2\ndata: b\n", ignore));
  EXPECT_EQ(reader.last_id(), "1");
  ASSERT_TRUE(reader.feed("\n", ignore));
  EXPECT_EQ(reader.last_id(), "2");
}

TEST(SseReader, StopsAtItsLimitInOneLineOrMany) {
  const SseReader::OnEvent ignore = [](SseReader::Event&&) {};
  const std::string line = "data: " + std::string(90, 'x') + "\n";
  SseReader fits(100);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(fits.feed(line + "\n", ignore));
  SseReader many(100);
  EXPECT_FALSE(many.feed(line + line, ignore));
  SseReader endless(100);
  bool fed = true;
  for (int i = 0; i < 200 && fed; ++i) fed = endless.feed("x", ignore);
  EXPECT_FALSE(fed);
}

}  // namespace
}  // namespace squall::transport
