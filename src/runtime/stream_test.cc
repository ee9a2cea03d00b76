#include <algorithm>
#include <string>

#include "test_support.h"

namespace squall::runtime::test {
namespace {

/// More than any socket buffer takes at once.
constexpr std::size_t kMuch = 32 << 20;

class Stream : public OnBothLoops {
 protected:
  void SetUp() override {
    auto made = make_connection();
    client_ = std::move(made.client);
    server_ = std::move(made.server);
  }
  void start_both() {
    client_->start(client_heard_);
    server_->start(server_heard_);
  }

  Recorder client_heard_;
  Recorder server_heard_;
  std::unique_ptr<ByteStream> client_;
  std::unique_ptr<ByteStream> server_;
};

TEST_P(Stream, CarriesBytesBothWaysInOrder) {
  start_both();
  server_heard_.bytes_hook = [&] {
    if (server_heard_.heard == "one two") server_->send("three");
  };
  client_->send("one ");
  client_->send("two");
  EXPECT_TRUE(run_until([&] { return client_heard_.heard == "three"; }));
  EXPECT_EQ(server_heard_.heard, "one two");
}

TEST_P(Stream, DeliversNothingInsideSend) {
  start_both();
  client_->send("x");
  EXPECT_EQ(server_heard_.calls, 0);
  EXPECT_TRUE(run_until([&] { return server_heard_.heard == "x"; }));
}

TEST_P(Stream, KeepsBytesThatArriveBeforeStart) {
  client_->send("early");
  client_->finish();
  settle();
  server_->start(server_heard_);
  EXPECT_TRUE(run_until([&] { return server_heard_.ended.has_value(); }));
  EXPECT_EQ(server_heard_.heard, "early");
}

TEST_P(Stream, NamesItsPeer) {
  EXPECT_TRUE(client_->peer().starts_with("127.0.0.1:"));
  EXPECT_TRUE(server_->peer().starts_with("127.0.0.1:"));
  EXPECT_NE(client_->peer(), server_->peer());
}

TEST_P(Stream, FinishEndsOneDirectionOnly) {
  start_both();
  server_heard_.end_hook = [&] { server_->send("still here"); };
  client_->send("last words");
  client_->finish();
  client_->send("unheard");
  EXPECT_TRUE(run_until([&] { return client_heard_.heard == "still here"; }));
  EXPECT_EQ(server_heard_.heard, "last words");
  EXPECT_EQ(server_heard_.ended, End::finished);
  EXPECT_FALSE(client_heard_.ended.has_value());
  server_->finish();
  EXPECT_TRUE(run_until([&] { return client_heard_.ended == End::finished; }));
}

TEST_P(Stream, FinishWaitsForWhatIsQueued) {
  start_both();
  client_->send(std::string(kMuch, 'q'));
  EXPECT_GT(client_->pending(), 0U);
  client_->finish();
  EXPECT_TRUE(run_until([&] { return server_heard_.ended.has_value(); }));
  EXPECT_EQ(server_heard_.heard.size(), kMuch);
  EXPECT_EQ(server_heard_.ended, End::finished);
}

TEST_P(Stream, ASlowReaderFillsPendingAndReadingDrainsIt) {
  start_both();
  server_->pause();
  std::string sent;
  for (int i = 0; client_->pending() == 0 || sent.size() < kMuch; ++i) {
    const std::string piece(100'000, static_cast<char>('a' + i % 26));
    client_->send(piece);
    sent += piece;
  }
  settle();
  EXPECT_EQ(server_heard_.calls, 0);
  EXPECT_GT(client_->pending(), 0U);
  EXPECT_EQ(client_heard_.drained, 0);
  server_->resume();
  EXPECT_TRUE(run_until([&] { return server_heard_.heard.size() == sent.size(); }));
  EXPECT_TRUE(run_until([&] { return client_heard_.drained == 1; }));
  EXPECT_TRUE(server_heard_.heard == sent);
  EXPECT_EQ(client_->pending(), 0U);
}

TEST_P(Stream, PauseInsideOnBytesHoldsTheRestBack) {
  start_both();
  server_heard_.bytes_hook = [&] { server_->pause(); };
  client_->send("first");
  EXPECT_TRUE(run_until([&] { return server_heard_.calls == 1; }));
  client_->send("second");
  settle();
  EXPECT_EQ(server_heard_.heard, "first");
  server_->resume();
  EXPECT_TRUE(run_until([&] { return server_heard_.heard == "firstsecond"; }));
}

TEST_P(Stream, AHalfCloseIsSeenAfterResume) {
  start_both();
  server_->pause();
  client_->send("tail");
  client_->finish();
  settle();
  EXPECT_FALSE(server_heard_.ended.has_value());
  server_->resume();
  EXPECT_TRUE(run_until([&] { return server_heard_.ended == End::finished; }));
  EXPECT_EQ(server_heard_.heard, "tail");
}

TEST_P(Stream, APausedReceiverIsToldOfAnEndBehindWhatItHasNotRead) {
  start_both();
  server_->pause();
  client_->send("unread");
  settle();
  EXPECT_EQ(server_heard_.peer_finished, 0);
  client_->finish();
  EXPECT_TRUE(run_until([&] { return server_heard_.peer_finished == 1; }));
  settle();
  EXPECT_EQ(server_heard_.peer_finished, 1);
  EXPECT_FALSE(server_heard_.ended.has_value());
  server_->resume();
  EXPECT_TRUE(run_until([&] { return server_heard_.ended == End::finished; }));
  EXPECT_EQ(server_heard_.heard, "unread");
  EXPECT_EQ(server_heard_.peer_finished, 1);
}

TEST_P(Stream, APeersResetIsSeenAsReset) {
  start_both();
  client_->reset();
  EXPECT_TRUE(run_until([&] { return server_heard_.ended.has_value(); }));
  EXPECT_EQ(server_heard_.ended, End::reset);
  EXPECT_FALSE(client_heard_.ended.has_value());
}

TEST_P(Stream, AResetIsSeenWhilePaused) {
  start_both();
  server_->pause();
  client_->reset();
  EXPECT_TRUE(run_until([&] { return server_heard_.ended == End::reset; }));
}

TEST_P(Stream, BytesBeforeAResetArriveFirst) {
  start_both();
  client_->send("half a mess");
  client_->reset();
  EXPECT_TRUE(run_until([&] { return server_heard_.ended == End::reset; }));
  EXPECT_EQ(server_heard_.heard, "half a mess");
}

TEST_P(Stream, CloseIsTheEndForThePeerAndSilenceForUs) {
  start_both();
  client_->close();
  client_->close();
  client_->send("nothing");
  client_->finish();
  EXPECT_TRUE(run_until([&] { return server_heard_.ended == End::finished; }));
  EXPECT_FALSE(client_heard_.ended.has_value());
}

TEST_P(Stream, SendingToAPeerThatIsGoneEndsInReset) {
  start_both();
  client_.reset();
  EXPECT_TRUE(run_until([&] { return server_heard_.ended.has_value(); }));
  server_->send("into the void");
  server_->send("into the void");
  settle();
  EXPECT_FALSE(server_heard_.late);
}

TEST_P(Stream, AWriteErrorComesThroughTheLoopNotFromSend) {
  server_->start(server_heard_);
  server_->pause();
  client_.reset();
  settle();
  for (int i = 0; i < 5 && !server_heard_.ended; ++i) {
    server_->send("are you there?");
    settle();
  }
  EXPECT_EQ(server_heard_.ended, End::reset);
}

TEST_P(Stream, MayBeClosedInsideOnBytes) {
  start_both();
  server_heard_.bytes_hook = [&] { server_->close(); };
  client_->send("x");
  EXPECT_TRUE(run_until([&] { return client_heard_.ended.has_value(); }));
  EXPECT_FALSE(server_heard_.ended.has_value());
}

TEST_P(Stream, MayBeDestroyedInsideOnBytes) {
  start_both();
  server_heard_.bytes_hook = [&] { server_.reset(); };
  client_->send("x");
  EXPECT_TRUE(run_until([&] { return client_heard_.ended.has_value(); }));
}

TEST_P(Stream, MayBeDestroyedInsideOnEnd) {
  start_both();
  server_heard_.end_hook = [&] { server_.reset(); };
  client_->finish();
  EXPECT_TRUE(run_until([&] { return client_heard_.ended.has_value(); }));
}

TEST_P(Stream, MayBeDestroyedInsideOnDrained) {
  start_both();
  client_heard_.drained_hook = [&] { client_.reset(); };
  client_->send(std::string(kMuch, 'd'));
  EXPECT_TRUE(run_until([&] { return server_heard_.ended.has_value(); }));
  EXPECT_EQ(server_heard_.heard.size(), kMuch);
}

TEST_P(Stream, AnswersANewReceiverAfterStartAgain) {
  start_both();
  Recorder second;
  server_heard_.bytes_hook = [&] { server_->start(second); };
  client_->send("a");
  EXPECT_TRUE(run_until([&] { return server_heard_.calls == 1; }));
  client_->send("b");
  EXPECT_TRUE(run_until([&] { return second.heard == "b"; }));
  EXPECT_EQ(server_heard_.heard, "a");
  server_.reset();  // before its receiver
}

TEST_P(Stream, ABusyConnectionLeavesTimersTheirTurn) {
  start_both();
  client_heard_.drained_hook = [&] { client_->send(std::string(kMuch, 'b')); };
  server_heard_.bytes_hook = [&] { server_heard_.heard.clear(); };
  client_->send(std::string(kMuch, 'b'));
  bool fired = false;
  loop_.call_after(GetParam() == Kind::system ? Duration(20ms) : Duration(0), [&] {
    fired = true;
    loop_.stop();
  });
  loop_.run();
  EXPECT_TRUE(fired);
  EXPECT_GT(server_heard_.calls, 0);
}

TEST_P(Stream, KeepsRunGoingOnlyWhileItIsRead) {
  start_both();
  client_->pause();
  server_->pause();
  loop_.run();  // returns: nobody is heard
  client_->resume();
  server_heard_.bytes_hook = [&] { server_.reset(); };
  server_->resume();
  client_->send("x");
  loop_.run();  // returns: both have ended
  EXPECT_EQ(client_heard_.ended, End::finished);
}

TEST_P(Stream, PairsSendToEachOther) {
  StreamPair pair = make_stream_pair(loop_);
  Recorder first;
  Recorder second;
  pair.first->start(first);
  pair.second->start(second);
  pair.first->send("ping");
  second.bytes_hook = [&] { pair.second->send("pong"); };
  EXPECT_TRUE(run_until([&] { return first.heard == "pong"; }));
  pair.first->close();
  EXPECT_TRUE(run_until([&] { return second.ended == End::finished; }));
}

INSTANTIATE_TEST_SUITE_P(Loops, Stream, testing::Values(Kind::system, Kind::simulated), kind_name);

}  // namespace
}  // namespace squall::runtime::test
