#include <chrono>
#include <limits>

#include "squall/base/units.h"
#include "squall/lab/expect.h"

/// @file The expectations, as they stand in files.

namespace squall::lab {

namespace {

using json::StrictNode;
using json::StrictObject;

std::optional<schema::Schema> compile(const StrictNode& node, const json::Value& value) {
  auto compiled = schema::Schema::compile(value);
  if (compiled) return std::move(*compiled);
  node.complain("this is no schema: " + compiled.error().message);
  return std::nullopt;
}

std::optional<std::pair<std::string, schema::Schema>> read_pattern(const StrictNode& node) {
  const std::string pattern = node.text();
  if (pattern.empty()) return std::nullopt;
  auto compiled = schema::Schema::compile(json::Value::object({{"pattern", pattern}}));
  if (compiled) return std::pair(pattern, std::move(*compiled));
  node.expected("a regular expression (ECMA-262)");
  return std::nullopt;
}

json::Value read_number(const StrictNode& node) {
  if (!node.value().is_number()) node.expected("a number");
  return node.value();
}

bool has_operators(const json::Value& value) {
  for (const json::Member& member : value.members()) {
    if (member.name().starts_with('$')) return true;
  }
  return false;
}

JsonRule read_json_rule(const StrictNode& node) {
  JsonRule rule;
  if (!has_operators(node.value())) {
    rule.equals = node.value();
    return rule;
  }
  StrictObject object(node);
  if (const auto member = object.find("$contains")) rule.contains = member->value();
  if (const auto member = object.find("$matches")) rule.matches = read_pattern(*member);
  if (const auto member = object.find("$length")) rule.length = read_count(*member);
  if (const auto member = object.find("$schema")) rule.schema = compile(*member, member->value());
  if (const auto member = object.find("$absent")) rule.absent = member->boolean();
  if (const auto member = object.find("$min")) rule.least = read_number(*member);
  if (const auto member = object.find("$max")) rule.most = read_number(*member);
  object.finish();
  return rule;
}

void read_json_rules(const StrictNode& node, Expectation& out) {
  const StrictObject object(node);
  for (const json::Member& member : node.value().members()) {
    std::string pointer = node.pointer();
    json::append_pointer_token(pointer, member.name());
    const StrictNode rule(node.file(), member.value, std::move(pointer));
    auto parsed = json::Pointer::parse(member.name());
    if (!parsed) {
      rule.complain("its key must be a JSON pointer, like /status");
      continue;
    }
    out.json.emplace_back(std::move(*parsed), read_json_rule(rule));
  }
}

std::optional<Ending> read_ending(const StrictNode& node) {
  return static_cast<Ending>(node.choice({"success", "error", "protocol_error", "timeout",
                                          "cancelled", "transport_loss", "invalid_message"}));
}

}  // namespace

double read_milliseconds(const StrictNode& node) {
  const auto time = node.value().is_string()
                        ? base::parse_duration(node.value().string())
                        : Result<std::chrono::nanoseconds>(fail(ErrorKind::invalid, ""));
  if (!time) {
    node.expected("a time with its unit, like 250ms or 2s");
    return 0;
  }
  return std::chrono::duration<double, std::milli>(*time).count();
}

std::pair<std::int64_t, std::int64_t> read_count(const StrictNode& node) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (node.value().is_number()) {
    const std::int64_t exact = node.integer(0);
    return {exact, exact};
  }
  if (!node.value().is_object()) {
    node.expected("a whole number, or {min, max}");
    return {0, kMost};
  }
  std::pair<std::int64_t, std::int64_t> range{0, kMost};
  StrictObject object(node);
  if (const auto least = object.find("min")) range.first = least->integer(0);
  if (const auto most = object.find("max")) range.second = most->integer(range.first);
  object.finish();
  return range;
}

TextRule read_text_rule(const StrictNode& node) {
  TextRule rule;
  if (node.value().is_string()) {
    rule.contains = node.text();
    return rule;
  }
  StrictObject object(node);
  if (const auto member = object.find("contains")) rule.contains = member->text();
  if (const auto member = object.find("matches")) rule.matches = read_pattern(*member);
  object.finish();
  if (!rule.set() && node.value().is_object()) node.expected("contains or matches");
  return rule;
}

Expectation read_simple_expectation(const StrictNode& node) {
  Expectation out;
  out.three_outcomes = true;
  StrictObject object(node);
  if (const auto outcome = object.need("outcome")) {
    constexpr Ending kEndings[] = {Ending::success, Ending::error, Ending::timeout};
    out.ending = kEndings[outcome->choice({"success", "error", "timeout"})];
  }
  if (const auto most = object.find("maxDurationMs")) {
    const auto number = most->value().is_number() ? most->value().as_double() : std::nullopt;
    if (!number || *number < 0) {
      most->expected("a number from 0");
    } else {
      out.max_ms = *number;
    }
  }
  if (const auto result = object.find("result")) {
    StrictObject rules(*result);
    if (const auto flag = rules.find("isError")) out.is_error = flag->boolean();
    if (const auto text = rules.find("textContains")) out.text.contains = text->text(0);
    rules.finish();
  }
  object.finish();
  return out;
}

Expectation read_expectation(const StrictNode& node) {
  Expectation out;
  StrictObject object(node);
  if (const auto outcome = object.find("outcome")) out.ending = read_ending(*outcome);
  if (const auto error = object.find("error")) {
    StrictObject rules(*error);
    if (const auto code = rules.find("code")) {
      out.error_code = code->integer(std::numeric_limits<std::int64_t>::min());
    }
    if (const auto message = rules.find("message")) out.error_message = read_text_rule(*message);
    rules.finish();
  }
  if (const auto duration = object.find("duration")) {
    StrictObject rules(*duration);
    if (const auto least = rules.find("min")) out.min_ms = read_milliseconds(*least);
    if (const auto most = rules.find("max")) out.max_ms = read_milliseconds(*most);
    rules.finish();
  }
  if (const auto result = object.find("result")) {
    StrictObject rules(*result);
    if (const auto flag = rules.find("isError")) out.is_error = flag->boolean();
    if (const auto text = rules.find("text")) out.text = read_text_rule(*text);
    if (const auto json = rules.find("json")) read_json_rules(*json, out);
    rules.finish();
  }
  object.finish();
  return out;
}

}  // namespace squall::lab
