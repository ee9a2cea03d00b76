#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "squall/base/result.h"

/// @file The event loop, and the only door to time, sockets and pipes. Two implementations:
/// `SystemLoop` (epoll, the machine's clock) and `SimulatedLoop` (virtual time, memory streams,
/// fixed order).

namespace squall::runtime {

using Duration = std::chrono::nanoseconds;
/// Time on the loop's clock: monotonic, from an arbitrary start.
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;

using Task0 = std::move_only_function<void()>;

/// Why a byte stream is over.
enum class End {
  finished,  ///< the peer sent its end of stream; we may still send
  reset,     ///< the connection broke or was reset; nothing more can be sent
};

/// A two-way stream of bytes: a socket, a pair of pipes, or memory. Used on its loop's thread only.
///
/// A resource: destroying it closes it. Its receiver is never called from inside `send`.
class ByteStream {
 public:
  /// What happens on the stream. Any of these calls may destroy the stream and the receiver.
  class Receiver {
   public:
    /// Bytes in a buffer of the loop's that is valid during this call only.
    virtual void on_bytes(std::string_view bytes) = 0;
    /// Called at most once; no bytes come after it.
    virtual void on_end(End end) = 0;
    /// All that was sent has left; called when `pending()` falls to 0 after having been more.
    /// After `on_end(finished)` also when it was lost, so that nobody waits for it for ever.
    virtual void on_drained() {}
    /// While paused: the peer has ended its direction, behind bytes that are still to be read.
    /// Called at most once; `on_end` follows when they have been.
    virtual void on_peer_finished() {}

   protected:
    ~Receiver() = default;
  };

  virtual ~ByteStream() = default;
  ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  /// Begins to deliver to `receiver`, which outlives the stream or its next `start`.
  virtual void start(Receiver& receiver) = 0;
  /// Stops and restarts reading, so that a slow consumer slows the peer.
  virtual void pause() = 0;
  virtual void resume() = 0;
  /// Sends `bytes` at once as far as the peer takes them, and queues a copy of the rest. Ignored
  /// after `finish` or when the stream is over.
  virtual void send(std::string_view bytes) = 0;
  /// Bytes queued and not yet taken.
  [[nodiscard]] virtual std::size_t pending() const = 0;
  /// Ends our direction once everything queued has left.
  virtual void finish() = 0;
  /// Ends both directions now; queued bytes are lost, and the receiver is not called any more.
  /// `reset` tells the peer that it broke (RST).
  virtual void close() = 0;
  virtual void reset() = 0;
  /// What broke it, such as "cannot write: no space left on device"; "" when nothing did, or when
  /// it was the peer that went away.
  [[nodiscard]] virtual std::string what_broke() const { return {}; }
  /// "127.0.0.1:54321", "pipe" ...: for logs.
  [[nodiscard]] virtual std::string peer() const = 0;
};

/// Accepts connections; destroying it stops listening.
class Listener {
 public:
  virtual ~Listener() = default;
  /// The port bound, the real one when 0 was asked for.
  [[nodiscard]] virtual std::uint16_t port() const = 0;
  /// Stops accepting and starts again, as a server does at its limit of connections.
  virtual void pause() = 0;
  virtual void resume() = 0;
};

/// Who else accepts on a port.
enum class PortUse : std::uint8_t {
  alone,
  first,  ///< nobody so far: fails when another listener has the port, and lets ours join it
  joins,  ///< the one that came first
};

struct ListenOptions {
  std::string host = "127.0.0.1";  ///< a literal address or a name
  std::uint16_t port = 0;          ///< 0: a free one
  PortUse port_use = PortUse::alone;
  int backlog = 1024;
  /// Told why when connections must wait because descriptors or memory have run out; at most once
  /// a minute while that lasts.
  std::function<void(const std::string& why)> on_exhausted{};
};

using AcceptHandler = std::move_only_function<void(std::unique_ptr<ByteStream>)>;
using ConnectHandler = std::move_only_function<void(Result<std::unique_ptr<ByteStream>>)>;

enum class TimerId : std::uint64_t { none = 0 };

/// One thread's events. All members but `post` and `stop` belong to the loop's own thread.
class Loop {
 public:
  virtual ~Loop() = default;
  Loop() = default;
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  [[nodiscard]] virtual TimePoint now() const = 0;
  /// The calendar time, for time stamps.
  [[nodiscard]] virtual std::chrono::system_clock::time_point wall_time() const = 0;
  /// Runs `task` on the loop's thread, after what is queued already. From any thread.
  virtual void post(Task0 task) = 0;
  /// Runs `task` once `delay` has passed; timers that are due run in the order of their time, then
  /// of their making. A task never runs inside `call_after`.
  virtual TimerId call_after(Duration delay, Task0 task) = 0;
  /// Forgets a timer; whether it was still to come. The task is destroyed.
  virtual bool cancel(TimerId timer) = 0;

  [[nodiscard]] virtual Result<std::unique_ptr<Listener>> listen(const ListenOptions& options,
                                                                 AcceptHandler on_accept) = 0;
  /// Connects to a literal address or a name, trying its addresses in turn until one answers.
  virtual void connect(const std::string& host, std::uint16_t port, Duration timeout,
                       ConnectHandler on_connect) = 0;

  /// Runs until `stop`, or until nothing can ever happen any more: no tasks, timers, listeners,
  /// connects, sends under way, streams being read or holds. Signal handlers don't count.
  virtual void run() = 0;
  /// Makes `run` return soon, or a later `run` at once. From any thread.
  virtual void stop() = 0;
  /// Between the two, `run` waits although nothing is due: another thread is going to post.
  virtual void hold() = 0;
  virtual void release() = 0;
};

/// The loop of the machine: epoll, CLOCK_MONOTONIC, sockets.
class SystemLoop : public Loop {
 public:
  [[nodiscard]] static std::unique_ptr<SystemLoop> make();
  /// A stream over two descriptors that the stream then owns (the same one twice is fine): pipes,
  /// terminals, sockets; regular files too, which are read in turns. -1 leaves a direction out; a
  /// stream without the reading one has no end but `reset`.
  [[nodiscard]] virtual std::unique_ptr<ByteStream> adopt(int read_fd, int write_fd,
                                                          std::string name) = 0;
  /// Calls `on_signal` on the loop for each arrival of `signal`, until the loop is destroyed. One
  /// handler a signal, process-wide; blocks the default action.
  virtual Result<void> on_signal(int signal, std::move_only_function<void()> handler) = 0;
};

/// A loop whose time is virtual: `run` jumps to the next timer when nothing else is due. Streams
/// are memory; `listen` and `connect` meet inside one SimulatedLoop. Every run of the same program
/// happens in the same order.
class SimulatedLoop : public Loop {
 public:
  /// Virtual time starts at `start` on the wall (default 2026-01-01T00:00:00Z).
  [[nodiscard]] static std::unique_ptr<SimulatedLoop> make(
      std::chrono::system_clock::time_point start = std::chrono::sys_days{std::chrono::year{2026} /
                                                                          1 / 1});
  /// Runs what is due now without moving time; whether anything ran.
  virtual bool run_ready() = 0;
  /// Runs everything that falls due within `span`, and moves time on by it.
  virtual void advance(Duration span) = 0;
};

/// Two memory streams on one loop, each sending to the other.
struct StreamPair {
  std::unique_ptr<ByteStream> first;
  std::unique_ptr<ByteStream> second;
};
[[nodiscard]] StreamPair make_stream_pair(Loop& loop);

}  // namespace squall::runtime
