#include "request.h"

#include "squall/mcp/names.h"

#include "engine_state.h"
#include "logging.h"
#include "observe/call_watch.h"
#include "session.h"

namespace squall::server {

namespace {
const json::Value& empty_object() {
  static const json::Value value = json::Value::object();
  return value;
}
}  // namespace

ServedRequest::ServedRequest(Engine& engine, runtime::Loop& loop,
                             std::shared_ptr<const Pipeline> pipeline, Inbound inbound,
                             mcp::Revision revision, std::unique_ptr<Outlet> outlet,
                             std::shared_ptr<Session> session)
    : engine_(engine),
      loop_(loop),
      pipeline_(std::move(pipeline)),
      inbound_(std::move(inbound)),
      revision_(revision),
      outlet_(std::move(outlet)),
      session_(std::move(session)),
      context_(*this) {
  progress_token = meta().find(mcp::meta::kProgressToken);
  if (progress_token != nullptr && !progress_token->is_string() && !progress_token->is_integer()) {
    // Clients before 2026-07-28 write null for none; the envelope of later ones has been checked.
    has_bad_progress_token = !progress_token->is_null();
    progress_token = nullptr;
  }
}

ServedRequest::~ServedRequest() {
  if (charged_to_) *charged_to_ -= charged_;
  if (session_) session_->forget_questions(asked_ids);
}

const json::Value& ServedRequest::params() const noexcept {
  return inbound_.message.params != nullptr ? *inbound_.message.params : empty_object();
}

const json::Value& ServedRequest::meta() const noexcept {
  const json::Value* meta = params().find("_meta");
  return meta != nullptr && meta->is_object() ? *meta : empty_object();
}

void ServedRequest::send(std::string_view message, bool droppable) {
  if (over_) return;
  log_sent(*this, message.size());
  outlet_->send(message, droppable);
  if (droppable || !outlet_->choked(engine_.state().listen_share())) return;
  loop_.post([weak = weak_from_this()] {
    if (const auto request = weak.lock()) request->cancel();
  });
}

void ServedRequest::forget_message() {
  inbound_.message.method = {};
  inbound_.message.params = nullptr;
  inbound_.document = nullptr;
  arguments = nullptr;
  progress_token = nullptr;
  uri = {};
}

std::string ServedRequest::begin_response(std::size_t size) const {
  constexpr std::size_t kFrameBytes = 512;
  std::string response;
  response.reserve(size + id().json().size() + kFrameBytes);
  jsonrpc::begin_result(response, id());
  return response;
}

void ServedRequest::respond(std::string response) {
  if (over_) return;
  jsonrpc::end_result(response);
  log_response(*this, 0, response.size());
  if (watch) watch->finish(response.size(), loop_.now());
  over_ = true;
  outlet_->finish(200, response);
  end();
}

void ServedRequest::respond_error(int code, std::string_view message, const json::Value* data,
                                  int status) {
  if (over_) return;
  std::string response;
  jsonrpc::write_error(response, id(), code, message, data);
  log_response(*this, code, response.size());
  if (watch) {
    watch->note_protocol_error(code);
    watch->finish(response.size(), loop_.now());
  }
  over_ = true;
  outlet_->finish(status, response);
  end();
}

void ServedRequest::respond_and_go_on(std::string response, std::unique_ptr<Outlet> next) {
  if (over_) return;
  jsonrpc::end_result(response);
  log_response(*this, 0, response.size());
  progress_token = nullptr;
  log_level.reset();
  const std::unique_ptr<Outlet> caller = std::exchange(outlet_, std::move(next));
  caller->finish(200, response);
}

void ServedRequest::cancel() {
  if (over_) return;
  log_cancelled(*this);
  if (watch) {
    watch->note_ending(Ending::cancelled);
    watch->finish(0, loop_.now());
  }
  withdraw_questions();
  over_ = true;
  cancelled_ = true;
  outlet_->abandon();
  end();
}

void ServedRequest::withdraw_questions() {
  for (const std::int64_t number : asked_ids) {
    if (!session_->is_open(number)) continue;
    std::string frame;
    jsonrpc::write_call(frame, {}, mcp::notification::kCancelled,
                        "{\"requestId\":" + std::to_string(number) + "}");
    outlet_->send(frame, false);
  }
}

void ServedRequest::end() {
  if (session_) session_->forget_questions(asked_ids);
  asked_ids.clear();
  if (auto handler = std::exchange(on_over, nullptr)) handler();
  if (!self_) return;
  // We may be inside the coroutine, or inside something it called: let it go from outside.
  loop_.post([self = std::move(self_)] { self->task_ = {}; });
}

void ServedRequest::start(Task<void> task) {
  if (over_) return;
  task_ = std::move(task);
  park();
  task_.start();
  if (!over_) charge();
}

void ServedRequest::charge() {
  charged_to_ = engine_.state().waiting_bytes;
  charged_ = inbound_.document->memory();
  const std::size_t all = charged_to_->fetch_add(charged_) + charged_;
  if (all <= engine_.options().waiting_bytes_max) return;
  respond_error(jsonrpc::code::kInternalError, "the server is busy: too much is waiting already");
}

bool ServedRequest::Answers::await_ready() const noexcept { return request.answers_due == 0; }

void ServedRequest::Answers::await_suspend(std::coroutine_handle<> waiter) noexcept {
  request.answers_waiter_ = waiter;
}

void ServedRequest::expect_answer(std::int64_t number, runtime::OneShot<ClientAnswer>* waiter) {
  if (waiter != nullptr) {
    client_calls[number] = waiter;
    if (session_) asked_ids.push_back(number);
    return;
  }
  client_calls.erase(number);
  std::erase(asked_ids, number);
  if (session_) session_->forget_questions({&number, 1});
}

void ServedRequest::answer(std::int64_t number, const std::string& key, ClientAnswer answer) {
  if (over_) return;
  if (const auto it = client_calls.find(number); it != client_calls.end()) {
    it->second->set(std::move(answer));
    return;
  }
  if (answers_due == 0) return;
  if (answer.kind == ClientAnswer::Kind::result) {
    answers.insert_or_assign(key, std::move(answer.value));
  } else {
    input_failure = "the client refused \"" + key + "\"";
  }
  if (--answers_due != 0) return;
  if (const auto waiter = std::exchange(answers_waiter_, {})) waiter.resume();
}

}  // namespace squall::server
