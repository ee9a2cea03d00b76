#include <algorithm>
#include <compare>
#include <string>

#include "squall/base/text.h"
#include "squall/json/number.h"
#include "squall/json/write.h"

#include "evaluator.h"
#include "format.h"
#include "hash.h"
#include "quote.h"

/// @file Evaluation of the keywords that look at the instance alone.

namespace squall::schema {
namespace {

constexpr std::size_t kBytesPerStep = 64;
constexpr std::size_t kMultipleSteps = 64;  // what an exact division may take, roughly

std::string describe(const json::Value& value) {
  switch (value.kind()) {
    case json::Kind::string:
      return quote(value.string());
    case json::Kind::number:
      return std::string(value.number_text().substr(0, 50));
    case json::Kind::boolean:
      return value.boolean() ? "true" : "false";
    default:
      return std::string(json::name_of(value.kind()));
  }
}

std::string list_types(KindSet types) {
  std::string list;
  const auto add = [&](std::string_view name) {
    if (!list.empty()) list += " or ";
    list += name;
  };
  for (unsigned kind = 0; kind < 6; ++kind) {
    if ((types & (1U << kind)) != 0) add(json::name_of(static_cast<json::Kind>(kind)));
  }
  if ((types & kIntegerBit) != 0) add("integer");
  return list;
}

// Comparing values of different kinds or sizes costs nothing.
bool could_equal(const json::Value& a, const json::Value& b) {
  return a.kind() == b.kind() && (a.is_number() || a.size() == b.size());
}

std::strong_ordering compare(const json::Value& value, const Number& bound) {
  if (bound.small) {
    if (const auto number = value.as_int64()) return *number <=> *bound.small;
  }
  return json::compare_numbers(value.number_text(), bound.text);
}

bool satisfies(Op op, std::strong_ordering order) {
  switch (op) {
    case Op::minimum:
      return order >= 0;
    case Op::maximum:
      return order <= 0;
    case Op::exclusive_minimum:
      return order > 0;
    default:
      return order < 0;
  }
}

std::string_view relation_of(Op op) {
  switch (op) {
    case Op::minimum:
      return "at least ";
    case Op::maximum:
      return "at most ";
    case Op::exclusive_minimum:
      return "more than ";
    default:
      return "less than ";
  }
}

}  // namespace

bool Evaluator::check_type(const Frame& at) {
  const KindSet types = at.node.types;
  if ((types & kind_bit(at.value.kind())) != 0) return true;
  if ((types & kIntegerBit) != 0 && at.value.is_integer()) return true;
  if (types == 0) {
    return violate(at, "false schema", [] { return std::string("nothing is allowed here"); });
  }
  return violate(at, "type",
                 [&] { return "must be " + list_types(types) + ", is " + describe(at.value); });
}

bool Evaluator::check_value(const Instruction& at, const Frame& frame) {
  const Enumeration& allowed = program_.enumerations[at.a];
  const auto matches = [&](std::size_t index) {
    return could_equal(allowed.values[index], frame.value) && spend(allowed.weights[index]) &&
           allowed.values[index] == frame.value;
  };
  bool found = false;
  if (allowed.hashes.empty()) {
    for (std::size_t i = 0; i < allowed.values.size() && !found; ++i) found = matches(i);
  } else {
    const Hashed hashed = hash_value(frame.value, steps_left_);
    if (!spend(hashed.steps)) return false;
    auto same = std::ranges::lower_bound(allowed.hashes, std::pair(hashed.hash, 0U));
    for (; same != allowed.hashes.end() && same->first == hashed.hash && !found; ++same) {
      found = matches(same->second);
    }
  }
  if (found) return true;
  return violate(frame, keyword_of(at.op), [&] {
    return allowed.values.size() == 1
               ? describe(frame.value) + " is not " + describe(allowed.values.front())
               : describe(frame.value) + " is none of the " +
                     std::to_string(allowed.values.size()) + " allowed values";
  });
}

bool Evaluator::check_number(const Instruction& at, const Frame& frame) {
  const Number& bound = program_.numbers[at.a];
  if (!spend(frame.value.number_text().size() / kBytesPerStep)) return false;
  if (satisfies(at.op, compare(frame.value, bound))) return true;
  return violate(frame, keyword_of(at.op), [&] {
    return describe(frame.value) + " must be " + std::string(relation_of(at.op)) +
           bound.text.substr(0, 50);
  });
}

bool Evaluator::check_multiple(const Instruction& at, const Frame& frame) {
  const Number& divisor = program_.numbers[at.a];
  const auto value = frame.value.as_int64();
  bool multiple = false;
  if (value && divisor.small) {
    multiple = *value % *divisor.small == 0;
  } else {
    if (!spend(kMultipleSteps)) return false;
    const auto exact = json::is_multiple_of(frame.value.number_text(), divisor.text);
    if (!exact) return give_up();
    multiple = *exact;
  }
  if (multiple) return true;
  return violate(frame, "multipleOf", [&] {
    return describe(frame.value) + " must be a multiple of " + divisor.text.substr(0, 50);
  });
}

bool Evaluator::check_length(const Instruction& at, const Frame& frame) {
  const std::string_view text = frame.value.string();
  if (!spend(text.size() / kBytesPerStep)) return false;
  const bool least = at.op == Op::min_length;
  // A character has one to four bytes, which mostly answers without counting.
  if (least ? text.size() >= std::size_t{at.a} * 4 : text.size() <= at.a) return true;
  const std::size_t length = base::count_code_points(text);
  if (least ? length >= at.a : length <= at.a) return true;
  return violate(frame, keyword_of(at.op), [&] {
    return "must have at " + std::string(least ? "least " : "most ") + std::to_string(at.a) +
           " characters, has " + std::to_string(length);
  });
}

bool Evaluator::check_pattern(const Instruction& at, const Frame& frame) {
  const std::string_view text = frame.value.string();
  if (!spend(text.size() / kBytesPerStep)) return false;
  const auto matches = program_.regexes[at.a].matches(text);
  if (!matches) return give_up();
  if (*matches) return true;
  return violate(frame, "pattern", [&] { return quote(text) + " does not match the pattern"; });
}

bool Evaluator::check_format(const Instruction& at, const Frame& frame) {
  const std::string_view text = frame.value.string();
  if (!spend(text.size() / kBytesPerStep)) return false;
  if (has_format(at.a, text)) return true;
  return violate(frame, "format",
                 [&] { return quote(text) + " is no " + std::string(format_name(at.a)); });
}

bool Evaluator::check_size(const Instruction& at, const Frame& frame) {
  const bool least = at.op == Op::min_items || at.op == Op::min_properties;
  const std::size_t size = frame.value.size();
  if (least ? size >= at.a : size <= at.a) return true;
  return violate(frame, keyword_of(at.op), [&] {
    return "must have at " + std::string(least ? "least " : "most ") + std::to_string(at.a) +
           (frame.value.is_array() ? " items, has " : " properties, has ") + std::to_string(size);
  });
}

bool Evaluator::check_unique(const Frame& frame) {
  const auto result = find_duplicate(frame.value.items(), steps_left_);
  if (!result || !spend(result->steps)) return give_up();
  if (result->unique) return true;
  return violate(frame, "uniqueItems", [&] {
    return "items " + std::to_string(result->first) + " and " + std::to_string(result->second) +
           " are equal";
  });
}

}  // namespace squall::schema
