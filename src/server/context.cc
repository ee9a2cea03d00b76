#include "squall/server/context.h"

#include "squall/mcp/names.h"

#include "engine_state.h"
#include "envelope.h"
#include "input.h"
#include "observe/call_watch.h"
#include "request.h"
#include "session.h"
#include "task_calls.h"

namespace squall::server {

namespace {
const json::Value& no_arguments() {
  static const json::Value value = json::Value::object();
  return value;
}
}  // namespace

const json::Value& Context::arguments() const noexcept {
  return request_.arguments != nullptr ? *request_.arguments : no_arguments();
}

std::string_view Context::text(std::string_view name) const noexcept {
  return arguments().find_string(name).value_or(std::string_view());
}

std::int64_t Context::integer(std::string_view name, std::int64_t otherwise) const noexcept {
  const json::Value* value = arguments().find(name);
  return value != nullptr ? value->as_int64().value_or(otherwise) : otherwise;
}

std::string_view Context::uri() const noexcept { return request_.uri; }

std::string_view Context::variable(std::string_view name) const noexcept {
  for (const auto& [key, value] : request_.variables) {
    if (key == name) return value;
  }
  return {};
}

mcp::Revision Context::revision() const noexcept { return request_.revision(); }
const mcp::ClientCapabilities& Context::client() const noexcept { return request_.client; }
const json::Value& Context::meta() const noexcept { return request_.meta(); }

std::string_view Context::session_id() const noexcept {
  return request_.session() != nullptr ? std::string_view(request_.session()->id)
                                       : std::string_view();
}

std::string_view Context::request_id() const noexcept { return request_.id().json(); }

std::string_view Context::principal() const noexcept { return request_.principal; }

std::optional<std::string_view> Context::header(std::string_view name) const {
  return request_.headers != nullptr ? request_.headers->header(name) : std::nullopt;
}

ServedRequest& request_of(Context& context) noexcept { return context.request_; }

void* own_context(Context& context) noexcept { return context.request_.own_context.get(); }

runtime::Loop& Context::loop() const noexcept { return request_.loop(); }
Engine& Context::engine() const noexcept { return request_.engine(); }

void Context::progress(double progress, std::optional<double> total, std::string_view message) {
  if (request_.progress_token == nullptr || !(progress > request_.last_progress)) return;
  request_.last_progress = progress;
  std::string params;
  json::Writer writer(params);
  writer.begin_object().key("progressToken").value(*request_.progress_token);
  writer.key("progress").number(progress);
  if (total) writer.key("total").number(*total);
  if (!message.empty()) writer.key("message").string(message);
  writer.end_object();
  std::string frame;
  jsonrpc::write_call(frame, {}, mcp::notification::kProgress, params);
  request_.send(frame, true);
}

void Context::log(mcp::LogLevel level, const json::Value& data, std::string_view logger) {
  std::optional<mcp::LogLevel> least = request_.log_level;
  if (!request_.supports(mcp::Feature::per_request_envelope)) {
    least =
        request_.session() != nullptr ? request_.session()->log_level.load() : mcp::LogLevel::info;
  }
  if (!least || level < *least) return;
  std::string params;
  json::Writer writer(params);
  writer.begin_object().key("level").string(mcp::to_text(level));
  if (!logger.empty()) writer.key("logger").string(logger);
  writer.key("data").value(data).end_object();
  std::string frame;
  jsonrpc::write_call(frame, {}, mcp::notification::kMessage, params);
  request_.send(frame, true);
}

const json::Value* Context::ask(std::string_view key, InputRequest question) {
  const auto it = request_.answers.find(std::string(key));
  if (it != request_.answers.end() &&
      is_usable_answer(question, it->second, request_.engine().state().forms)) {
    return &it->second;
  }
  request_.questions.emplace_back(std::string(key), std::move(question));
  return nullptr;
}

std::string_view Context::state() const noexcept { return request_.state; }
void Context::set_state(std::string state) { request_.new_state = std::move(state); }

bool Context::become_task() { return server::become_task(request_); }
void Context::set_task_message(std::string_view message) {
  server::set_task_message(request_, message);
}

void Context::note_wait(runtime::Duration waited, bool admitted) {
  if (request_.watch) request_.watch->note_wait(waited, admitted);
}

runtime::Sleep Context::sleep(runtime::Duration duration) const {
  return runtime::Sleep(request_.loop(), duration);
}

runtime::Forever Context::wait_forever() const {
  request_.waits_forever = true;
  return {};
}

void Context::around_outlet(const OutletWrapper& wrap) { request_.around_outlet(wrap); }

namespace {

/// A request to the client that is open, known to the request for as long as this lives.
class OpenCall {
 public:
  OpenCall(ServedRequest& request, std::int64_t number)
      : request_(request), number_(number), answer(request.loop()) {
    request_.expect_answer(number_, &answer);
  }
  ~OpenCall() {
    if (timer_ != runtime::TimerId::none) request_.loop().cancel(timer_);
    request_.expect_answer(number_, nullptr);
  }
  OpenCall(const OpenCall&) = delete;
  OpenCall& operator=(const OpenCall&) = delete;

  void end_after(runtime::Duration within) {
    timer_ = request_.loop().call_after(within, [this] {
      timer_ = runtime::TimerId::none;
      std::string frame;
      jsonrpc::write_call(
          frame, {}, mcp::notification::kCancelled,
          "{\"requestId\":" + std::to_string(number_) + ",\"reason\":\"no answer in time\"}");
      request_.send(frame, false);
      answer.set(ClientAnswer{ClientAnswer::Kind::timeout, {}});
    });
  }

 private:
  ServedRequest& request_;
  std::int64_t number_;
  runtime::TimerId timer_ = runtime::TimerId::none;

 public:
  runtime::OneShot<ClientAnswer> answer;
};

/// Requests to clients without a session get ids from here down: nobody can answer them.
constexpr std::int64_t kUnanswerable = -1;

}  // namespace

Task<ClientAnswer> Context::call_client(std::string method, std::string params,
                                        runtime::Duration within) {
  if (!request_.supports(mcp::Feature::server_requests)) co_return ClientAnswer{};
  const std::int64_t number = request_.session() != nullptr
                                  ? request_.session()->ask(request_.shared_from_this(), method)
                                  : kUnanswerable;
  OpenCall call(request_, number);
  std::string frame;
  jsonrpc::write_call(frame, jsonrpc::Id(number), method, params);
  request_.send(frame, false);
  call.end_after(within);
  co_return co_await call.answer;
}

bool Context::cancelled() const noexcept { return request_.cancelled(); }
void Context::release_stream() { request_.outlet().release(); }

}  // namespace squall::server
