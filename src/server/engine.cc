#include "squall/server/engine.h"

#include <algorithm>

#include "squall/mcp/names.h"

#include "dispatch.h"
#include "engine_state.h"
#include "logging.h"
#include "request.h"
#include "session_streams.h"

namespace squall::server {

namespace {

/// Looking for sessions that are over goes through those in use, so not every request does it.
constexpr std::chrono::seconds kExpiryInterval{1};
/// What all subscriptions together keep waiting for their readers, as long as there are no more
/// than one for each such share.
constexpr std::size_t kListenBytesMax = std::size_t{64} << 20;
constexpr std::size_t kListenShareMin = std::size_t{16} << 10;

std::string_view method_of(Change change) {
  switch (change) {
    case Change::tools:
      return mcp::notification::kToolsChanged;
    case Change::prompts:
      return mcp::notification::kPromptsChanged;
    case Change::resources:
      return mcp::notification::kResourcesChanged;
    case Change::resource:
      return mcp::notification::kResourceUpdated;
  }
  return {};
}

bool wants(const Listen& listen, Change change, std::string_view uri) {
  switch (change) {
    case Change::tools:
      return listen.tools;
    case Change::prompts:
      return listen.prompts;
    case Change::resources:
      return listen.resources;
    case Change::resource:
      return listen.uris.contains(uri);
  }
  return false;
}

std::string change_frame(Change change, std::string_view uri, const std::string* subscription_id) {
  std::string params;
  if (change == Change::resource || subscription_id != nullptr) {
    json::Writer writer(params);
    writer.begin_object();
    if (change == Change::resource) writer.key("uri").string(uri);
    if (subscription_id != nullptr) {
      writer.key("_meta").begin_object();
      writer.key(mcp::meta::kSubscriptionId).raw(*subscription_id).end_object();
    }
    writer.end_object();
  }
  std::string frame;
  jsonrpc::write_call(frame, {}, method_of(change), params);
  return frame;
}

void finish_session(const Engine& engine, const std::shared_ptr<Session>& session) {
  log_session(engine, *session, "session_ended");
  session->close();
  if (session->streams) session->streams->end();
}

}  // namespace

Engine::State::State(Engine& owner, std::shared_ptr<const Pipeline> compiled, EngineOptions chosen)
    : engine(owner),
      options(chosen),
      blocking(chosen.blocking),
      tasks(chosen.tasks),
      pipeline_(std::move(compiled)) {}

std::shared_ptr<const Pipeline> Engine::State::pipeline() const {
  const std::lock_guard lock(pipeline_mutex_);
  return pipeline_;
}

std::shared_ptr<const Pipeline> Engine::State::replace_pipeline(
    std::shared_ptr<const Pipeline> pipeline) {
  const std::lock_guard lock(pipeline_mutex_);
  std::swap(pipeline_, pipeline);
  generation_.fetch_add(1, std::memory_order_release);
  return pipeline;
}

void Engine::State::end_slot(const std::string& id, std::vector<std::shared_ptr<Session>>& ended) {
  const auto it = sessions_.find(id);
  ended.push_back(std::move(it->second.session));
  by_age_.erase(it->second.age);
  sessions_.erase(it);
}

bool Engine::State::is_idle(const Session& session, runtime::TimePoint now) const {
  return !session.attached() && now - session.last_used.load() >= options.session_idle;
}

void Engine::State::expire(runtime::TimePoint now, std::vector<std::shared_ptr<Session>>& ended) {
  if (now < next_expiry_) return;
  next_expiry_ = now + kExpiryInterval;
  auto age = by_age_.end();
  while (age != by_age_.begin()) {
    const auto oldest = std::prev(age);
    const Session& session = *sessions_.find(*oldest)->second.session;
    if (session.attached()) {  // it stays, but those before it in the list may go
      age = oldest;
      continue;
    }
    if (!is_idle(session, now)) return;
    end_slot(std::string(*oldest), ended);
  }
}

bool Engine::State::make_room(std::vector<std::shared_ptr<Session>>& ended) {
  if (sessions_.size() < options.sessions_max) return true;
  for (auto age = by_age_.rbegin(); age != by_age_.rend(); ++age) {
    if (sessions_.find(*age)->second.session->attached()) continue;
    end_slot(std::string(*age), ended);
    return true;
  }
  return false;
}

std::shared_ptr<Session> Engine::State::make_session(mcp::Revision revision,
                                                     mcp::ClientCapabilities client,
                                                     runtime::TimePoint now) {
  auto session = std::make_shared<Session>(base::random_uuid(), revision, client);
  session->streams = std::make_unique<SessionStreams>(options.resume, revision);
  session->last_used = now;
  session->set_push([streams = session->streams.get()](std::string message) {
    streams->publish(SessionStreams::kStandalone, message, nullptr, false);
  });
  std::vector<std::shared_ptr<Session>> ended;
  {
    const std::lock_guard lock(mutex_);
    expire(now, ended);
    if (make_room(ended)) {
      by_age_.push_front(session->id);
      sessions_.emplace(session->id, Slot{session, by_age_.begin()});
    } else {
      session = nullptr;
    }
  }
  for (const auto& old : ended) finish_session(engine, old);
  if (session) {
    log_session(engine, *session, "session_opened");
  } else if (Log* log = log_of(engine, Severity::warning)) {
    log->write(Severity::warning, "sessions_full");
  }
  return session;
}

std::shared_ptr<Session> Engine::State::find_session(std::string_view id, runtime::TimePoint now) {
  std::vector<std::shared_ptr<Session>> ended;
  std::shared_ptr<Session> found;
  {
    const std::lock_guard lock(mutex_);
    expire(now, ended);
    const auto it = sessions_.find(id);
    if (it != sessions_.end() && is_idle(*it->second.session, now)) {
      end_slot(std::string(it->first), ended);
    } else if (it != sessions_.end()) {
      found = it->second.session;
      found->last_used = now;
      by_age_.splice(by_age_.begin(), by_age_, it->second.age);
    }
  }
  for (const auto& old : ended) finish_session(engine, old);
  return found;
}

std::optional<runtime::TimePoint> Engine::State::reclaim(runtime::TimePoint now) {
  std::vector<std::shared_ptr<Session>> ended;
  std::optional<runtime::TimePoint> next;
  {
    const std::lock_guard lock(mutex_);
    expire(now, ended);
    runtime::TimePoint used = now;
    for (auto age = by_age_.rbegin(); age != by_age_.rend() && used == now; ++age) {
      const Session& session = *sessions_.find(*age)->second.session;
      if (!session.attached()) used = session.last_used;
    }
    if (!by_age_.empty()) next = std::max(now + kExpiryInterval, used + options.session_idle);
  }
  for (const auto& old : ended) finish_session(engine, old);
  return next;
}

bool Engine::State::remove_session(std::string_view id) {
  std::shared_ptr<Session> session;
  {
    const std::lock_guard lock(mutex_);
    const auto it = sessions_.find(id);
    if (it == sessions_.end()) return false;
    session = std::move(it->second.session);
    by_age_.erase(it->second.age);
    sessions_.erase(it);
  }
  finish_session(engine, session);
  return true;
}

void Engine::State::add_channel_session(const std::shared_ptr<Session>& session) {
  const std::lock_guard lock(mutex_);
  std::erase_if(channel_sessions_, [](const auto& weak) { return weak.expired(); });
  channel_sessions_.push_back(session);
}

std::size_t Engine::State::session_count() const {
  const std::lock_guard lock(mutex_);
  return sessions_.size();
}

std::uint64_t Engine::State::add_listen(Listen listen) {
  const std::lock_guard lock(mutex_);
  if (listens_.size() >= options.listens_max) return 0;
  listens_.emplace(next_listen_, std::move(listen));
  return next_listen_++;
}

void Engine::State::remove_listen(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  listens_.erase(number);
}

std::size_t Engine::State::listen_share() const {
  const std::lock_guard lock(mutex_);
  return std::max(kListenShareMin, kListenBytesMax / std::max<std::size_t>(1, listens_.size()));
}

std::vector<std::shared_ptr<Session>> Engine::State::all_sessions() {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Session>> out;
  for (const auto& [id, slot] : sessions_) out.push_back(slot.session);
  for (const auto& weak : channel_sessions_) {
    if (auto session = weak.lock()) out.push_back(std::move(session));
  }
  return out;
}

void Engine::State::publish(Change change, std::string_view uri) {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, listen] : listens_) {
      if (!wants(listen, change, uri)) continue;
      listen.loop->post(
          [weak = listen.request, frame = change_frame(change, uri, &listen.subscription_id)] {
            if (const auto request = weak.lock()) request->send(frame, false);
          });
    }
  }
  const std::string frame = change_frame(change, uri, nullptr);
  for (const auto& session : all_sessions()) {
    if (!session->initialized) continue;
    if (change == Change::resource && !session->subscribed(uri)) continue;
    session->push(frame);
  }
}

