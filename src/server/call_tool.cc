#include "squall/server/presenter.h"

#include "calls.h"
#include "drive.h"
#include "engine_state.h"
#include "invalid_arguments.h"
#include "observe/call_watch.h"
#include "task_calls.h"

namespace squall::server {

namespace {

[[gnu::cold]] void append_violations(std::string& text,
                                     const std::vector<schema::Violation>& violations) {
  for (const schema::Violation& one : violations) {
    text += "; ";
    text += one.instance.empty() ? "/" : one.instance;
    text += ": ";
    text += one.message;
  }
}

/// How a result breaks the promise of the tool's output schema.
[[gnu::cold]] std::string breach_of(const ActionEntry& tool, const ToolResult& result) {
  if (!result.structured) return "the tool gave no structured output, which its schema promises";
  std::vector<schema::Violation> violations;
  static_cast<void>(tool.output->validate(*result.structured, violations));
  std::string text = "the tool's structured output breaks its schema";
  append_violations(text, violations);
  return text;
}

bool keeps_promise(const ActionEntry& tool, const ToolResult& result) {
  if (!tool.output || result.is_error || result.is_envelope) return true;
  if (tool.promise.fits_schema) return true;
  return result.structured && tool.output->validate(*result.structured) == schema::Verdict::valid;
}

void note_result(ServedRequest& request, const ToolResult& result) {
  if (!request.watch) return;
  const json::Value* error =
      result.is_envelope && result.structured ? result.structured->find("error") : nullptr;
  request.watch->note_ending(result.is_error ? Ending::tool_error : Ending::ok,
                             error != nullptr ? error->find_string("code").value_or("") : "");
}

/// Before 2026-07-28 structured content is an object; `wrap` makes it one. `json_first`: the first
/// block is a `Content::json_text` of it.
void write(ServedRequest& request, ToolResult& result, bool wrap, bool json_first) {
  note_result(request, result);
  if (result.structured && result.content.empty()) {
    result.content.push_back(Content::json_text(*result.structured));
    json_first = true;
  }
  request.forget_message();
  std::size_t size = result.structured && json_first ? result.content.front().size() : 0;
  for (const Content& block : result.content) size += block.size();
  std::string response = request.begin_response(size);
  response += "\"content\":[";
  for (std::size_t i = 0; i < result.content.size(); ++i) {
    if (i != 0) response += ',';
    result.content[i].write(response, request.revision());
  }
  response += ']';
  if (result.structured) {
    response += wrap ? R"(,"structuredContent":{"result":)" : R"(,"structuredContent":)";
    if (json_first) {
      response += result.content.front().body();
    } else {
      json::write(response, *result.structured);
    }
    if (wrap) response += '}';
  }
  if (result.is_error) response += R"(,"isError":true)";
  write_result_end(request, result.meta, response);
  result = {};  // a large one needn't be kept beside its text
  request.respond(std::move(response));
}

/// Clients hold the structured content even of errors against the output schema, so what breaks it
/// is left out; and a warning, which promises nothing, has to be an error there.
void settle_error(const ActionEntry& action, ToolResult& result) {
  if (!action.output_is_listed || !result.structured) return;
  if (result.is_envelope) result.is_error = true;
  if (!result.is_error || action.output->validate(*result.structured) == schema::Verdict::valid) {
    return;
  }
  if (result.content.empty()) {
    result.content.push_back(Content::text(json::to_string(*result.structured)));
  }
  result.structured.reset();
}

void write_checked(ServedRequest& request, const void* entry, ToolResult& result) {
  const auto& action = *static_cast<const ActionEntry*>(entry);
  note_result(request, result);  // before its code may have to go
  settle_error(action, result);
  const bool json_first = action.promise.json_first && !result.is_error && !result.is_envelope;
  if (!keeps_promise(action, result)) {
    return request.respond_error(jsonrpc::code::kInternalError, breach_of(action, result));
  }
  const bool wrap = result.structured && !result.is_envelope &&
                    !request.supports(mcp::Feature::any_structured_output) &&
                    !(result.structured->is_object() && action.output_is_object);
  write(request, result, wrap, json_first);
}

[[gnu::cold]] void fail_call(ServedRequest& request, const ActionEntry& action,
                             const ToolError& error) {
  ToolResult failed = error.result();
  write_checked(request, &action, failed);
}

/// Before it is known which action is meant.
[[gnu::cold]] void fail_call(ServedRequest& request, const ToolEntry& tool,
                             const ToolError& error) {
  ToolResult failed = error.result();
  if (tool.output_is_listed) failed.structured.reset();
  write(request, failed, false, false);
}

Outcome<ToolResult> refused(const ToolError& error) { return error.result(); }

const ActionEntry& action_of(const Job<ToolResult>& job) {
  return *static_cast<const ActionEntry*>(job.entry);
}

/// A check's objection, or nothing.
std::optional<Outcome<ToolResult>> object(ServedRequest& request, const Job<ToolResult>& job,
                                          const Middleware& link) {
  try {
    Checked checked = link.check(request.context());
    if (checked) return std::nullopt;
    return std::move(checked).error().result();
  } catch (const ToolError& error) {
    return error.result();
  } catch (...) {  // the check is the user's code
    log_exception(request, job.target);
    return internal_error().result();
  }
}

/// Errors and questions pass a presenter by.
void present(ServedRequest& request, const Job<ToolResult>& job, const Presenter& presenter,
             Outcome<ToolResult>& outcome) {
  ToolResult* result = outcome.result();
  if (result == nullptr || result->is_error || result->is_envelope) return;
  outcome = guarded<ToolResult>(request, job, [&]() -> Outcome<ToolResult> {
    return presenter.present(request.context(), std::move(*result));
  });
}

/// The checks and the handler of an action that nothing makes wait.
Outcome<ToolResult> run_now(ServedRequest& request, const Job<ToolResult>& job) {
  const ActionEntry& action = action_of(job);
  for (const Middleware& link : action.chain) {
    if (!link.check) continue;
    if (auto objection = object(request, job, link)) return *std::move(objection);
  }
  return run_plain(request, job);
}

/// What comes behind the last round of a handler that was run by `run_now`.
void finish_now(ServedRequest& request, const Job<ToolResult>& job, Outcome<ToolResult>& outcome) {
  for (const Middleware& link : action_of(job).chain) {
    if (link.presenter) return present(request, job, *link.presenter, outcome);
  }
}

/// A walk through a chain; what `next` of its stages goes back to.
struct Walk {
  ServedRequest& request;
  const Job<ToolResult>& job;
  std::size_t end;  ///< the first link that is not this walk's
  bool inside;      ///< of the rounds: it ends at the handler
  bool skips;       ///< stages that have run in an earlier request of this call
  Task<Outcome<ToolResult>> go_on(std::size_t at) const;
  Task<Outcome<ToolResult>> enter(std::size_t at) const;
};

/// Runs stage `at` and, as its `next`, all behind it.
Task<Outcome<ToolResult>> Walk::enter(std::size_t at) const {
  struct Place {
    const Walk* walk;
    std::size_t at;
  };
  const Place behind{this, at + 1};
  const Stage::Next next = [place = &behind] { return place->walk->go_on(place->at); };
  std::optional<ToolError> refusal;
  try {
    Task<Outcome<ToolResult>> task =
        action_of(job).chain[at].stage->around(action_of(job).name, request.context(), next);
    co_return co_await std::move(task);
  } catch (const ToolError& error) {
    refusal = error;
  } catch (...) {  // the stage is the user's code
    log_exception(request, job.target);
    refusal = internal_error();
  }
  co_return refusal->result();
}

Task<Outcome<ToolResult>> Walk::go_on(std::size_t at) const {
  for (; at < end; ++at) {
    const Middleware& link = action_of(job).chain[at];
    if (link.check) {
      if (auto objection = object(request, job, link)) co_return *std::move(objection);
    } else if (link.presenter) {
      Task<Outcome<ToolResult>> task = go_on(at + 1);
      Outcome<ToolResult> outcome = co_await std::move(task);
      present(request, job, *link.presenter, outcome);
      co_return outcome;
    } else if (link.resumes || !skips) {
      Task<Outcome<ToolResult>> task = enter(at);
      co_return co_await std::move(task);
    }
  }
  Task<Outcome<ToolResult>> task =
      inside ? run_handler(request, job)
             : run_rounds(request, job, std::optional<Outcome<ToolResult>>());
  co_return co_await std::move(task);
}

Task<Outcome<ToolResult>> run_outside(ServedRequest& request, const Job<ToolResult>& job) {
  const Walk walk{request, job, action_of(job).rounds_from, false, request.resumed};
  Task<Outcome<ToolResult>> task = walk.go_on(0);
  co_return co_await std::move(task);
}

Task<Outcome<ToolResult>> run_inside(ServedRequest& request, const Job<ToolResult>& job) {
  const ActionEntry& action = action_of(job);
  const Walk walk{request, job, action.chain.size(), true, false};
  Task<Outcome<ToolResult>> task = walk.go_on(action.rounds_from);
  co_return co_await std::move(task);
}

unsigned leg_of(const ServedRequest& request) {
  if (request.supports(mcp::Feature::per_request_envelope)) {
    return static_cast<unsigned>(Leg::modern);
  }
  return static_cast<unsigned>(request.session() != nullptr ? Leg::session : Leg::stateless);
}

/// The arguments, when they are an object or absent (which stands for an empty one).
bool take_arguments(ServedRequest& request) {
  request.arguments = request.params().find("arguments");
  return request.arguments == nullptr || request.arguments->is_object();
}

/// The action that a call is for; null when it has been told that there is none.
const ActionEntry* choose(ServedRequest& request, const ToolEntry& tool) {
  if (tool.discriminator.empty()) return &tool.sole();
  const json::Value* chosen = request.context().arguments().find(tool.discriminator);
  if (chosen != nullptr && chosen->is_string()) {
    const auto found = tool.actions.find(chosen->string());
    if (found != tool.actions.end()) return &found->second;
  }
  fail_call(request, tool, unknown_action(tool, chosen));
  return nullptr;
}

void start_action(const std::shared_ptr<ServedRequest>& request, const ToolEntry& tool,
                  const ActionEntry& action) {
  Job<ToolResult> job{&action.handler, &action, tool.name, &write_checked, &refused,
                      nullptr,         nullptr, nullptr,   nullptr};
  if (action.has_stages) {
    job.run = &run_outside;
    request->keeps_state = true;
  }
  if (!action.chain.empty()) {
    job.run_now = &run_now;
    job.finish_now = &finish_now;
    if (job.run == nullptr && action.handler.coroutine) job.run = &run_outside;
    if (action.rounds_from < action.chain.size()) job.run_round = &run_inside;
  }
  start(request, job);
}

/// Answers itself where a call that must be a task cannot become one.
bool task_can_begin(ServedRequest& request) {
  if (!knows_tasks(request)) {
    refuse_without_tasks(request);
    return false;
  }
  TaskStore& tasks = request.engine().state().tasks;
  if (tasks.has_room(owner_of(request), time_of(request.loop()))) return true;
  request.respond_error(jsonrpc::code::kInternalError, "too many tasks are kept already");
  return false;
}

}  // namespace

void call_tool(const std::shared_ptr<ServedRequest>& request) {
  const std::optional<std::string_view> name = request->params().find_string("name");
  if (!name) return request->respond_error(jsonrpc::code::kInvalidParams, "name must be a string");
  if (const auto& observers = request->engine().options().observers) {
    request->watch = std::make_unique<CallWatch>(observers, *request, *name);
  }
  const ToolEntry* tool = request->pipeline().find_tool(*name);
  if (tool == nullptr || (tool->legs & leg_of(*request)) == 0) {
    // The specification makes this a protocol error; its data has the shape of all our errors.
    const ToolError error = unknown_tool(request->pipeline(), *name);
    const json::Value data = error.structured();
    if (request->watch) request->watch->note_ending(Ending::protocol_error, error.code());
    return request->respond_error(jsonrpc::code::kInvalidParams, error.message(), &data);
  }
  if (!take_arguments(*request)) {
    return request->respond_error(jsonrpc::code::kInvalidParams, "arguments must be an object");
  }
  std::optional<ToolError> refusal = make_own_context(*request);
  if (refusal && !tool->discriminator.empty()) return fail_call(*request, *tool, *refusal);
  const ActionEntry* action = choose(*request, *tool);
  if (action == nullptr) return;
  if (request->watch) request->watch->note_action(action->key);
  if (refusal) return fail_call(*request, *action, *refusal);
  const json::Value& arguments = request->context().arguments();
  const bool valid = action->input.validate(arguments) == schema::Verdict::valid;
  if (request->watch) request->watch->note_valid(valid);
  if (!valid) {
    return fail_call(*request, *action, invalid_arguments(*action, arguments));
  }
  request->may_become_task = action->tasks != TaskSupport::none;
  if (action->tasks == TaskSupport::required && !task_can_begin(*request)) return;
  start_action(request, *tool, *action);
}

}  // namespace squall::server
