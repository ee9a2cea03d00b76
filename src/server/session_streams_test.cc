#include "session_streams.h"

#include <gtest/gtest.h>

#include "http_outlets.h"

namespace squall::server {
namespace {

using namespace std::chrono_literals;

/// Keeps what is written to it.
class Exchange final : public transport::HttpExchange {
 public:
  explicit Exchange(runtime::Loop& its_loop) : loop_(its_loop) {}
  void add_header(std::string_view, std::string_view) override {}
  void reply(transport::HttpReply) override {}
  void reply_json(int, std::string_view) override {}
  void open(const transport::HttpReply&, std::string_view first) override { text += first; }
  void write(std::string_view bytes) override { text += bytes; }
  void finish() override { finished = true; }
  void drop(bool) override { dropped = true; }
  [[nodiscard]] bool open_for_writing() const override { return !finished; }
  [[nodiscard]] std::size_t pending() const override { return waiting; }
  void on_gone(std::move_only_function<void()>) override {}
  void on_drained(std::move_only_function<void()>) override {}
  [[nodiscard]] runtime::Loop& loop() override { return loop_; }
  [[nodiscard]] std::string peer() const override { return "test"; }

  std::string text;
  std::size_t waiting = 0;
  bool finished = false;
  bool dropped = false;

 private:
  runtime::Loop& loop_;
};

class SessionStreamsTest : public testing::Test {
 protected:
  std::shared_ptr<Exchange> exchange() { return std::make_shared<Exchange>(*loop); }
  void say(SessionStreams& streams, std::uint64_t stream, std::string_view text,
           bool last = false) {
    streams.publish(stream, text, loop.get(), last);
    while (loop->run_ready()) {
    }
  }
  /// What is replayed of a stream from its first event on.
  std::string replay(SessionStreams& streams, std::uint64_t stream) {
    const auto again = exchange();
    if (!streams.resume(std::to_string(stream) + "-0", again, sse_head())) return "gone";
    std::string data;
    for (std::size_t at = again->text.find("data: "); at != std::string::npos;
         at = again->text.find("data: ", at + 1)) {
      data += again->text.substr(at + 6, again->text.find('\n', at) - at - 6);
    }
    return data;
  }
  const std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  ResumeOptions options{.enabled = true};
};

TEST_F(SessionStreamsTest, PrimesTheClientsThatKnowWhatItIs) {
  SessionStreams streams(options, mcp::Revision::r2025_11_25);
  const auto stream = exchange();
  EXPECT_EQ(streams.open(stream, sse_head()), 1U);
  EXPECT_EQ(stream->text, "id: 1-1\nretry: 1000\ndata: \n\n");
  SessionStreams older(options, mcp::Revision::r2025_06_18);
  const auto plain = exchange();
  EXPECT_EQ(older.open(plain, sse_head()), 1U);
  EXPECT_EQ(plain->text, "");
}

TEST_F(SessionStreamsTest, AnswersAtOnceWithAStreamThatCanBeAskedForAgain) {
  SessionStreams streams(options, mcp::Revision::r2025_11_25);
  const auto stream = exchange();
  streams.answer(stream, sse_head(), "{}");
  EXPECT_EQ(stream->text, "id: 1-1\nretry: 1000\ndata: \n\nevent: message\nid: 1-2\ndata: {}\n\n");
  EXPECT_TRUE(stream->finished);
  for (const auto& [last, expected] :
       {std::pair("1-1", "event: message\nid: 1-2\ndata: {}\n\n"), std::pair("1-2", "")}) {
    const auto again = exchange();
    ASSERT_TRUE(streams.resume(last, again, sse_head())) << last;
    EXPECT_EQ(again->text, expected);
    EXPECT_TRUE(again->finished);
  }
}

TEST_F(SessionStreamsTest, EndsForThoseWhoComeBackToAStreamWithoutAnAnswer) {
  for (const bool cut : {false, true}) {
    SessionStreams streams(options, mcp::Revision::r2025_11_25);
    const std::uint64_t stream = streams.open(exchange(), sse_head());
    if (cut) {
      streams.cut(stream, "", false);
    } else {
      streams.close(stream);
    }
    const auto again = exchange();
    ASSERT_TRUE(streams.resume("1-1", again, sse_head()));
    EXPECT_EQ(again->text, "");
    EXPECT_TRUE(again->finished);
  }
}

TEST_F(SessionStreamsTest, KeepsAtMostSoManyEvents) {
  options.events_max = 3;
  SessionStreams streams(options, mcp::Revision::r2025_06_18);
  const std::uint64_t stream = streams.open(exchange(), sse_head());
  for (const std::string_view text : {"a", "b", "c", "d"}) say(streams, stream, text);
  EXPECT_EQ(replay(streams, stream), "bcd");
}

TEST_F(SessionStreamsTest, KeepsAtMostSoManyBytes) {
  options.bytes_max = 200;
  SessionStreams streams(options, mcp::Revision::r2025_06_18);
  const std::uint64_t stream = streams.open(exchange(), sse_head());
  say(streams, stream, std::string(150, 'a'));
  say(streams, stream, "b");
  EXPECT_EQ(replay(streams, stream), "b");
  say(streams, stream, std::string(300, 'c'));
  EXPECT_EQ(replay(streams, stream), "");
}

TEST_F(SessionStreamsTest, KeepsThemForSoLong) {
  options.keep = 1s;
  SessionStreams streams(options, mcp::Revision::r2025_06_18);
  const std::uint64_t stream = streams.open(exchange(), sse_head());
  say(streams, stream, "a");
  loop->advance(900ms);
  say(streams, stream, "b");
  EXPECT_EQ(replay(streams, stream), "ab");
  loop->advance(200ms);
  say(streams, stream, "c");
  EXPECT_EQ(replay(streams, stream), "bc");
}

TEST_F(SessionStreamsTest, ForgetsAStreamThatIsDoneWithItsLastEvent) {
  options.events_max = 2;
  SessionStreams streams(options, mcp::Revision::r2025_06_18);
  const std::uint64_t first = streams.open(exchange(), sse_head());
  say(streams, first, "result", true);
  EXPECT_EQ(replay(streams, first), "result");
  const std::uint64_t second = streams.open(exchange(), sse_head());
  say(streams, second, "a");
  say(streams, second, "b");
  EXPECT_EQ(replay(streams, first), "gone");
  EXPECT_EQ(replay(streams, second), "ab");
}

TEST_F(SessionStreamsTest, ReplaysNoOtherStreamsEvents) {
  SessionStreams streams(options, mcp::Revision::r2025_06_18);
  const std::uint64_t first = streams.open(exchange(), sse_head());
  const std::uint64_t second = streams.open(exchange(), sse_head());
  say(streams, first, "a");
  say(streams, second, "b");
  say(streams, SessionStreams::kStandalone, "c");
  EXPECT_EQ(replay(streams, first), "a");
  EXPECT_EQ(replay(streams, second), "b");
  EXPECT_EQ(replay(streams, SessionStreams::kStandalone), "c");
}

TEST_F(SessionStreamsTest, GoesOnWhereAResumedStreamIs) {
  SessionStreams streams(options, mcp::Revision::r2025_06_18);
  const auto before = exchange();
  const std::uint64_t stream = streams.open(before, sse_head());
  say(streams, stream, "a");
  streams.detach(before.get());
  say(streams, stream, "b");
  const auto after = exchange();
  ASSERT_TRUE(streams.resume("1-1", after, sse_head()));
  say(streams, stream, "c", true);
  EXPECT_EQ(before->text.find("data: b"), std::string::npos);
  EXPECT_NE(after->text.find("data: b"), std::string::npos);
  EXPECT_NE(after->text.find("data: c"), std::string::npos);
  EXPECT_TRUE(after->finished);
}

TEST_F(SessionStreamsTest, RefusesEventIdsThatAreNone) {
  SessionStreams streams(options, mcp::Revision::r2025_06_18);
  for (const std::string_view id :
       {"", "1", "-", "1-", "-1", "a-b", "1-1x", "9-1", "99999999999999999999999-1"}) {
    EXPECT_FALSE(streams.resume(id, exchange(), sse_head())) << id;
  }
}

TEST_F(SessionStreamsTest, LetsGoOfAStreamOnlyWhereItCanBeResumed) {
  for (const auto& [revision, goes] : {std::pair(mcp::Revision::r2025_11_25, true),
                                       std::pair(mcp::Revision::r2025_06_18, false)}) {
    SessionStreams streams(options, revision);
    const auto stream = exchange();
    streams.release(streams.open(stream, sse_head()));
    loop->run_ready();
    EXPECT_EQ(stream->finished, goes);
  }
}

TEST_F(SessionStreamsTest, CutsAReaderThatFallsFarBehind) {
  SessionStreams streams(options, mcp::Revision::r2025_06_18);
  const auto stream = exchange();
  const std::uint64_t number = streams.open(stream, sse_head());
  stream->waiting = std::size_t{9} << 20;
  say(streams, number, "a");
  EXPECT_TRUE(stream->dropped);
  EXPECT_EQ(replay(streams, number), "a");
}

TEST_F(SessionStreamsTest, ASecondStandaloneStreamEndsTheFirst) {
  SessionStreams streams(ResumeOptions{}, mcp::Revision::r2025_11_25);
  const auto first = exchange();
  const auto second = exchange();
  streams.attach_standalone(first, sse_head());
  streams.attach_standalone(second, sse_head());
  say(streams, SessionStreams::kStandalone, "a");
  EXPECT_TRUE(first->finished);
  EXPECT_EQ(first->text, "");
  EXPECT_EQ(second->text, "event: message\ndata: a\n\n");
}

}  // namespace
}  // namespace squall::server
