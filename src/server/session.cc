#include "session.h"

#include "request.h"
#include "session_streams.h"

namespace squall::server {

Session::Session(std::string session_id, mcp::Revision negotiated, mcp::ClientCapabilities declared)
    : id(std::move(session_id)), revision(negotiated), client(declared) {}

Session::~Session() = default;

void Session::set_push(Push push) {
  const std::lock_guard lock(mutex_);
  push_ = std::move(push);
}

void Session::push(std::string message) {
  Push push;
  {
    const std::lock_guard lock(mutex_);
    push = push_;
  }
  if (push) push(std::move(message));
}

bool Session::subscribe(std::string_view uri, std::size_t limit) {
  const std::lock_guard lock(mutex_);
  if (subscriptions_.contains(uri)) return true;
  if (subscriptions_.size() >= limit) return false;
  subscriptions_.emplace(uri);
  return true;
}

void Session::unsubscribe(std::string_view uri) {
  const std::lock_guard lock(mutex_);
  if (const auto it = subscriptions_.find(uri); it != subscriptions_.end())
    subscriptions_.erase(it);
}

bool Session::subscribed(std::string_view uri) const {
  const std::lock_guard lock(mutex_);
  return subscriptions_.contains(uri);
}

bool Session::reserve(const jsonrpc::Id& request, std::size_t limit) {
  const std::lock_guard lock(mutex_);
  return !closed_ && under_way_.size() < limit && under_way_.try_emplace(request).second;
}

void Session::begin(const std::shared_ptr<ServedRequest>& request) {
  const std::lock_guard lock(mutex_);
  const auto it = under_way_.find(request->id());
  if (it == under_way_.end()) return;
  it->second = UnderWay{request, &request->loop()};
  if (!closed_) return;
  // Closed between its reservation and now.
  request->loop().post([request] { request->cancel(); });
}

void Session::end(const jsonrpc::Id& request) {
  const std::lock_guard lock(mutex_);
  under_way_.erase(request);
}

void Session::cancel(const jsonrpc::Id& request) {
  const std::lock_guard lock(mutex_);
  const auto it = under_way_.find(request);
  if (it == under_way_.end() || it->second.loop == nullptr) return;
  it->second.loop->post([weak = it->second.request] {
    if (const auto found = weak.lock()) found->cancel();
  });
}

void Session::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  for (const auto& [request_id, entry] : under_way_) {
    if (entry.loop == nullptr) continue;
    entry.loop->post([weak = entry.request] {
      if (const auto found = weak.lock()) found->cancel();
    });
  }
}

Session::Attachment::Attachment(std::shared_ptr<Session> session, runtime::Loop& loop)
    : session_(std::move(session)), loop_(&loop) {
  ++session_->attachments_;
}

Session::Attachment::~Attachment() {
  if (!session_) return;
  session_->last_used = loop_->now();
  --session_->attachments_;
}

std::int64_t Session::ask(const std::shared_ptr<ServedRequest>& request, std::string key) {
  const std::lock_guard lock(mutex_);
  const std::int64_t number = next_question_++;
  questions_.emplace(number, Question{request, &request->loop(), std::move(key)});
  return number;
}

void Session::forget_questions(std::span<const std::int64_t> ids) {
  if (ids.empty()) return;
  const std::lock_guard lock(mutex_);
  for (const std::int64_t number : ids) questions_.erase(number);
}

bool Session::is_open(std::int64_t question) const {
  const std::lock_guard lock(mutex_);
  return questions_.contains(question);
}

bool Session::deliver(const jsonrpc::Message& response) {
  const std::lock_guard lock(mutex_);
  for (auto it = questions_.begin(); it != questions_.end(); ++it) {
    if (jsonrpc::Id(it->first) != response.id) continue;
    ClientAnswer answer;
    answer.kind = response.kind == jsonrpc::MessageKind::result ? ClientAnswer::Kind::result
                                                                : ClientAnswer::Kind::error;
    answer.value = *response.outcome;
    it->second.loop->post([weak = it->second.request, number = it->first,
                           key = std::move(it->second.key),
                           answer = std::move(answer)]() mutable {
      if (const auto found = weak.lock()) found->answer(number, key, std::move(answer));
    });
    questions_.erase(it);
    return true;
  }
  return false;
}

}  // namespace squall::server
