#include "arguments.h"

#include <utility>

#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/schema/schema.h"

#include "text.h"

namespace squall::cli {
namespace {

using json::Value;

std::string hint(std::string_view word, const std::vector<std::string>& known) {
  if (const auto near = base::nearest(word, known)) return "; did you mean " + quote(*near) + "?";
  std::string out;
  for (const std::string& name : known) out += (out.empty() ? "; there is " : ", ") + quote(name);
  return out;
}

bool allows(const Value& property, std::string_view type) {
  const Value* const types = property.find("type");
  if (types == nullptr) return false;
  if (types->string() == type) return true;
  for (const Value& one : types->items()) {
    if (one.string() == type) return true;
  }
  return false;
}

/// What `text` means where `property` is wanted.
Value typed(const Value& property, const std::string& text) {
  if (allows(property, "string")) return text;
  if (property.find("type") == nullptr) return text;
  auto parsed = json::parse(text);
  return parsed ? *std::move(parsed) : Value(text);  // the schema says what is wrong with it
}

Result<void> add_word(Value& arguments, const Value& schema, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) {
    return fail(ErrorKind::invalid, "an argument is key=value, not " + quote(word));
  }
  const std::string name = word.substr(0, equals);
  static const Value kAnything = Value::object();
  const Value* property = &kAnything;
  if (const Value* const properties = schema.find("properties")) {
    property = properties->find(name);
    const Value* const others = schema.find("additionalProperties");
    const bool closed = others == nullptr || others->as_bool() == false;
    if (property == nullptr && closed) {
      std::vector<std::string> known;
      for (const json::Member& member : properties->members()) known.emplace_back(member.name());
      return fail(ErrorKind::invalid,
                  "the tool has no argument " + quote(name) + hint(name, known));
    }
    if (property == nullptr) property = &kAnything;
  }
  arguments.set(name, typed(*property, word.substr(equals + 1)));
  return {};
}

Result<void> check(const Value& schema, const Value& arguments) {
  const auto compiled = schema::Schema::compile(schema);
  if (!compiled) return {};  // the server's business; it will judge for itself
  std::vector<schema::Violation> violations;
  if (compiled->validate(arguments, violations) != schema::Verdict::invalid) return {};
  std::string message = "the arguments do not fit the tool's schema";
  for (const schema::Violation& violation : violations) {
    message +=
        "\n  " + (violation.instance.empty() ? "" : violation.instance + ": ") + violation.message;
  }
  return fail(ErrorKind::invalid, std::move(message));
}

}  // namespace

Result<const Value*> find_tool(const std::vector<Value>& tools, const std::string& name) {
  std::vector<std::string> known;
  for (const Value& tool : tools) {
    const std::string_view its = tool.find_string("name").value_or("");
    if (its == name) return &tool;
    known.emplace_back(its);
  }
  return fail(ErrorKind::not_found, "the server has no tool " + quote(name) + hint(name, known));
}

Result<Value> read_arguments(const Value& schema, const std::vector<std::string>& words,
                             const std::string& args) {
  Value arguments = Value::object();
  if (!args.empty()) {
    auto parsed = json::parse(args);
    if (!parsed) return fail(ErrorKind::invalid, "--args: " + parsed.error().text());
    if (!parsed->is_object()) return fail(ErrorKind::invalid, "--args wants a JSON object");
    arguments = *std::move(parsed);
  }
  for (const std::string& word : words) SQUALL_CHECK(add_word(arguments, schema, word));
  SQUALL_CHECK(check(schema, arguments));
  return arguments;
}

}  // namespace squall::cli
