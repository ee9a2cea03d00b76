#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "squall/server/log.h"
#include "squall/server/observe/observe.h"
#include "squall/server/registry.h"
#include "squall/server/state.h"
#include "squall/server/tasks.h"

namespace squall::server {

/// Which kinds of legacy traffic are served over HTTP.
enum class Legacy : std::uint8_t {
  both,       ///< sessions for those who initialize, stateless calls for those who don't
  sessions,   ///< a session is required
  stateless,  ///< no sessions: initialize is answered and forgotten
};

struct ResumeOptions {
  bool enabled = false;            ///< keep events, so that broken streams can be resumed
  std::size_t events_max = 1'000;  ///< a session
  std::size_t bytes_max = 4 << 20;
  std::chrono::milliseconds keep{300'000};
  std::chrono::milliseconds retry{1'000};  ///< told to clients as `retry:`
};

/// The threads of handlers that block.
struct BlockingOptions {
  /// 0 runs them on the loop, which waits for them: for virtual time, where order must be fixed.
  std::size_t threads = 4;
  std::size_t queue_max = 64;  ///< calls that wait for one; beyond it they fail as busy
};

struct EngineOptions {
  Legacy legacy = Legacy::both;
  bool strict = false;  ///< stdio: refuse legacy calls before the handshake
  ResumeOptions resume;
  /// The one idle for longest makes room for a new one. A session is in use while its client holds
  /// a connection to it; calls whose client has gone end with their session.
  std::size_t sessions_max = 128;
  std::chrono::milliseconds session_idle{1'800'000};
  std::size_t listens_max = 1'024;        ///< open subscriptions/listen in all
  std::size_t subscriptions_max = 1'024;  ///< resources one session or listen subscribes to
  std::size_t requests_max = 1'024;       ///< under way at once on one stdio connection or session
  /// Of messages whose requests wait for something, text and values, in all; beyond it new ones are
  /// refused.
  std::size_t waiting_bytes_max = 256 << 20;
  std::chrono::milliseconds keep_alive{15'000};  ///< between comments on a silent stream
  std::chrono::seconds state_ttl{600};           ///< of a sealed requestState
  TaskOptions tasks;
  std::shared_ptr<const Observers> observers{};  ///< of calls of tools; null: nobody
  BlockingOptions blocking{};
  /// Saved when serving ends, and whenever its `save` is called; null: nothing outlives the
  /// process.
  std::shared_ptr<ServerState> state{};
  std::shared_ptr<Log> log{};  ///< told what happens; null: nobody
};

/// A running server without its transports: what it offers, its sessions and its subscribers.
/// Shared by all loops; every member may be called from any thread.
class Engine {
 public:
  Engine(std::shared_ptr<const Pipeline> pipeline, EngineOptions options = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// What is served to requests that come now.
  [[nodiscard]] std::shared_ptr<const Pipeline> pipeline() const;
  /// Serves another pipeline from now on, at once and as a whole, and tells clients which lists
  /// have changed. Requests under way end with what they began with.
  void serve(std::shared_ptr<const Pipeline> pipeline);
  /// Adds all that `more` declares to what is served. Fails with every mistake, and then nothing
  /// has changed.
  [[nodiscard]] Result<void> extend(const Registry& more);
  [[nodiscard]] const EngineOptions& options() const noexcept;

  /// Tells every client that asked to know.
  void tools_changed();
  void prompts_changed();
  void resources_changed();
  void resource_updated(std::string_view uri);

  [[nodiscard]] std::size_t session_count() const;
  /// Ends an HTTP client's session: its id is unknown from here on, what it has under way is
  /// cancelled, its streams end. False when there is none.
  bool end_session(std::string_view id);
  /// Ends every open subscription with its final result, and every session's GET stream; the
  /// streams of calls end with their responses.
  void end_streams();

  class State;
  [[nodiscard]] State& state() noexcept { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace squall::server
