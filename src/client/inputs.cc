#include "inputs.h"

#include <utility>

#include "squall/json/write.h"
#include "squall/mcp/names.h"
#include "squall/schema/schema.h"

namespace squall::client {

namespace {

using json::Value;
namespace code = jsonrpc::code;

HandlerResult refusal(int number, std::string why) {
  return std::unexpected(RpcError{number, std::move(why)});
}

std::string_view to_text(ElicitAnswer::Action action) {
  switch (action) {
    case ElicitAnswer::Action::accept:
      return "accept";
    case ElicitAnswer::Action::decline:
      return "decline";
    case ElicitAnswer::Action::cancel:
      return "cancel";
  }
  return "cancel";
}

/// What of a form's content its schema refuses, without the values; "" when it fits. A schema that
/// is none judges nothing.
std::string misfit(const Value& schema, const Value& content) {
  const auto compiled = schema::Schema::compile(schema);
  if (!compiled) return {};
  std::vector<schema::Violation> violations;
  if (compiled->validate(content, violations) != schema::Verdict::invalid) return {};
  std::string out;
  for (const schema::Violation& violation : violations) {
    out += (out.empty() ? "" : ", ") + violation.instance + " by " + violation.keyword;
  }
  return out;
}

}  // namespace

Task<HandlerResult> Inputs::answer(std::string_view method, const json::Value& params) {
  const mcp::ClientCapabilities& can = core_.options().capabilities;
  if (method == mcp::method::kElicit) co_return co_await elicit(params);
  if (method == mcp::method::kSample && can.sampling) co_return co_await sample(params);
  if (method == mcp::method::kRootsList && can.roots) co_return co_await list_roots();
  co_return refusal(code::kMethodNotFound, "Method not found");
}

Task<HandlerResult> Inputs::elicit(const json::Value& params) {
  const mcp::ClientCapabilities& can = core_.options().capabilities;
  if (!can.elicitation_form && !can.elicitation_url) {
    co_return refusal(code::kMethodNotFound, "Method not found");
  }
  Elicitation question;
  question.is_url = params.find_string("mode") == "url";
  if (question.is_url ? !can.elicitation_url : !can.elicitation_form) {
    co_return refusal(code::kInvalidParams, "this mode of elicitation was not declared");
  }
  question.message = std::string(params.find_string("message").value_or(""));
  question.url = std::string(params.find_string("url").value_or(""));
  if (const Value* const schema = params.find("requestedSchema")) question.schema = *schema;
  ElicitAnswer answer;
  if (core_.options().handlers != nullptr) {
    answer = co_await core_.options().handlers->elicit(question);
  }
  Value out = Value::object();
  out.set("action", to_text(answer.action));
  if (answer.action == ElicitAnswer::Action::accept && !question.is_url) {
    Value content = with_defaults(question.schema, std::move(answer.content));
    const std::string wrong = misfit(question.schema, content);
    if (!wrong.empty()) {
      core_.report(Report::Kind::bad_answer, "our answer does not fit the form: " + wrong);
      co_return refusal(code::kInternalError, "the answer does not fit the form");
    }
    out.set("content", std::move(content));
  }
  co_return out;
}

Task<HandlerResult> Inputs::sample(const json::Value& params) {
  const bool wants_tools = params.contains("tools") || params.contains("toolChoice");
  if (wants_tools && !core_.options().capabilities.sampling_tools) {
    co_return refusal(code::kInvalidParams, "sampling with tools was not declared");
  }
  if (core_.options().handlers == nullptr) {
    co_return refusal(code::kInternalError, "nobody is there to sample");
  }
  co_return co_await core_.options().handlers->sample(params);
}

Task<HandlerResult> Inputs::list_roots() {
  std::vector<Root> roots;
  if (core_.options().handlers != nullptr) roots = co_await core_.options().handlers->roots();
  Value list = Value::array();
  for (const Root& root : roots) {
    Value entry = Value::object();
    entry.set("uri", root.uri);
    if (!root.name.empty()) entry.set("name", root.name);
    list.push_back(std::move(entry));
  }
  Value out = Value::object();
  out.set("roots", std::move(list));
  co_return out;
}

void Inputs::serve(const jsonrpc::Message& message) {
  static const Value kNone = Value::object();
  const bool may_ask = mcp::supports(core_.envelope().revision(), mcp::Feature::server_requests);
  if (!may_ask) {
    // A response would break the protocol a second time.
    core_.report(Report::Kind::stray_request,
                 "a request from the server, which this revision "
                 "forbids: " +
                     std::string(message.method));
    return;
  }
  if (message.method == mcp::method::kPing) {
    std::string text;
    jsonrpc::write_result(text, message.id, "");
    core_.respond(std::move(text));
    return;
  }
  if (serving_.contains(message.id)) {
    return refuse(message.id, code::kInvalidRequest, "a request of this id is under way");
  }
  if (serving_.size() >= core_.options().limits.server_requests) {
    return refuse(message.id, code::kInternalError, "too many requests are under way");
  }
  const jsonrpc::Id id = message.id;
  serving_.emplace(id, 0);
  const runtime::TaskSet::Id task = tasks_.start(serve_one(
      id, std::string(message.method), message.params != nullptr ? *message.params : kNone));
  const auto entry = serving_.find(id);
  if (entry != serving_.end()) entry->second = task;
}

void Inputs::refuse(const jsonrpc::Id& id, int number, std::string_view why) {
  std::string text;
  jsonrpc::write_error(text, id, number, why);
  core_.respond(std::move(text));
}

Task<void> Inputs::serve_one(jsonrpc::Id id, std::string method, json::Value params) {
  const Core::Thinking thinking(core_);
  HandlerResult result = co_await answer(method, params);
  serving_.erase(id);
  if (!result) {
    refuse(id, result.error().code, result.error().message);
    co_return;
  }
  if (!result->is_object()) {
    refuse(id, code::kInternalError, "the answer is no object");
    co_return;
  }
  std::string text;
  const std::string whole = json::to_string(*result);
  jsonrpc::write_result(text, id, std::string_view(whole).substr(1, whole.size() - 2));
  core_.respond(std::move(text));
}

void Inputs::cancel(const json::Value* request_id) {
  if (request_id == nullptr) return;
  const auto entry = serving_.find(jsonrpc::Id::from(*request_id));
  if (entry == serving_.end()) return;
  const runtime::TaskSet::Id task = entry->second;
  serving_.erase(entry);
  tasks_.cancel(task);
}

}  // namespace squall::client