void Engine::State::publish_task(std::string_view id, std::string_view owner,
                                 const TaskTime& time) {
  std::optional<std::string> members;
  const std::lock_guard lock(mutex_);
  for (const auto& [number, listen] : listens_) {
    if (!listen.tasks.contains(id)) continue;
    if (!members) members = tasks.describe(id, owner, true, time);
    if (!members) return;
    std::string frame;
    jsonrpc::write_call(frame, {}, mcp::notification::kTask,
                        "{" + *members + ",\"_meta\":{\"" +
                            std::string(mcp::meta::kSubscriptionId) +
                            "\":" + listen.subscription_id + "}}");
    listen.loop->post([weak = listen.request, frame = std::move(frame)] {
      if (const auto request = weak.lock()) request->send(frame, false);
    });
  }
}

void Engine::State::end_streams() {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, listen] : listens_) {
      listen.loop->post([weak = listen.request] {
        if (const auto request = weak.lock()) end_listen(*request);
      });
    }
  }
  for (const auto& session : all_sessions()) {
    if (session->streams) session->streams->end_standalone();
  }
}

Engine::Engine(std::shared_ptr<const Pipeline> pipeline, EngineOptions options)
    : state_(std::make_unique<State>(*this, std::move(pipeline), options)) {}

Engine::~Engine() = default;

