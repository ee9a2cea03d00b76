#include "follow.h"

#include <algorithm>
#include <utility>

#include "squall/mcp/names.h"
#include "squall/runtime/sleep.h"

namespace squall::client {

namespace {

using json::Value;

constexpr std::chrono::milliseconds kPollLeast{20};
constexpr std::chrono::milliseconds kPollUsual{1'000};
constexpr std::chrono::milliseconds kPollMost{60'000};

std::chrono::milliseconds poll_interval(const Value& task) {
  const Value* const wanted = task.find("pollIntervalMs");
  const auto ms = wanted != nullptr ? wanted->as_int64() : std::nullopt;
  if (!ms) return kPollUsual;
  return std::clamp(std::chrono::milliseconds(std::min(*ms, kPollMost.count())), kPollLeast,
                    kPollMost);
}

Failure cancelled(std::string message) {
  Failure failure;
  failure.kind = OutcomeKind::cancelled;
  failure.message = std::move(message);
  return failure;
}

/// How a task that is over ended.
Outcome<Answer> end_of(const Answer& answer, std::string_view status) {
  const Value& task = answer.json();
  if (status == "completed") {
    const Value* const result = task.find("result");
    if (result != nullptr && result->is_object()) return Answer(answer, *result);
    return std::unexpected(invalid("the task is completed, and has no result"));
  }
  if (status == "failed") {
    const Value* const error = task.find("error");
    return std::unexpected(protocol_error(error != nullptr ? *error : Value()));
  }
  return std::unexpected(cancelled("the server cancelled the task"));
}

}  // namespace

/// Has the task cancelled when nobody waits for it any more.
class Follow::Guard {
 public:
  Guard(Follow& follow, std::string id) : follow_(follow), id_(std::move(id)) {}
  ~Guard() {
    if (!over && !follow_.caller_.core().over()) {
      follow_.background_.start(follow_.cancel(std::move(id_)));
    }
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  bool over = false;

 private:
  Follow& follow_;
  std::string id_;
};

Task<Outcome<Answer>> Follow::to_end(Answer created, CallOptions options) {
  runtime::Loop& loop = caller_.core().loop();
  const std::string id(created.json().find_string("taskId").value_or(""));
  if (id.empty()) co_return std::unexpected(invalid("the server made a task without a taskId"));
  const auto total = options.settings().total;
  const runtime::TimePoint last_moment = loop.now() + total;
  const auto& cancellation = options.settings().cancellation;
  options.on_progress(nullptr);
  Guard guard(*this, id);
  std::set<std::string> answered;
  Answer latest = std::move(created);
  std::string members;
  append_member(members, "taskId", id);
  for (;;) {
    const std::string status(latest.json().find_string("status").value_or(""));
    if (status == "completed" || status == "failed" || status == "cancelled") {
      guard.over = true;
      co_return end_of(latest, status);
    }
    if (status == "input_required") {
      std::optional<Failure> failed =
          co_await answer_questions(id, latest.json(), answered, options);
      if (failed) co_return std::unexpected(*std::move(failed));
    } else if (status != "working") {
      co_return std::unexpected(invalid("the task has a status that doesn't exist"));
    }
    if (total.count() > 0 && loop.now() >= last_moment) {
      Failure failure;
      failure.kind = OutcomeKind::timeout;
      failure.message = "the task is not over in time";
      co_return std::unexpected(std::move(failure));
    }
    co_await runtime::sleep(loop, poll_interval(latest.json()));
    if (cancellation && cancellation->cancelled()) {
      co_return std::unexpected(cancelled("cancelled: " + cancellation->reason()));
    }
    Request request(mcp::method::kTasksGet, members, options);
    request.name = id;
    Outcome<Answer> next = co_await caller_.perform(request);
    if (!next) co_return next;
    latest = *std::move(next);
  }
}

/// Each question is put once; an answer that the server doesn't take is not repeated.
Task<std::optional<Failure>> Follow::answer_questions(const std::string& id, const Value& task,
                                                      std::set<std::string>& answered,
                                                      const CallOptions& options) {
  static const Value kNone = Value::object();
  const Value* const questions = task.find("inputRequests");
  if (questions == nullptr) co_return std::nullopt;
  Value answers = Value::object();
  for (const json::Member& question : questions->members()) {
    if (answered.contains(std::string(question.name()))) continue;
    if (answered.size() >= caller_.core().options().limits.inputs) {
      co_return invalid("the task asks too many questions");
    }
    const std::string_view method = question.value.find_string("method").value_or("");
    const Value* const params = question.value.find("params");
    const Value& given = params != nullptr ? *params : kNone;
    HandlerResult answer = co_await inputs_.answer(method, given);
    if (!answer)
      co_return invalid("the task asks for what we can't give: " + answer.error().message);
    answered.emplace(question.name());
    answers.set(question.name(), *std::move(answer));
  }
  if (answers.size() == 0) co_return std::nullopt;
  std::string members;
  append_member(members, "taskId", id);
  append_value(members, "inputResponses", answers);
  Request request(mcp::method::kTasksUpdate, std::move(members), options);
  request.name = id;
  request.safe = false;
  Outcome<Answer> outcome = co_await caller_.perform(request);
  if (!outcome) co_return std::move(outcome).error();
  co_return std::nullopt;
}

Task<void> Follow::cancel(std::string id) {
  std::string members;
  append_member(members, "taskId", id);
  Request request(mcp::method::kTasksCancel, std::move(members), CallOptions());
  request.name = std::move(id);
  co_await caller_.perform(request);
}

}  // namespace squall::client
