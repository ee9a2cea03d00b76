#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "squall/runtime/loop.h"

/// @file What the tests of this library share.

namespace squall::runtime::test {

using namespace std::chrono_literals;

/// Writes down what it hears; hooks may do something at once.
class Recorder final : public ByteStream::Receiver {
 public:
  void on_bytes(std::string_view bytes) override {
    heard.append(bytes);
    ++calls;
    if (ended) late = true;
    call(bytes_hook);
  }
  void on_end(End how) override {
    if (ended) late = true;
    ended = how;
    call(end_hook);
  }
  void on_drained() override {
    ++drained;
    call(drained_hook);
  }

  void on_peer_finished() override { ++peer_finished; }

  // A copy is called, for a hook may replace itself.
  static void call(std::function<void()> hook) {
    if (hook) hook();
  }

  std::string heard;
  std::optional<End> ended;
  int calls = 0;
  int drained = 0;
  int peer_finished = 0;
  bool late = false;  // something came after the end
  std::function<void()> bytes_hook;
  std::function<void()> end_hook;
  std::function<void()> drained_hook;
};

/// Runs the loop until `done`, looking every little while of the loop's time; false after 10 s.
inline bool run_until(Loop& loop, const std::function<bool()>& done) {
  const TimePoint deadline = loop.now() + 10s;
  std::function<void()> look = [&] {
    if (done() || loop.now() > deadline) return loop.stop();
    loop.call_after(200us, [&look] { look(); });
  };
  loop.call_after(0ns, [&look] { look(); });
  loop.run();
  return done();
}

enum class Kind { system, simulated };

inline std::unique_ptr<Loop> make_loop(Kind kind) {
  if (kind == Kind::system) return SystemLoop::make();
  return SimulatedLoop::make();
}

inline std::string kind_name(const testing::TestParamInfo<Kind>& info) {
  return info.param == Kind::system ? "System" : "Simulated";
}

/// A test that has to hold for both loops.
class OnBothLoops : public testing::TestWithParam<Kind> {
 protected:
  std::unique_ptr<Loop> owner_ = make_loop(GetParam());
  Loop& loop_ = *owner_;

  bool run_until(const std::function<bool()>& done) { return test::run_until(loop_, done); }

  /// Lets 5 ms of the loop's time pass: enough for anything under way on loopback to arrive.
  void settle() {
    EXPECT_TRUE(run_until([&, until = loop_.now() + 5ms] { return loop_.now() > until; }));
  }

  /// A connection through listen and connect; `server` is the accepted end.
  struct Connection {
    std::unique_ptr<ByteStream> client;
    std::unique_ptr<ByteStream> server;
  };
  Connection make_connection() {
    Connection made;
    auto listener = loop_.listen({}, [&](auto stream) { made.server = std::move(stream); });
    EXPECT_TRUE(listener.has_value());
    loop_.connect("127.0.0.1", (*listener)->port(), 5s, [&](auto result) {
      EXPECT_TRUE(result.has_value());
      if (result) made.client = *std::move(result);
    });
    EXPECT_TRUE(run_until([&] { return made.client && made.server; }));
    return made;
  }
};

}  // namespace squall::runtime::test
