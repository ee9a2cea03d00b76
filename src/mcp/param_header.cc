#include "squall/mcp/param_header.h"

#include <algorithm>

#include "squall/base/text.h"
#include "squall/json/number.h"
#include "squall/mcp/names.h"

namespace squall::mcp {

namespace {

constexpr std::string_view kPrefix = "=?base64?";
constexpr std::string_view kSuffix = "?=";
constexpr std::size_t kDepthMax = 64;
constexpr std::string_view kKeyword = "x-mcp-header";

bool looks_encoded(std::string_view text) {
  return text.size() >= kPrefix.size() + kSuffix.size() && text.starts_with(kPrefix) &&
         text.ends_with(kSuffix);
}

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

/// Walks a schema. Only members of `properties` keep `reachable`; an annotation anywhere else is
/// refused, however deep.
class Collector {
 public:
  Result<void> walk(const json::Value& schema, bool reachable, std::size_t depth) {
    if (depth > kDepthMax) return fail(ErrorKind::limit, "the schema is nested too deeply");
    if (schema.is_array()) {
      for (const json::Value& item : schema.items()) SQUALL_CHECK(walk(item, false, depth + 1));
      return {};
    }
    if (!schema.is_object()) return {};
    if (const json::Value* annotation = schema.find(kKeyword)) {
      SQUALL_CHECK(add(schema, *annotation, reachable && !path_.empty()));
    }
    for (const json::Member& member : schema.members()) {
      if (member.name() == "properties" && member.value.is_object()) {
        for (const json::Member& property : member.value.members()) {
          path_.emplace_back(property.name());
          SQUALL_CHECK(walk(property.value, reachable, depth + 1));
          path_.pop_back();
        }
      } else if (member.name() != "enum" && member.name() != "const" &&
                 member.name() != "default" && member.name() != "examples") {
        SQUALL_CHECK(walk(member.value, false, depth + 1));
      }
    }
    return {};
  }

  std::vector<ParamHeader> take() { return std::move(found_); }

 private:
  Result<void> add(const json::Value& schema, const json::Value& annotation, bool reachable) {
    const auto refuse = [&](std::string why) {
      std::string at;
      for (const std::string& name : path_) at += "/" + name;
      return fail(ErrorKind::invalid, "x-mcp-header at " + (at.empty() ? "/" : at) + " " + why);
    };
    if (!annotation.is_string() || !is_token(annotation.string())) {
      return refuse("must be a non-empty header token");
    }
    if (!reachable) return refuse("is not reached through properties alone");
    const json::Value* type = schema.find("type");
    const std::string_view name = type != nullptr ? type->string() : std::string_view();
    if (name != "string" && name != "integer" && name != "boolean") {
      return refuse("needs a property of type string, integer or boolean");
    }
    std::string header = std::string(header::kParamPrefix) + std::string(annotation.string());
    for (const ParamHeader& other : found_) {
      if (base::equals_ignoring_case(other.header, header)) return refuse("is used twice");
    }
    found_.push_back({path_, std::move(header), std::string(name)});
    return {};
  }

  std::vector<std::string> path_;
  std::vector<ParamHeader> found_;
};

}  // namespace

std::string encode_header_value(std::string_view text) {
  const bool plain =
      !text.empty() && !looks_encoded(text) && text.front() != ' ' && text.back() != ' ' &&
      std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7E; });
  if (plain) return std::string(text);
  return std::string(kPrefix) + base::base64_encode(text) + std::string(kSuffix);
}

std::optional<std::string> decode_header_value(std::string_view value) {
  if (!looks_encoded(value)) return std::string(value);
  value.remove_prefix(kPrefix.size());
  value.remove_suffix(kSuffix.size());
  std::optional<std::string> text = base::base64_decode(value);
  if (text && base::find_invalid_utf8(*text) != std::string_view::npos) return std::nullopt;
  return text;
}

Result<std::vector<ParamHeader>> param_headers(const json::Value& input_schema) {
  Collector collector;
  SQUALL_CHECK(collector.walk(input_schema, true, 0));
  return collector.take();
}

const json::Value* argument_of(const json::Value& arguments,
                               const ParamHeader& parameter) noexcept {
  const json::Value* at = &arguments;
  for (const std::string& name : parameter.path) {
    at = at->find(name);
    if (at == nullptr) return nullptr;
  }
  return at->is_null() ? nullptr : at;
}

bool header_matches(const json::Value& argument, std::string_view decoded) noexcept {
  switch (argument.kind()) {
    case json::Kind::string:
      return argument.string() == decoded;
    case json::Kind::boolean:
      return decoded == (argument.boolean() ? "true" : "false");
    case json::Kind::number:
      return json::is_number_text(decoded) &&
             json::compare_numbers(argument.number_text(), decoded) == 0;
    default:
      return false;
  }
}

}  // namespace squall::mcp
