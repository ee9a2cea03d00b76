#include "squall/base/text.h"

#include "calls.h"
#include "drive.h"

namespace squall::server {

namespace {

void write(ServedRequest& request, const void*, PromptResult& result) {
  std::string response = request.begin_response();
  json::Writer writer(response);
  if (!result.description.empty()) writer.key("description").string(result.description);
  writer.key("messages").begin_array();
  for (const PromptMessage& message : result.messages) {
    const bool user = message.role == PromptMessage::Role::user;
    writer.begin_object().key("role").string(user ? "user" : "assistant").key("content");
    message.content.write(response, request.revision());
    writer.end_object();
  }
  writer.end_array();
  write_result_end(request, {}, response);
  request.respond(std::move(response));
}

/// Why the arguments don't do for the prompt, or "".
std::string unfit(const PromptEntry& prompt, const json::Value* arguments) {
  if (arguments != nullptr && !arguments->is_object()) return "arguments must be an object";
  if (arguments != nullptr) {
    for (const json::Member& member : arguments->members()) {
      if (!member.value.is_string()) {
        return "argument " + std::string(member.name()) + " must be a string";
      }
    }
  }
  for (const PromptEntry::Argument& argument : prompt.arguments) {
    const bool given = arguments != nullptr && arguments->contains(argument.name);
    if (argument.required && !given) return "argument " + argument.name + " is required";
  }
  return {};
}

}  // namespace

void get_prompt(const std::shared_ptr<ServedRequest>& request) {
  const std::optional<std::string_view> name = request->params().find_string("name");
  if (!name) return request->respond_error(jsonrpc::code::kInvalidParams, "name must be a string");
  const PromptEntry* prompt = request->pipeline().find_prompt(*name);
  if (prompt == nullptr) {
    return request->respond_error(jsonrpc::code::kInvalidParams,
                                  "unknown prompt: " + base::show_name(*name));
  }
  request->arguments = request->params().find("arguments");
  if (const std::string why = unfit(*prompt, request->arguments); !why.empty()) {
    return request->respond_error(jsonrpc::code::kInvalidParams, why);
  }
  if (const auto refusal = make_own_context(*request)) {
    const json::Value data = refusal->structured();
    return request->respond_error(jsonrpc::code::kInternalError, refusal->message(), &data);
  }
  const Job<PromptResult> job{
      &prompt->handler, prompt,  prompt->name, &write, &protocol_refusal<PromptResult>,
      nullptr,          nullptr, nullptr,      nullptr};
  start(request, job);
}

}  // namespace squall::server
