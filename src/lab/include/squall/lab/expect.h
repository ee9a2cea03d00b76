#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "squall/json/pointer.h"
#include "squall/json/strict.h"
#include "squall/json/value.h"
#include "squall/lab/ending.h"
#include "squall/schema/schema.h"

/// @file What must hold of one operation. All of it is looked at; no failure hides another.

namespace squall::lab {

/// One thing that had to hold, and whether it did.
struct Finding {
  std::string name;      ///< "outcome", "result /status"
  std::string expected;  ///< as a person reads it
  std::string received;
  bool held = true;
  bool timing = false;  ///< about a duration
  std::string text{};   ///< of one that doesn't hold: "expected outcome success, received timeout"
};

/// A rule for a text: `{contains: x}` or `{matches: regex}`; a plain text means `contains`.
struct TextRule {
  std::optional<std::string> contains{};
  std::optional<std::pair<std::string, schema::Schema>> matches{};  ///< the pattern, and compiled
  [[nodiscard]] bool set() const noexcept { return contains.has_value() || matches.has_value(); }
  [[nodiscard]] bool holds(std::string_view text) const;
  [[nodiscard]] std::string describe() const;  ///< `to contain "x"`
};

/// A rule for a JSON value: an equal value, or operators that must all hold.
struct JsonRule {
  std::optional<json::Value> equals{};
  std::optional<json::Value> contains{};  ///< a substring, an element, or a member's name
  std::optional<std::pair<std::string, schema::Schema>> matches{};
  std::optional<std::pair<std::int64_t, std::int64_t>> length{};  ///< least and most
  std::optional<schema::Schema> schema{};
  bool absent = false;
  std::optional<json::Value> least{}, most{};  ///< numbers, compared exactly
  /// Appends a finding for each part of the rule. `value` is null when there is nothing.
  void check(const std::string& where, const json::Value* value,
             std::vector<Finding>& findings) const;
};

struct Expectation {
  std::optional<Ending> ending{};
  /// The simple form knows three outcomes: every other one but success and timeout is an `error`.
  bool three_outcomes = false;
  std::optional<std::int64_t> error_code{};
  TextRule error_message{};
  std::optional<double> min_ms{}, max_ms{};
  std::optional<bool> is_error{};
  TextRule text{};  ///< of any one text block
  std::vector<std::pair<json::Pointer, JsonRule>> json{};

  /// Appends a finding for each thing expected.
  void check(const Attempt& attempt, double duration_ms, std::vector<Finding>& findings) const;

 private:
  void check_ending(const Attempt& attempt, std::vector<Finding>& findings) const;
  void check_duration(double duration_ms, std::vector<Finding>& findings) const;
  void check_error(const Attempt& attempt, std::vector<Finding>& findings) const;
  void check_result(const json::Value& result, std::vector<Finding>& findings) const;
};

/// Reads the `expect` of a simple scenario: outcome, maxDurationMs, result {isError, textContains}.
[[nodiscard]] Expectation read_simple_expectation(const json::StrictNode& node);
/// Reads the `expect` of a step: outcome, error {code, message}, duration {min, max}, result
/// {isError, text, json}.
[[nodiscard]] Expectation read_expectation(const json::StrictNode& node);
/// Reads a time with its unit ("250ms") as milliseconds.
[[nodiscard]] double read_milliseconds(const json::StrictNode& node);
[[nodiscard]] TextRule read_text_rule(const json::StrictNode& node);
/// Reads a count: N, or {min, max}.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> read_count(const json::StrictNode& node);

/// The word for an ending; the simple form's are three.
[[nodiscard]] std::string_view word_of(Ending ending, bool three_outcomes) noexcept;

/// The value that the pointers of `result.json` start from: `structuredContent`, or else the JSON
/// in the first text block, null when that is none; of what is no tool's result, all of it.
[[nodiscard]] json::Value json_of(const json::Value& result);

/// 517.46: the shortest text that reads back as the number.
[[nodiscard]] std::string number_text(double value);

}  // namespace squall::lab
