#include <array>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test_support.h"

namespace squall::runtime::test {
namespace {

struct PipeEnds {
  int read = -1;
  int write = -1;
};

PipeEnds make_pipe() {
  int ends[2];
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  return {ends[0], ends[1]};
}

TEST(SystemLoop, RunsPostsOfManyThreadsInTheOrderOfEach) {
  constexpr std::size_t kThreads = 4;
  constexpr int kPosts = 5000;
  const auto loop = SystemLoop::make();
  std::array<int, kThreads> next = {};
  bool ordered = true;
  int total = 0;
  std::vector<std::thread> threads;
  loop->hold();
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kPosts; ++i) {
        loop->post([&, t, i] {
          ordered = ordered && next[t]++ == i;
          if (++total == static_cast<int>(kThreads) * kPosts) loop->release();
        });
      }
    });
  }
  loop->run();
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(ordered);
  EXPECT_EQ(total, static_cast<int>(kThreads) * kPosts);
}

TEST(SystemLoop, StopFromAnotherThreadWakesIt) {
  const auto loop = SystemLoop::make();
  loop->hold();
  std::thread other([&] { loop->stop(); });
  loop->run();
  other.join();
  loop->release();
}

TEST(SystemLoop, ADelayStartsWhenItIsAskedForAfterALongTask) {
  const auto loop = SystemLoop::make();
  TimePoint asked;
  TimePoint fired;
  loop->post([&] {
    const TimePoint busy_until = loop->now() + 20ms;
    while (loop->now() < busy_until) {
    }
    asked = loop->now();
    loop->call_after(5ms, [&] { fired = loop->now(); });
  });
  loop->run();
  EXPECT_GE(fired - asked, 5ms);
}

TEST(SystemLoop, DelaysOfUnderAMillisecondAreNotRoundedUpToOne) {
  const auto loop = SystemLoop::make();
  Duration best = 1h;
  for (int i = 0; i < 50; ++i) {
    const TimePoint start = loop->now();
    loop->call_after(200us, [&] { best = std::min(best, loop->now() - start); });
    loop->run();
  }
  EXPECT_GE(best, 200us);
  EXPECT_LT(best, 1ms);
}

TEST(SystemLoop, ListensAndConnectsByName) {
  const auto loop = SystemLoop::make();
  std::unique_ptr<ByteStream> server;
  ListenOptions options;
  options.host = "localhost";
  auto listener = loop->listen(options, [&](auto stream) { server = std::move(stream); });
  ASSERT_TRUE(listener.has_value());
  std::unique_ptr<ByteStream> client;
  loop->connect("LocalHost.", (*listener)->port(), 5s,
                [&](auto result) { client = std::move(result).value(); });
  EXPECT_TRUE(run_until(*loop, [&] { return client && server; }));
}

TEST(SystemLoop, ListensOnIpv6WhereThereIsAny) {
  const auto loop = SystemLoop::make();
  ListenOptions options;
  options.host = "::1";
  std::unique_ptr<ByteStream> server;
  auto listener = loop->listen(options, [&](auto stream) { server = std::move(stream); });
  if (!listener.has_value()) {
    EXPECT_TRUE(listener.error().message.starts_with("cannot listen on [::1]:0: "));
    return;
  }
  std::unique_ptr<ByteStream> client;
  loop->connect("[::1]", (*listener)->port(), 5s,
                [&](auto result) { client = std::move(result).value(); });
  EXPECT_TRUE(run_until(*loop, [&] { return client && server; }));
  EXPECT_TRUE(server->peer().starts_with("[::1]:"));
}

