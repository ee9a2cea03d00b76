#include "squall/lab/expect.h"

#include <algorithm>

#include "squall/json/parse.h"
#include "squall/json/write.h"

#include "shorten.h"

namespace squall::lab {

namespace {

constexpr std::size_t kShownBytesMax = 200;

bool any_text_holds(const json::Value& result, const TextRule& rule) {
  const json::Value* content = result.find("content");
  if (content == nullptr) return false;
  const auto blocks = content->items();
  return std::any_of(blocks.begin(), blocks.end(), [&](const json::Value& block) {
    const auto text = block.find_string("text");
    return block.find_string("type") == "text" && text && rule.holds(*text);
  });
}

/// The text blocks, for a reader who wonders what came instead.
std::string texts_of(const json::Value& result) {
  std::string out;
  const json::Value* content = result.find("content");
  if (content == nullptr) return "no content";
  for (const json::Value& block : content->items()) {
    const auto text = block.find_string("text");
    if (!text) continue;
    out += (out.empty() ? "" : " ") + json::to_string(json::Value(*text));
    if (out.size() > kShownBytesMax) break;
  }
  return out.empty() ? "no text" : shorten(std::move(out), kShownBytesMax);
}

}  // namespace

std::string number_text(double value) { return std::string(json::Value(value).number_text()); }

std::string_view word_of(Ending ending, bool three_outcomes) noexcept {
  if (three_outcomes && ending != Ending::success && ending != Ending::timeout) return "error";
  return to_text(ending);
}

json::Value json_of(const json::Value& result) {
  if (const json::Value* structured = result.find("structuredContent")) return *structured;
  const json::Value* content = result.find("content");
  if (content == nullptr) return result;
  for (const json::Value& block : content->items()) {
    if (block.find_string("type") != "text") continue;
    return json::parse(block.find_string("text").value_or("")).value_or(json::Value());
  }
  return {};
}

void Expectation::check_ending(const Attempt& attempt, std::vector<Finding>& findings) const {
  const std::string expected(word_of(*ending, three_outcomes));
  const std::string received(word_of(attempt.ending, three_outcomes));
  Finding& found = findings.emplace_back("outcome", expected, received, expected == received);
  if (!found.held) found.text = "expected outcome " + expected + ", received " + received;
}

void Expectation::check_duration(double duration_ms, std::vector<Finding>& findings) const {
  const std::string received = number_text(duration_ms) + "ms";
  const auto bound = [&](const std::string& limit, bool held) {
    Finding& found = findings.emplace_back("duration", limit, received, held);
    found.timing = true;
    if (!held) found.text = "expected duration " + limit + ", received " + received;
  };
  if (min_ms) bound("at least " + number_text(*min_ms) + "ms", duration_ms >= *min_ms);
  if (max_ms) bound("at most " + number_text(*max_ms) + "ms", duration_ms <= *max_ms);
}

void Expectation::check_error(const Attempt& attempt, std::vector<Finding>& findings) const {
  if (error_code) {
    const std::string expected = std::to_string(*error_code);
    const std::string received = attempt.code ? std::to_string(*attempt.code) : "none";
    Finding& found = findings.emplace_back("error code", expected, received, expected == received);
    if (!found.held) found.text = "expected error code " + expected + ", received " + received;
  }
  if (error_message.set()) {
    const std::string received = json::to_string(json::Value(attempt.message));
    Finding& found = findings.emplace_back("error message", error_message.describe(), received,
                                           error_message.holds(attempt.message));
    if (!found.held) {
      found.text = "expected the error " + found.expected + ", received " + received;
    }
  }
}

void Expectation::check_result(const json::Value& result, std::vector<Finding>& findings) const {
  if (is_error) {
    const json::Value* flag = result.find("isError");
    const bool received = flag != nullptr && flag->boolean();
    const auto word = [](bool value) { return value ? "true" : "false"; };
    Finding& found = findings.emplace_back("result isError", word(*is_error), word(received),
                                           received == *is_error);
    if (!found.held) {
      found.text = "expected result isError " + found.expected + ", received " + found.received;
    }
  }
  if (text.set()) {
    Finding& found = findings.emplace_back("result text", text.describe(), texts_of(result),
                                           any_text_holds(result, text));
    if (!found.held) found.text = "expected result text " + found.expected;
  }
  if (json.empty()) return;
  const json::Value root = json_of(result);
  for (const auto& [pointer, rule] : json) {
    rule.check(pointer.tokens().empty() ? "the result" : pointer.text(), pointer.find(root),
               findings);
  }
}

void Expectation::check(const Attempt& attempt, double duration_ms,
                        std::vector<Finding>& findings) const {
  if (ending) check_ending(attempt, findings);
  if (min_ms || max_ms) check_duration(duration_ms, findings);
  check_error(attempt, findings);
  if (!is_error && !text.set() && json.empty()) return;
  if (attempt.value) return check_result(*attempt.value, findings);
  findings.push_back({"result", "a result", "none", false, false,
                      "expected a result, but no result was received"});
}

}  // namespace squall::lab
