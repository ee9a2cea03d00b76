#pragma once

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "squall/base/crypto.h"
#include "squall/server/engine.h"

#include "blocking_pool.h"
#include "form_schemas.h"
#include "pipeline.h"
#include "session.h"
#include "task_store.h"

namespace squall::server {

/// What one open subscriptions/listen wants to hear.
struct Listen {
  std::weak_ptr<ServedRequest> request;
  runtime::Loop* loop = nullptr;
  std::string subscription_id;  ///< the request's id as JSON text
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  std::set<std::string, std::less<>> uris;
  std::set<std::string, std::less<>> tasks;
};

enum class Change : std::uint8_t { tools, prompts, resources, resource };

class Engine::State {
 public:
  State(Engine& engine, std::shared_ptr<const Pipeline> pipeline, EngineOptions options);

  Engine& engine;
  const EngineOptions options;
  const base::Sealer sealer;
  BlockingPool blocking;
  FormSchemas forms;
  TaskStore tasks;

  [[nodiscard]] std::shared_ptr<const Pipeline> pipeline() const;
  /// Puts another in its place; gives the one before.
  std::shared_ptr<const Pipeline> replace_pipeline(std::shared_ptr<const Pipeline> pipeline);
  /// Grows with each replacement.
  [[nodiscard]] std::uint64_t generation() const noexcept {
    return generation_.load(std::memory_order_acquire);
  }

  /// Makes a session for an HTTP client. Null when all of `sessions_max` are busy.
  [[nodiscard]] std::shared_ptr<Session> make_session(mcp::Revision revision,
                                                      mcp::ClientCapabilities client,
                                                      runtime::TimePoint now);
  /// Finds a session that has not expired, and counts as its use.
  [[nodiscard]] std::shared_ptr<Session> find_session(std::string_view id, runtime::TimePoint now);
  /// Ends the sessions that have been idle for too long; gives when to look again, if ever.
  [[nodiscard]] std::optional<runtime::TimePoint> reclaim(runtime::TimePoint now);
  /// Ends a session: what it has under way is cancelled, its streams end. False when unknown.
  bool remove_session(std::string_view id);
  /// A session that lives as long as its connection does.
  void add_channel_session(const std::shared_ptr<Session>& session);
  [[nodiscard]] std::size_t session_count() const;

  /// 0 when there are too many.
  [[nodiscard]] std::uint64_t add_listen(Listen listen);
  void remove_listen(std::uint64_t number);
  /// The bytes that one subscription may keep waiting for its reader.
  [[nodiscard]] std::size_t listen_share() const;
  void publish(Change change, std::string_view uri);
  /// Tells those who listen to a task what it is at.
  void publish_task(std::string_view id, std::string_view owner, const TaskTime& time);
  void end_streams();

  /// Bytes of the messages of requests that wait; shared with them, who may be let go of later.
  const std::shared_ptr<std::atomic<std::size_t>> waiting_bytes =
      std::make_shared<std::atomic<std::size_t>>(0);

 private:
  struct Slot {
    std::shared_ptr<Session> session;
    std::list<std::string_view>::iterator age;
  };
  [[nodiscard]] bool is_idle(const Session& session, runtime::TimePoint now) const;
  void end_slot(const std::string& id, std::vector<std::shared_ptr<Session>>& ended);
  void expire(runtime::TimePoint now, std::vector<std::shared_ptr<Session>>& ended);
  bool make_room(std::vector<std::shared_ptr<Session>>& ended);
  std::vector<std::shared_ptr<Session>> all_sessions();

  mutable std::mutex pipeline_mutex_;
  std::shared_ptr<const Pipeline> pipeline_;  // shared with the requests under way
  std::atomic<std::uint64_t> generation_{1};

 public:
  std::mutex extending;  ///< held while one extension is made, so that none is lost

 private:
  mutable std::mutex mutex_;
  // Both by views of the ids that the sessions themselves hold: each is there once.
  std::unordered_map<std::string_view, Slot> sessions_;
  std::list<std::string_view> by_age_;  // most recently used first
  std::vector<std::weak_ptr<Session>> channel_sessions_;
  runtime::TimePoint next_expiry_{};
  std::map<std::uint64_t, Listen> listens_;
  std::uint64_t next_listen_ = 1;
};

/// What one loop serves: follows the engine's pipeline without a lock, and without sharing a count
/// of references with other loops.
class PipelineView {
 public:
  explicit PipelineView(const Engine::State& engine) : engine_(engine) {}
  [[nodiscard]] const std::shared_ptr<const Pipeline>& current() {
    if (const std::uint64_t now = engine_.generation(); now != generation_) {
      generation_ = now;
      auto held = std::make_shared<std::shared_ptr<const Pipeline>>(engine_.pipeline());
      pipeline_ = std::shared_ptr<const Pipeline>(held, held->get());
    }
    return pipeline_;
  }

 private:
  const Engine::State& engine_;
  std::uint64_t generation_ = 0;
  std::shared_ptr<const Pipeline> pipeline_;  // shared with the loop's requests
};

}  // namespace squall::server
