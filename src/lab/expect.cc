#include "squall/lab/expect.h"

#include <algorithm>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::lab {

namespace {

/// The word for an ending in a form that knows three.
std::string_view word_of(Ending ending, bool three) {
  if (three && ending != Ending::success && ending != Ending::timeout) return "error";
  return to_text(ending);
}

bool any_text_holds(const json::Value& result, const TextRule& rule) {
  const json::Value* content = result.find("content");
  if (content == nullptr) return false;
  const auto blocks = content->items();
  return std::any_of(blocks.begin(), blocks.end(), [&](const json::Value& block) {
    const auto text = block.find_string("text");
    return block.find_string("type") == "text" && text && rule.holds(*text);
  });
}

}  // namespace

std::string number_text(double value) { return std::string(json::Value(value).number_text()); }

json::Value json_of(const json::Value& result) {
  if (const json::Value* structured = result.find("structuredContent")) return *structured;
  const json::Value* content = result.find("content");
  if (content == nullptr) return {};
  for (const json::Value& block : content->items()) {
    if (block.find_string("type") != "text") continue;
    return json::parse(block.find_string("text").value_or("")).value_or(json::Value());
  }
  return {};
}

void Expectation::check(const Attempt& attempt, double duration_ms,
                        std::vector<std::string>& failures) const {
  if (ending) {
    const std::string_view received = word_of(attempt.ending, three_outcomes);
    if (word_of(*ending, three_outcomes) != received) {
      failures.push_back("expected outcome " + std::string(to_text(*ending)) + ", received " +
                         std::string(received));
    }
  }
  if (min_ms && duration_ms < *min_ms) {
    failures.push_back("expected duration at least " + number_text(*min_ms) + "ms, received " +
                       number_text(duration_ms) + "ms");
  }
  if (max_ms && duration_ms > *max_ms) {
    failures.push_back("expected duration at most " + number_text(*max_ms) + "ms, received " +
                       number_text(duration_ms) + "ms");
  }
  if (error_code && attempt.code != error_code) {
    failures.push_back("expected error code " + std::to_string(*error_code) + ", received " +
                       (attempt.code ? std::to_string(*attempt.code) : std::string("none")));
  }
  if (error_message.set() && !error_message.holds(attempt.message)) {
    failures.push_back("expected the error " + error_message.describe() + ", received " +
                       json::to_string(json::Value(attempt.message)));
  }
  if (!is_error && !text.set() && json.empty()) return;
  if (!attempt.value) {
    failures.push_back("expected a result, but no result was received");
    return;
  }
  if (is_error) {
    const json::Value* flag = attempt.value->find("isError");
    const bool received = flag != nullptr && flag->boolean();
    if (received != *is_error) {
      failures.push_back(std::string("expected result isError ") + (*is_error ? "true" : "false") +
                         ", received " + (received ? "true" : "false"));
    }
  }
  if (text.set() && !any_text_holds(*attempt.value, text)) {
    failures.push_back("expected result text " + text.describe());
  }
  if (json.empty()) return;
  const json::Value root = json_of(*attempt.value);
  for (const auto& [pointer, rule] : json) {
    const std::string where = pointer.tokens().empty() ? "the result" : pointer.text();
    rule.check(where, pointer.find(root), failures);
  }
}

}  // namespace squall::lab