TEST(SystemLoop, TriesTheNextAddressOfANameWhenOneRefuses) {
  const auto loop = SystemLoop::make();
  ListenOptions options;
  options.host = "::1";
  std::unique_ptr<ByteStream> server;
  auto listener = loop->listen(options, [&](auto stream) { server = std::move(stream); });
  std::optional<bool> connected;
  const std::uint16_t port = listener.has_value() ? (*listener)->port() : std::uint16_t{1};
  std::unique_ptr<ByteStream> client;
  loop->connect("localhost", port, 5s, [&](auto result) {
    connected = result.has_value();
    if (result) client = *std::move(result);
  });
  EXPECT_TRUE(run_until(*loop, [&] { return connected.has_value(); }));
  EXPECT_EQ(connected, listener.has_value());
}

TEST(SystemLoop, ANameThatDoesNotExistIsAnErrorFromTheLoop) {
  const auto loop = SystemLoop::make();
  std::optional<Error> error;
  loop->connect("no-such-host.invalid", 80, 2s, [&](auto result) { error = result.error(); });
  EXPECT_FALSE(error.has_value());
  loop->run();
  ASSERT_TRUE(error.has_value());
  EXPECT_TRUE(error->message.starts_with("cannot connect to no-such-host.invalid:80: "))
      << error->message;
}

TEST(SystemLoop, MayBeDestroyedWhileANameIsResolved) {
  const auto loop = SystemLoop::make();
  loop->connect("no-such-host.invalid", 80, 2s, [](auto) { ADD_FAILURE(); });
}

TEST(SystemLoop, AConnectWithoutAnswerTimesOut) {
  // A listener whose backlog is full answers no SYN.
  const auto loop = SystemLoop::make();
  ListenOptions options;
  options.backlog = 1;
  auto listener = loop->listen(options, [](auto) {});
  ASSERT_TRUE(listener.has_value());
  (*listener)->pause();
  std::vector<std::unique_ptr<ByteStream>> clients;
  std::optional<Error> error;
  const TimePoint start = loop->now();
  for (int i = 0; i < 8; ++i) {
    loop->connect("127.0.0.1", (*listener)->port(), 50ms, [&](auto result) {
      if (result) {
        clients.push_back(*std::move(result));
      } else {
        error = result.error();
      }
    });
  }
  EXPECT_TRUE(run_until(*loop, [&] { return error.has_value(); }));
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->kind, ErrorKind::timeout);
  EXPECT_GE(loop->now() - start, 50ms);
}

TEST(SystemLoop, TwoLoopsShareAPort) {
  const auto first = SystemLoop::make();
  const auto second = SystemLoop::make();
  ListenOptions options;
  options.port_use = PortUse::first;
  auto one = first->listen(options, [](auto) {});
  ASSERT_TRUE(one.has_value());
  options.port = (*one)->port();
  options.port_use = PortUse::joins;
  EXPECT_TRUE(second->listen(options, [](auto) {}).has_value());
}

TEST(SystemLoop, APortThatIsTakenIsRefusedHoweverItIsUsed) {
  const auto loop = SystemLoop::make();
  for (const char* const host : {"127.0.0.1", "localhost", "0.0.0.0"}) {
    for (const PortUse before : {PortUse::alone, PortUse::first}) {
      ListenOptions options;
      options.host = host;
      options.port_use = before;
      auto one = loop->listen(options, [](auto) {});
      ASSERT_TRUE(one.has_value()) << host;
      options.port = (*one)->port();
      for (const PortUse after : {PortUse::alone, PortUse::first}) {
        options.port_use = after;
        const auto two = loop->listen(options, [](auto) {});
        ASSERT_FALSE(two.has_value()) << host;
        EXPECT_TRUE(two.error().message.ends_with(": address already in use"));
      }
    }
  }
}

