#include "rounds.h"

#include <utility>

#include "squall/json/write.h"
#include "squall/runtime/sleep.h"

namespace squall::client {

namespace {

/// A server that has nothing to ask and yet isn't done is asked again, not hammered.
constexpr std::chrono::milliseconds kStatePause{250};

}  // namespace

Task<Outcome<Answer>> Rounds::perform(Request request) {
  Core& core = caller_.core();
  const std::size_t own_members = request.members.size();
  for (std::size_t round = 1;; ++round) {
    Outcome<Answer> outcome = co_await caller_.perform(request);
    if (!outcome && round < core.options().limits.rounds && consents_.can_mend(outcome.error())) {
      const auto own = request.options.settings().timeout;
      const auto patience = own.count() > 0 ? own : core.options().timeout;
      const bool gained = co_await consents_.gain(outcome.error().data, patience);
      if (gained) continue;
    }
    if (!outcome || !core.envelope().is_modern()) co_return outcome;
    const json::Value* const type = outcome->json().find("resultType");
    if (type == nullptr) {
      core.report(Report::Kind::bad_result,
                  "a result of " + request.method + " without resultType is taken as complete");
      co_return outcome;
    }
    const std::string_view kind = type->string();
    if (kind == "complete") co_return outcome;
    if (kind == "task" && core.options().capabilities.tasks) {
      co_return co_await follow_.to_end(*std::move(outcome), request.options);
    }
    if (kind != "input_required") {
      co_return std::unexpected(
          invalid("a result of the unknown type " + json::to_string(*type).substr(0, 60)));
    }
    if (round >= core.options().limits.rounds) {
      co_return std::unexpected(invalid("the server asked for input in " + std::to_string(round) +
                                        " rounds, and still has no result"));
    }
    Outcome<std::string> more = co_await gather(outcome->json());
    if (!more) co_return std::unexpected(std::move(more).error());
    request.members.resize(own_members);
    if (!request.members.empty() && !more->empty()) request.members += ',';
    request.members += *more;
  }
}

Task<Outcome<std::string>> Rounds::gather(const json::Value& result) {
  Core& core = caller_.core();
  const json::Value* const questions = result.find("inputRequests");
  const json::Value* const state = result.find("requestState");
  const std::size_t count = questions != nullptr ? questions->members().size() : 0;
  if (questions == nullptr && state == nullptr) {
    co_return std::unexpected(invalid("the server needs input, but doesn't say which"));
  }
  if (count > core.options().limits.inputs) {
    co_return std::unexpected(invalid("the server asks too many questions at once"));
  }
  std::string out;
  if (count > 0) {
    json::Value answers = json::Value::object();
    static const json::Value kNone = json::Value::object();
    for (const json::Member& question : questions->members()) {
      const std::string_view method = question.value.find_string("method").value_or("");
      const json::Value* const params = question.value.find("params");
      const json::Value& given = params != nullptr ? *params : kNone;
      HandlerResult answer = co_await inputs_.answer(method, given);
      if (!answer) {
        co_return std::unexpected(invalid("the server asks for what we can't give, " +
                                          std::string(method.substr(0, 60)) + ": " +
                                          answer.error().message));
      }
      answers.set(question.name(), *std::move(answer));
    }
    append_value(out, "inputResponses", answers);
  } else {
    co_await runtime::sleep(core.loop(), kStatePause);
  }
  if (state != nullptr) append_value(out, "requestState", *state);
  co_return out;
}

}  // namespace squall::client
