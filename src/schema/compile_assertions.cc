#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "squall/json/number.h"

#include "compiler.h"
#include "format.h"
#include "hash.h"
#include "quote.h"

/// @file The keywords of a schema that look at the instance alone.

namespace squall::schema {
namespace {

constexpr std::size_t kScannedValuesMax = 8;
constexpr std::size_t kRegexBytesMax = std::size_t{16} << 20;  // compiled, of all in a program

constexpr std::array<std::pair<std::string_view, KindSet>, 7> kTypes = {{
    {"array", kArrays},
    {"boolean", kind_bit(json::Kind::boolean)},
    {"integer", kIntegerBit},
    {"null", kind_bit(json::Kind::null)},
    {"number", kNumbers},
    {"object", kObjects},
    {"string", kStrings},
}};

KindSet type_named(std::string_view name) noexcept {
  const auto* found = std::ranges::find(kTypes, name, &std::pair<std::string_view, KindSet>::first);
  return found == kTypes.end() ? KindSet{0} : found->second;
}

}  // namespace

Result<void> Compiler::assertions(Current& at) {
  SQUALL_CHECK(types(at));
  SQUALL_CHECK(values(at));
  SQUALL_CHECK(numbers(at));
  return sizes(at);
}

Result<void> Compiler::types(Current& at) {
  const json::Value* type = at.schema.find("type");
  if (type == nullptr) return {};
  at.types = type_named(type->string());
  for (const json::Value& item : type->items()) at.types |= type_named(item.string());
  if (at.types == 0) return wrong("type");
  return {};
}

Result<void> Compiler::values(Current& at) {
  if (const json::Value* constant = at.schema.find("const")) {
    at.emit(Op::constant, kAllKinds, add_enumeration({*constant}));
  }
  if (const json::Value* values = at.schema.find("enum")) {
    if (!values->is_array()) return wrong("enum");
    at.emit(Op::enumeration, kAllKinds,
            add_enumeration({values->items().begin(), values->items().end()}));
  }
  return {};
}

std::uint32_t Compiler::add_enumeration(std::vector<json::Value> values) {
  Enumeration enumeration;
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    const Hashed hashed = hash_value(values[i], std::numeric_limits<std::size_t>::max());
    enumeration.weights.push_back(hashed.steps);
    if (values.size() > kScannedValuesMax) enumeration.hashes.emplace_back(hashed.hash, i);
  }
  std::ranges::sort(enumeration.hashes);
  enumeration.values = std::move(values);
  program_.enumerations.push_back(std::move(enumeration));
  return static_cast<std::uint32_t>(program_.enumerations.size() - 1);
}

Result<void> Compiler::numbers(Current& at) {
  constexpr std::array<std::pair<std::string_view, Op>, 5> kBounds = {{
      {"minimum", Op::minimum},
      {"maximum", Op::maximum},
      {"exclusiveMinimum", Op::exclusive_minimum},
      {"exclusiveMaximum", Op::exclusive_maximum},
      {"multipleOf", Op::multiple_of},
  }};
  for (const auto& [keyword, op] : kBounds) {
    const json::Value* bound = at.schema.find(keyword);
    if (bound == nullptr) continue;
    const std::string_view text = bound->number_text();
    if (!bound->is_number()) return wrong(keyword);
    if (op == Op::multiple_of && json::compare_numbers(text, "0") <= 0) return wrong(keyword);
    at.emit(op, kNumbers, static_cast<std::uint32_t>(program_.numbers.size()));
    program_.numbers.push_back({std::string(text), bound->as_int64()});
  }
  return {};
}

Result<std::uint32_t> Compiler::count(const json::Value& value, std::string_view keyword) {
  if (!value.is_integer() || json::compare_numbers(value.number_text(), "0") < 0) {
    return wrong(keyword);
  }
  // No value has so many elements, so cutting the number changes nothing.
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min(value.as_uint64().value_or(kMax), kMax));
}

Result<void> Compiler::limit(Current& at, std::string_view keyword, Op op, KindSet kinds) {
  const json::Value* value = at.schema.find(keyword);
  if (value == nullptr) return {};
  SQUALL_TRY(const std::uint32_t number, count(*value, keyword));
  at.emit(op, kinds, number);
  return {};
}

Result<void> Compiler::sizes(Current& at) {
  SQUALL_CHECK(limit(at, "minLength", Op::min_length, kStrings));
  SQUALL_CHECK(limit(at, "maxLength", Op::max_length, kStrings));
  SQUALL_CHECK(limit(at, "minItems", Op::min_items, kArrays));
  SQUALL_CHECK(limit(at, "maxItems", Op::max_items, kArrays));
  SQUALL_CHECK(limit(at, "minProperties", Op::min_properties, kObjects));
  SQUALL_CHECK(limit(at, "maxProperties", Op::max_properties, kObjects));
  const json::Value* unique = at.schema.find("uniqueItems");
  if (unique != nullptr && !unique->is_bool()) return wrong("uniqueItems");
  if (unique != nullptr && unique->boolean()) at.emit(Op::unique_items, kArrays);
  return {};
}

Result<void> Compiler::strings(Current& at) {
  if (const json::Value* pattern = at.schema.find("pattern");
      pattern != nullptr && at.has(Vocabulary::validation)) {
    if (!pattern->is_string()) return wrong("pattern");
    SQUALL_TRY(const std::uint32_t regex, add_regex(pattern->string()));
    at.emit(Op::pattern, kStrings, regex);
  }
  const auto format = at.schema.find_string("format");
  if (!format || !(options_.assert_formats || at.has(Vocabulary::format_assertion))) return {};
  if (const auto number = find_format(*format)) at.emit(Op::format, kStrings, *number);
  return {};
}

Result<std::uint32_t> Compiler::add_regex(std::string_view pattern) {
  const auto known = regexes_.find(pattern);
  if (known != regexes_.end()) return known->second;
  auto regex = Regex::compile(pattern, options_.limits.regex_steps);
  if (!regex) {
    return fail(regex.error().kind,
                "bad regular expression " + quote(pattern) + ": " + regex.error().message);
  }
  regex_bytes_ += regex->bytes();
  if (regex_bytes_ > kRegexBytesMax) {
    return fail(ErrorKind::limit, "the regular expressions take too much memory");
  }
  const auto number = static_cast<std::uint32_t>(program_.regexes.size());
  program_.regexes.push_back(*std::move(regex));
  regexes_.emplace(pattern, number);
  return number;
}

}  // namespace squall::schema