TEST(SystemLoop, OutOfDescriptorsTheListenerRestsAndThenGoesOn) {
  const auto loop = SystemLoop::make();
  std::vector<std::unique_ptr<ByteStream>> accepted;
  std::vector<std::string> told;
  ListenOptions options;
  options.on_exhausted = [&](const std::string& why) { told.push_back(why); };
  auto listener =
      loop->listen(options, [&](auto stream) { accepted.push_back(std::move(stream)); });
  ASSERT_TRUE(listener.has_value());
  std::unique_ptr<ByteStream> client;
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  // The client takes the last descriptor, so that accepting it finds none.
  loop->connect("127.0.0.1", (*listener)->port(), 5s,
                [&](auto result) { client = std::move(result).value(); });
  const int probe = ::dup(0);
  const rlimit tight = {static_cast<rlim_t>(probe) + 1, before.rlim_max};
  ::close(probe);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
  EXPECT_TRUE(run_until(*loop, [&] { return client != nullptr; }));
  const std::clock_t cpu = std::clock();
  EXPECT_TRUE(run_until(*loop, [&, until = loop->now() + 250ms] { return loop->now() > until; }));
  const double busy = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  EXPECT_TRUE(accepted.empty());
  EXPECT_LT(busy, 0.045);
  EXPECT_EQ(told, std::vector<std::string>{"too many open files"});
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_TRUE(run_until(*loop, [&] { return accepted.size() == 1; }));
}