std::shared_ptr<const Pipeline> Engine::pipeline() const { return state_->pipeline(); }

void Engine::serve(std::shared_ptr<const Pipeline> pipeline) {
  const std::shared_ptr<const Pipeline> before = state_->replace_pipeline(pipeline);
  if (before->tool_pages.modern != pipeline->tool_pages.modern) tools_changed();
  if (before->prompt_pages.modern != pipeline->prompt_pages.modern) prompts_changed();
  if (before->resource_pages.modern != pipeline->resource_pages.modern ||
      before->template_pages.modern != pipeline->template_pages.modern) {
    resources_changed();
  }
}

Result<void> Engine::extend(const Registry& more) {
  const std::lock_guard lock(state_->extending);
  const std::shared_ptr<const Pipeline> before = pipeline();
  Registry both = *before->source;
  SQUALL_CHECK(both.merge(more));
  SQUALL_TRY(auto compiled, both.compile(before->options));
  serve(std::move(compiled));
  return {};
}

const EngineOptions& Engine::options() const noexcept { return state_->options; }
void Engine::tools_changed() { state_->publish(Change::tools, {}); }
void Engine::prompts_changed() { state_->publish(Change::prompts, {}); }
void Engine::resources_changed() { state_->publish(Change::resources, {}); }
void Engine::resource_updated(std::string_view uri) { state_->publish(Change::resource, uri); }
std::size_t Engine::session_count() const { return state_->session_count(); }
bool Engine::end_session(std::string_view id) { return state_->remove_session(id); }
void Engine::end_streams() { state_->end_streams(); }

}  // namespace squall::server
