#include "squall/transport/channel.h"

#include <functional>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace squall::transport {
namespace {

using runtime::End;

struct Listener final : MessageChannel::Receiver {
  void on_message(std::string text) override {
    messages.push_back(std::move(text));
    if (hook) hook();
  }
  void on_oversize(std::size_t bytes_seen) override {
    oversize.push_back(bytes_seen);
    if (hook) hook();
  }
  void on_end(End how) override { end = how; }
  void on_drained() override { ++drained; }

  std::vector<std::string> messages;
  std::vector<std::size_t> oversize;
  std::optional<End> end;
  int drained = 0;
  std::function<void()> hook;
};

struct Bytes final : runtime::ByteStream::Receiver {
  void on_bytes(std::string_view bytes) override {
    received += bytes;
    pieces.emplace_back(bytes);
  }
  void on_end(End how) override { end = how; }
  std::string received;
  std::vector<std::string> pieces;
  std::optional<End> end;
};

/// A line channel, and the raw far end of its stream.
struct LineBench {
  explicit LineBench(LineLimits limits = {}) {
    auto [near, far] = runtime::make_stream_pair(*loop);
    channel = make_line_channel(std::move(near), limits);
    channel->start(listener);
    peer = std::move(far);
    peer->start(heard);
  }
  void send(std::string_view bytes) {
    peer->send(bytes);
    loop->run_ready();
  }
  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  Listener listener;
  Bytes heard;
  std::unique_ptr<MessageChannel> channel;
  std::unique_ptr<runtime::ByteStream> peer;
};

using Messages = std::vector<std::string>;

TEST(LineChannel, GivesTheSameMessagesAtEveryTwoCuts) {
  const std::string_view bytes =
      "\xEF\xBB\xBF"
      "first\r\n\n\r\n\xEF\xBB\xBFsecond\nth\rird\n";
  const Messages expected = {"first", "\xEF\xBB\xBFsecond", "th\rird"};
  for (std::size_t a = 0; a <= bytes.size(); ++a) {
    for (std::size_t b = a; b <= bytes.size(); ++b) {
      LineBench bench;
      bench.send(bytes.substr(0, a));
      bench.send(bytes.substr(a, b - a));
      bench.send(bytes.substr(b));
      EXPECT_EQ(bench.listener.messages, expected) << a << " " << b;
    }
  }
}

TEST(LineChannel, SendsLines) {
  LineBench bench;
  bench.channel->send("{}");
  bench.channel->send("[1]");
  bench.channel->finish();
  bench.loop->run_ready();
  EXPECT_EQ(bench.heard.received, "{}\n[1]\n");
  EXPECT_EQ(bench.heard.end, End::finished);
}

TEST(LineChannel, RepliesToLinesThatCameTogetherLeaveTogether) {
  LineBench bench;
  bench.listener.hook = [&] { bench.channel->send(bench.listener.messages.back()); };
  bench.send("1\n2\n3\n");
  EXPECT_EQ(bench.heard.pieces, Messages({"1\n2\n3\n"}));
  bench.send("4\n5");
  EXPECT_EQ(bench.heard.pieces, Messages({"1\n2\n3\n", "4\n"}));
}

TEST(LineChannel, TheLastOfSeveralLinesNeedNotBeAnswered) {
  LineBench bench;
  bench.listener.hook = [&] {
    if (bench.listener.messages.size() == 1) bench.channel->send("only");
  };
  bench.send("1\n2\n");
  EXPECT_EQ(bench.heard.received, "only\n");
}

TEST(LineChannel, SkipsAndReportsWhatIsTooLong) {
  for (const std::size_t size : {10U, 11U, 15U, 5000U}) {
    for (const std::string_view end : {"\n", "\r\n"}) {
      const std::string line = std::string(size, 'x') + std::string(end);
      for (std::size_t cut = 0; cut <= line.size(); cut += size > 100 ? 1000 : 1) {
        LineBench bench({.line_bytes_max = 10});
        bench.send(line.substr(0, cut));
        bench.send(line.substr(cut));
        bench.send("next\n");
        EXPECT_EQ(bench.listener.messages.size(), size == 10 ? 2U : 1U) << size << " " << cut;
        EXPECT_EQ(bench.listener.oversize.size(), size == 10 ? 0U : 1U) << size << " " << cut;
        EXPECT_EQ(bench.listener.messages.back(), "next");
      }
    }
  }
}

TEST(LineChannel, TakesAnEndlessLineInLinearTime) {
  LineBench bench;
  const std::string piece(4 << 10, 'x');
  for (int i = 0; i < 25 << 10; ++i) bench.send(piece);
  bench.send("\nnext\n");
  EXPECT_EQ(bench.listener.oversize, std::vector<std::size_t>{std::size_t{100} << 20});
  EXPECT_EQ(bench.listener.messages, Messages{"next"});
}

TEST(LineChannel, TakesALastLineThatTheStreamEnds) {
  LineBench bench;
  bench.send("a\nb");
  bench.peer->finish();
  bench.loop->run_ready();
  EXPECT_EQ(bench.listener.messages, (Messages{"a", "b"}));
  EXPECT_EQ(bench.listener.end, End::finished);

  LineBench broken;
  broken.send("a\nb");
  broken.peer->reset();
  broken.loop->run_ready();
  EXPECT_EQ(broken.listener.messages, Messages{"a"});
  EXPECT_EQ(broken.listener.end, End::reset);
}

TEST(LineChannel, MayBeClosedOrDestroyedByAnyMessage) {
  for (const bool destroy : {false, true}) {
    for (const std::string_view bytes : {"a\nb\nc\n", "aaaaaaaaaaaaaaa\nb\n"}) {
      LineBench bench({.line_bytes_max = 10});
      bench.listener.hook = [&bench, destroy] {
        if (destroy) {
          bench.channel.reset();
        } else {
          bench.channel->close();
        }
      };
      bench.send(bytes.substr(0, 1));
      bench.send(bytes.substr(1));
      EXPECT_EQ(bench.listener.messages.size() + bench.listener.oversize.size(), 1U);
      EXPECT_EQ(bench.listener.end, std::nullopt);
      EXPECT_TRUE(bench.heard.end);
    }
  }
}

TEST(LineChannel, ShowsASlowReader) {
  LineBench bench;
  bench.peer->pause();
  bench.channel->send(std::string(1 << 20, 'x'));
  bench.loop->run_ready();
  EXPECT_GT(bench.channel->pending(), 0U);
  EXPECT_EQ(bench.listener.drained, 0);
  bench.peer->resume();
  bench.loop->run_ready();
  EXPECT_EQ(bench.channel->pending(), 0U);
  EXPECT_EQ(bench.listener.drained, 1);
}

struct PairBench {
  PairBench() {
    pair.first->start(first);
    pair.second->start(second);
  }
  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  ChannelPair pair = make_channel_pair(*loop);
  Listener first;
  Listener second;
};

TEST(ChannelPair, CarriesMessagesBothWaysOnTheLoop) {
  PairBench bench;
  bench.second.hook = [&bench] { bench.pair.second->send("pong"); };
  bench.pair.first->send("ping");
  EXPECT_TRUE(bench.second.messages.empty());
  EXPECT_EQ(bench.pair.first->pending(), 4U);
  bench.loop->run_ready();
  EXPECT_EQ(bench.second.messages, Messages{"ping"});
  EXPECT_EQ(bench.first.messages, Messages{"pong"});
  EXPECT_EQ(bench.pair.first->pending(), 0U);
  EXPECT_EQ(bench.first.drained, 1);
}

TEST(ChannelPair, HoldsMessagesWhilePaused) {
  PairBench bench;
  bench.pair.second->pause();
  bench.pair.first->send("a");
  bench.pair.first->send("b");
  bench.pair.first->finish();
  bench.loop->run_ready();
  EXPECT_TRUE(bench.second.messages.empty());
  bench.second.hook = [&bench] { bench.pair.second->pause(); };
  bench.pair.second->resume();
  bench.loop->run_ready();
  EXPECT_EQ(bench.second.messages, Messages{"a"});
  EXPECT_EQ(bench.second.end, std::nullopt);
  bench.second.hook = nullptr;
  bench.pair.second->resume();
  bench.loop->run_ready();
  EXPECT_EQ(bench.second.messages, (Messages{"a", "b"}));
  EXPECT_EQ(bench.second.end, End::finished);
}

TEST(ChannelPair, TellsTheOtherThatOneIsGone) {
  PairBench bench;
  bench.pair.first->send("lost");
  bench.pair.first.reset();
  bench.pair.second->send("to nobody");
  bench.loop->run_ready();
  EXPECT_TRUE(bench.second.messages.empty());
  EXPECT_EQ(bench.second.end, End::finished);
  EXPECT_EQ(bench.pair.second->pending(), 0U);
}

TEST(ChannelPair, DeliversWhatWasFinishedBeforeItWentAway) {
  PairBench bench;
  bench.pair.first->send("last words");
  bench.pair.first->finish();
  bench.pair.first.reset();
  bench.loop->run_ready();
  EXPECT_EQ(bench.second.messages, Messages{"last words"});
  EXPECT_EQ(bench.second.end, End::finished);
}

TEST(ChannelPair, MayBeDestroyedByAnyMessage) {
  PairBench bench;
  bench.second.hook = [&bench] {
    bench.pair.second.reset();
    bench.pair.first.reset();
  };
  bench.pair.first->send("a");
  bench.pair.first->send("b");
  bench.loop->run_ready();
  EXPECT_EQ(bench.second.messages, Messages{"a"});
}

}  // namespace
}  // namespace squall::transport
