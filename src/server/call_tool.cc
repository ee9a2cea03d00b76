#include "squall/base/text.h"

#include "calls.h"
#include "drive.h"
#include "engine_state.h"
#include "task_calls.h"

namespace squall::server {

namespace {

Outcome<ToolResult> thrown() {
  // A tool that throws fails as a tool: the model sees it, the connection doesn't.
  return ToolResult::error("internal error: the tool failed unexpectedly");
}

/// Before 2026-07-28 structured content is an object; `wrap` makes it one.
void write_structured(const json::Value& value, bool wrap, json::Writer& writer) {
  writer.key("structuredContent");
  if (wrap) writer.begin_object().key("result");
  writer.value(value);
  if (wrap) writer.end_object();
}

void append_violations(std::string& text, const std::vector<schema::Violation>& violations) {
  for (const schema::Violation& one : violations) {
    text += "; ";
    text += one.instance.empty() ? "/" : one.instance;
    text += ": ";
    text += one.message;
  }
}

/// How a result breaks the promise of the tool's output schema, or "".
std::string broken_promise(const ToolEntry& tool, const ToolResult& result) {
  if (!tool.output || result.is_error) return {};
  if (!result.structured) return "the tool gave no structured output, which its schema promises";
  std::vector<schema::Violation> violations;
  if (tool.output->validate(*result.structured) == schema::Verdict::valid) return {};
  static_cast<void>(tool.output->validate(*result.structured, violations));
  std::string text = "the tool's structured output breaks its schema";
  append_violations(text, violations);
  return text;
}

void write(ServedRequest& request, ToolResult& result, bool wrap) {
  if (result.structured && result.content.empty()) {
    result.content.push_back(Content::text(json::to_string(*result.structured)));
  }
  request.forget_message();
  std::size_t size = 0;
  for (const Content& block : result.content) size += block.size();
  std::string response = request.begin_response(size);
  json::Writer writer(response);
  writer.key("content").begin_array();
  for (const Content& block : result.content) block.write(writer, request.revision());
  writer.end_array();
  if (result.structured) write_structured(*result.structured, wrap, writer);
  if (result.is_error) writer.key("isError").boolean(true);
  write_result_end(request, result.meta, response);
  result = {};  // a large one needn't be kept beside its text
  request.respond(std::move(response));
}

void write_checked(ServedRequest& request, const void* entry, ToolResult& result) {
  const auto& tool = *static_cast<const ToolEntry*>(entry);
  const std::string broken = broken_promise(tool, result);
  if (!broken.empty()) return request.respond_error(jsonrpc::code::kInternalError, broken);
  const bool wrap = result.structured && !request.supports(mcp::Feature::any_structured_output) &&
                    !(result.structured->is_object() && tool.output_is_object);
  write(request, result, wrap);
}

void fail_call(ServedRequest& request, const std::string& why) {
  ToolResult failed = ToolResult::error(why);
  write(request, failed, false);
}

/// Runs stage `at` and, as its `next`, all behind it down to the handler.
Task<Outcome<ToolResult>> run_stage(ServedRequest& request, const Job<ToolResult>& job,
                                    std::size_t at) {
  const auto& stages = request.engine().pipeline().stages;
  if (at == stages.size()) {
    Task<Outcome<ToolResult>> handler = run_handler(request, job);
    co_return co_await std::move(handler);
  }
  const Stage::Next next = [&request, &job, at] { return run_stage(request, job, at + 1); };
  const auto& tool = *static_cast<const ToolEntry*>(job.entry);
  try {
    Task<Outcome<ToolResult>> task = stages[at]->around(tool.name, request.context(), next);
    co_return co_await std::move(task);
  } catch (...) {
    log_exception(request, tool.name);
  }
  co_return thrown();
}

Task<Outcome<ToolResult>> run_stages(ServedRequest& request, const Job<ToolResult>& job) {
  return run_stage(request, job, 0);
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

bool valid_arguments(ServedRequest& request, const ToolEntry& tool) {
  const json::Value& arguments = request.context().arguments();
  const schema::Verdict verdict = tool.input.validate(arguments);
  if (verdict == schema::Verdict::valid) return true;
  std::string text = "invalid arguments for tool " + tool.name;
  if (verdict == schema::Verdict::limit) {
    text += ": checking them takes too long";
  } else {
    std::vector<schema::Violation> violations;
    static_cast<void>(tool.input.validate(arguments, violations));
    append_violations(text, violations);
  }
  fail_call(request, text);
  return false;
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
  const Pipeline& pipeline = request->engine().pipeline();
  const ToolEntry* tool = pipeline.find_tool(*name);
  if (tool == nullptr || (tool->legs & leg_of(*request)) == 0) {
    return request->respond_error(jsonrpc::code::kInvalidParams,
                                  "unknown tool: " + base::show_name(*name));
  }
  if (!take_arguments(*request)) {
    return request->respond_error(jsonrpc::code::kInvalidParams, "arguments must be an object");
  }
  if (!valid_arguments(*request, *tool)) return;
  request->may_become_task = tool->tasks != TaskSupport::none;
  if (tool->tasks == TaskSupport::required && !task_can_begin(*request)) return;
  const Job<ToolResult> job{&tool->handler,
                            tool,
                            tool->name,
                            &write_checked,
                            &fail_call,
                            &thrown,
                            pipeline.stages.empty() ? &run_handler<ToolResult> : &run_stages};
  start(request, job);
}

}  // namespace squall::server