TEST(Adopt, ReadsARegularFileToItsEnd) {
  const auto loop = SystemLoop::make();
  char path[] = "/tmp/squall-runtime-XXXXXX";
  const int fd = ::mkstemp(path);
  ASSERT_GE(fd, 0);
  ::unlink(path);
  const std::string content(300'000, 'f');
  ASSERT_EQ(::write(fd, content.data(), content.size()), static_cast<ssize_t>(content.size()));
  ::lseek(fd, 0, SEEK_SET);
  Recorder heard;
  const auto stream = loop->adopt(fd, -1, "file");
  stream->start(heard);
  heard.bytes_hook = [&] {
    if (heard.calls > 1) return;
    stream->pause();
    loop->call_after(1ms, [&] { stream->resume(); });
  };
  loop->run();
  EXPECT_TRUE(heard.heard == content);
  EXPECT_EQ(heard.ended, End::finished);
}

TEST(Adopt, DevNullEndsAtOnce) {
  const auto loop = SystemLoop::make();
  Recorder heard;
  const auto stream = loop->adopt(::open("/dev/null", O_RDWR | O_CLOEXEC), -1, "null");
  stream->start(heard);
  loop->run();
  EXPECT_EQ(heard.ended, End::finished);
  EXPECT_EQ(heard.heard, "");
}

TEST(Adopt, APairOfPipesIsOneStreamAndFinishClosesTheWritingOne) {
  const auto loop = SystemLoop::make();
  const PipeEnds there = make_pipe();
  const PipeEnds back = make_pipe();
  const auto near = loop->adopt(back.read, there.write, "near");
  const auto far = loop->adopt(there.read, back.write, "far");
  Recorder near_heard;
  Recorder far_heard;
  near->start(near_heard);
  far->start(far_heard);
  far_heard.end_hook = [&] {
    far->send("bye");
    far->finish();
  };
  const std::string much(3 << 20, 'm');
  near->send(much);
  EXPECT_GT(near->pending(), 0U);
  near->finish();
  loop->run();
  EXPECT_TRUE(far_heard.heard == much);
  EXPECT_EQ(far_heard.ended, End::finished);
  EXPECT_EQ(near_heard.heard, "bye");
  EXPECT_EQ(near_heard.ended, End::finished);
  EXPECT_EQ(near->peer(), "near");
}

TEST(Adopt, ABrokenPipeIsAResetAfterWhatCameBefore) {
  const auto loop = SystemLoop::make();
  const PipeEnds there = make_pipe();
  const PipeEnds back = make_pipe();
  const auto stream = loop->adopt(back.read, there.write, "child");
  Recorder heard;
  ::close(there.read);
  ASSERT_EQ(::write(back.write, "last", 4), 4);
  stream->start(heard);
  stream->send("lost");
  EXPECT_FALSE(heard.ended.has_value());
  loop->run();
  EXPECT_EQ(heard.heard, "last");
  EXPECT_EQ(heard.ended, End::reset);
  ::close(back.write);
}

TEST(Adopt, SaysWhatBrokeUnlessItWasThePeer) {
  const auto loop = SystemLoop::make();
  const auto failure_of = [&](int read_fd, int write_fd) {
    Recorder heard;
    const auto stream = loop->adopt(read_fd, write_fd, "x");
    stream->start(heard);
    stream->send("x");
    loop->run();
    EXPECT_EQ(heard.ended, End::reset);
    return stream->what_broke();
  };
  const PipeEnds silent = make_pipe();
  EXPECT_EQ(failure_of(silent.read, ::open("/dev/full", O_WRONLY | O_CLOEXEC)),
            "cannot write: no space left on device");
  ::close(silent.write);
  EXPECT_EQ(
      failure_of(::open("/tmp", O_RDONLY | O_CLOEXEC), ::open("/dev/null", O_WRONLY | O_CLOEXEC)),
      "cannot read: is a directory");
  const PipeEnds in = make_pipe();
  const PipeEnds out = make_pipe();
  ::close(out.read);
  EXPECT_EQ(failure_of(in.read, out.write), "");
  ::close(in.write);
}

TEST(Adopt, GivesSharedFlagsBack) {
  const auto loop = SystemLoop::make();
  const PipeEnds ends = make_pipe();
  const int shared = ::dup(ends.read);
  Recorder heard;
  {
    const auto stream = loop->adopt(ends.read, ends.write, "terminal");
    stream->start(heard);
    EXPECT_NE(::fcntl(shared, F_GETFL) & O_NONBLOCK, 0);
  }
  EXPECT_EQ(::fcntl(shared, F_GETFL) & O_NONBLOCK, 0);
  // Nor does epoll still watch the open file behind the other descriptor.
  loop->run();
  ::close(shared);
}

TEST(Adopt, TakesASocketpair) {
  const auto loop = SystemLoop::make();
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const auto first = loop->adopt(ends[0], ends[0], "first");
  const auto second = loop->adopt(ends[1], ends[1], "second");
  Recorder first_heard;
  Recorder second_heard;
  first->start(first_heard);
  second->start(second_heard);
  second_heard.end_hook = [&] { second->close(); };
  first->send("hello");
  first->finish();
  loop->run();
  EXPECT_EQ(second_heard.heard, "hello");
  EXPECT_EQ(first_heard.ended, End::finished);
}

TEST(OnSignal, HearsEachArrivalOnTheLoopFromAnyThread) {
  const auto loop = SystemLoop::make();
  int heard = 0;
  ASSERT_TRUE(loop->on_signal(SIGUSR1,
                              [&] {
                                if (++heard == 2) loop->stop();
                              })
                  .has_value());
  loop->hold();
  std::thread other([] {
    ::raise(SIGUSR1);
    ::raise(SIGUSR1);
  });
  loop->run();
  other.join();
  loop->release();
  EXPECT_EQ(heard, 2);
}

TEST(OnSignal, TakesOneHandlerASignalAndGivesTheSignalBack) {
  const auto first = SystemLoop::make();
  struct sigaction before = {};
  ::sigaction(SIGUSR2, nullptr, &before);
  {
    const auto second = SystemLoop::make();
    ASSERT_TRUE(second->on_signal(SIGUSR2, [] {}).has_value());
    EXPECT_FALSE(first->on_signal(SIGUSR2, [] {}).has_value());
    second->run();  // a handler alone keeps nothing going
  }
  struct sigaction after = {};
  ::sigaction(SIGUSR2, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
  EXPECT_TRUE(first->on_signal(SIGUSR2, [] {}).has_value());
  EXPECT_FALSE(first->on_signal(SIGKILL, [] {}).has_value());
  EXPECT_FALSE(first->on_signal(0, [] {}).has_value());
}

}  // namespace
}  // namespace squall::runtime::test
