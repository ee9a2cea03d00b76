#include "invalid_arguments.h"

#include <algorithm>
#include <array>

#include "squall/base/text.h"
#include "squall/json/pointer.h"
#include "squall/json/write.h"

namespace squall::server {

namespace {

constexpr std::size_t kShownCharactersMax = 50;
constexpr std::size_t kUnknownMax = 32;
constexpr std::size_t kActionsMax = 50;

/// The first characters of `text`, and whether there are more.
std::string cut(std::string_view text) {
  std::size_t offset = 0;
  std::size_t count = 0;
  while (offset < text.size() && count < kShownCharactersMax) {
    static_cast<void>(base::next_code_point(text, offset));
    ++count;
  }
  std::string out(text.substr(0, offset));
  if (offset < text.size()) out += "...";
  return out;
}

std::string shown(const json::Value& value) {
  switch (value.kind()) {
    case json::Kind::string:
      return "'" + cut(value.string()) + "'";
    case json::Kind::array:
      return "array(" + std::to_string(value.size()) + ")";
    case json::Kind::object:
      return "object(" + std::to_string(value.size()) + ")";
    case json::Kind::number:
      return cut(value.number_text());
    default:
      return json::to_string(value);
  }
}

/// Names that tell what is behind them, whatever the schema says.
bool sounds_secret(std::string_view name) {
  constexpr std::array kWords{"password", "passwd",     "secret",        "token",      "api_key",
                              "apikey",   "credential", "authorization", "private_key"};
  std::string lower = base::to_lower(name);
  std::ranges::replace(lower, '-', '_');
  return std::ranges::any_of(
      kWords, [&](const char* word) { return lower.find(word) != std::string::npos; });
}

bool is_secret_schema(const json::Value& schema) {
  const json::Value* write_only = schema.find("writeOnly");
  return (write_only != nullptr && write_only->boolean()) ||
         schema.find_string("format").value_or("") == "password";
}

/// Whether a schema, or anything inside it, is marked secret.
bool holds_secret(const json::Value& schema, int depth = 0) {
  if (is_secret_schema(schema)) return true;
  if (depth >= 32) return true;  // rather too silent than too loud
  const json::Value* properties = schema.find("properties");
  if (properties != nullptr) {
    for (const json::Member& one : properties->members()) {
      if (sounds_secret(one.name()) || holds_secret(one.value, depth + 1)) return true;
    }
  }
  const json::Value* items = schema.find("items");
  return items != nullptr && items->is_object() && holds_secret(*items, depth + 1);
}

/// Whether what `pointer` leads to may be repeated, by the names and schemas on the way.
bool may_show(const json::Value& schema, const json::Pointer& pointer) {
  const json::Value* at = &schema;
  for (const std::string& token : pointer.tokens()) {
    if (sounds_secret(token)) return false;
    if (at == nullptr) continue;
    const json::Value* properties = at->find("properties");
    const json::Value* next = properties != nullptr ? properties->find(token) : nullptr;
    if (next == nullptr) next = at->find("items");
    at = next;
    if (at != nullptr && is_secret_schema(*at)) return false;
  }
  return at == nullptr || !holds_secret(*at);
}

std::vector<std::string_view> names_in(const json::Value& schema) {
  std::vector<std::string_view> names;
  if (const json::Value* properties = schema.find("properties")) {
    for (const json::Member& member : properties->members()) names.push_back(member.name());
  }
  return names;
}

/// Whether the schema takes nothing but what it names.
bool is_closed(const json::Value& schema) {
  for (const char* keyword : {"additionalProperties", "unevaluatedProperties"}) {
    const json::Value* value = schema.find(keyword);
    if (value != nullptr && value->is_bool() && !value->boolean()) return true;
  }
  return false;
}

std::string pointer_to(std::string_view name) {
  std::string out;
  json::append_pointer_token(out, name);
  return out;
}

bool is_unknown(const std::vector<std::string_view>& known, std::string_view name) {
  return std::ranges::find(known, name) == known.end();
}

void add_unknown(ToolError& error, const ActionEntry& action, const json::Value& arguments,
                 const std::vector<std::string_view>& known) {
  std::size_t count = 0;
  for (const json::Member& member : arguments.members()) {
    if (!is_unknown(known, member.name())) continue;
    if (++count > kUnknownMax) return;
    std::string problem = "is not a parameter of " + action.name;
    if (const auto near = base::nearest(member.name().substr(0, 200), known)) {
      problem += "; did you mean '" + std::string(*near) + "'?";
    }
    error.field(cut(pointer_to(member.name())), problem);
  }
}

std::string problem_of(const ActionEntry& action, const json::Value& arguments,
                       const schema::Violation& violation) {
  const auto pointer = json::Pointer::parse(violation.instance);
  if (!pointer) return violation.message;
  const json::Value* sent = pointer->find(arguments);
  if (!may_show(action.input_schema, *pointer)) {
    return "breaks '" + violation.keyword + "' of its schema (the value is not repeated)";
  }
  std::string out = violation.message;
  if (violation.keyword == "required" || sent == nullptr) return out;
  if (violation.keyword == "pattern" || violation.keyword == "enum") {
    const auto rule = json::Pointer::parse(violation.schema);
    const json::Value* allowed = rule ? rule->find(action.input_schema) : nullptr;
    if (allowed != nullptr) out += "; allowed: " + cut(json::to_string(*allowed));
  }
  // Most messages show the value already.
  const std::string_view text = sent->is_number() ? sent->number_text() : sent->string();
  const bool told = !text.empty() && out.find(text.substr(0, 20)) != std::string::npos;
  return told ? out : out + "; you sent " + shown(*sent);
}

}  // namespace

ToolError invalid_arguments(const ActionEntry& action, const json::Value& arguments) {
  ToolError error("VALIDATION_ERROR", "the arguments of " + action.name + " are not valid");
  std::vector<schema::Violation> violations;
  if (action.input.validate(arguments, violations) == schema::Verdict::limit) {
    error.recovery("Checking the arguments takes too long. Send fewer or smaller ones.");
    return error;
  }
  error.recovery("Correct the fields named here and call again.");
  const std::vector<std::string_view> known = names_in(action.input_schema);
  const bool closed = is_closed(action.input_schema);
  for (const schema::Violation& violation : violations) {
    const auto pointer = json::Pointer::parse(violation.instance);
    if (closed && pointer && pointer->tokens().size() == 1 &&
        is_unknown(known, pointer->tokens()[0])) {
      continue;  // told below, with the name that may be meant
    }
    error.field(violation.instance.empty() ? "/" : cut(violation.instance),
                problem_of(action, arguments, violation));
  }
  if (closed) add_unknown(error, action, arguments, known);
  return error;
}

Outcome<ToolResult> detail::decode_failure(const schema::DecodeError& failure) {
  ToolError error("VALIDATION_ERROR", "the arguments are not valid");
  error.recovery("Correct the fields named here and call again.");
  error.field(failure.pointer, failure.message);
  return error;
}

ToolError unknown_action(const ToolEntry& tool, const json::Value* discriminator) {
  const bool missing = discriminator == nullptr || !discriminator->is_string();
  const std::string sent = missing ? std::string() : cut(discriminator->string());
  ToolError error = missing
                        ? ToolError("MISSING_ACTION", "argument '" + tool.discriminator +
                                                          "' must name an action of " + tool.name)
                        : ToolError("UNKNOWN_ACTION", tool.name + " has no action '" + sent + "'");
  std::string recovery = "Set '" + tool.discriminator + "' to one of the available actions";
  if (!missing) {
    if (const auto near = base::nearest(sent, tool.keys)) {
      recovery += "; did you mean '" + std::string(*near) + "'?";
    }
  }
  error.recovery(recovery.ends_with('?') ? recovery : recovery + ".");
  for (std::size_t i = 0; i < std::min(kActionsMax, tool.keys.size()); ++i) {
    error.action(tool.keys[i]);
  }
  return error;
}

ToolError unknown_tool(const Pipeline& pipeline, std::string_view name) {
  ToolError error("UNKNOWN_TOOL", "unknown tool: " + base::show_name(name));
  const auto near = name.size() <= 128 ? base::nearest(name, pipeline.tool_names)
                                       : std::optional<std::string_view>();
  error.recovery(near ? "Did you mean '" + std::string(*near) + "'?"
                      : std::string("List the tools to see their names."));
  return error;
}

}  // namespace squall::server
