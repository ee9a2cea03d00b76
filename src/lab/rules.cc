#include <algorithm>

#include "squall/base/text.h"
#include "squall/json/number.h"
#include "squall/json/write.h"
#include "squall/lab/expect.h"

#include "shorten.h"

/// @file The rules for texts and values, as they are checked.

namespace squall::lab {

namespace {

constexpr std::size_t kShownBytesMax = 120;

std::string shown(const json::Value& value) {
  return shorten(json::to_string(value), kShownBytesMax);
}

bool matches_schema(const schema::Schema& schema, std::string_view text) {
  return schema.validate(json::Value(text)) == schema::Verdict::valid;
}

bool contains(const json::Value& value, const json::Value& part) {
  if (value.is_string()) {
    return part.is_string() && value.string().find(part.string()) != std::string_view::npos;
  }
  if (value.is_object()) return part.is_string() && value.contains(part.string());
  const auto items = value.items();
  return std::any_of(items.begin(), items.end(),
                     [&](const json::Value& item) { return item == part; });
}

std::optional<std::size_t> length_of(const json::Value& value) {
  if (value.is_string()) return base::count_code_points(value.string());
  if (value.is_array() || value.is_object()) return value.size();
  return std::nullopt;
}

std::string range_text(const std::pair<std::int64_t, std::int64_t>& range) {
  if (range.first == range.second) return std::to_string(range.first);
  if (range.second == std::numeric_limits<std::int64_t>::max()) {
    return "at least " + std::to_string(range.first);
  }
  return std::to_string(range.first) + " to " + std::to_string(range.second);
}

}  // namespace

bool TextRule::holds(std::string_view text) const {
  if (contains && text.find(*contains) == std::string_view::npos) return false;
  return !matches || matches_schema(matches->second, text);
}

std::string TextRule::describe() const {
  std::string out;
  if (contains) out = "to contain " + shown(json::Value(*contains));
  if (matches) {
    out +=
        std::string(out.empty() ? "" : " and ") + "to match " + shown(json::Value(matches->first));
  }
  return out;
}

void JsonRule::check(const std::string& where, const json::Value* value,
                     std::vector<Finding>& findings) const {
  const std::string received = value != nullptr ? shown(*value) : "nothing";
  const auto note = [&](bool held, const std::string& what) {
    Finding& found = findings.emplace_back("result " + where, what, received, held);
    if (!held) found.text = "expected " + where + " " + what + ", received " + received;
  };
  if (absent) return note(value == nullptr, "to be absent");
  if (value == nullptr) return note(false, "to be there");
  if (equals) note(*equals == *value, "to be " + shown(*equals));
  if (contains) note(lab::contains(*value, *contains), "to contain " + shown(*contains));
  if (matches) {
    note(value->is_string() && matches_schema(matches->second, value->string()),
         "to match " + shown(json::Value(matches->first)));
  }
  if (length) {
    const auto found = length_of(*value);
    const auto count = static_cast<std::int64_t>(found.value_or(0));
    note(found && count >= length->first && count <= length->second,
         "to have the length " + range_text(*length));
  }
  if (schema) note(schema->validate(*value) == schema::Verdict::valid, "to fit its schema");
  const auto compare = [&](const json::Value& bound) {
    return json::compare_numbers(value->number_text(), bound.number_text());
  };
  if (least) note(value->is_number() && compare(*least) >= 0, "to be at least " + shown(*least));
  if (most) note(value->is_number() && compare(*most) <= 0, "to be at most " + shown(*most));
}

}  // namespace squall::lab
