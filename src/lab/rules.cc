#include <algorithm>

#include "squall/base/text.h"
#include "squall/json/number.h"
#include "squall/json/write.h"
#include "squall/lab/expect.h"

/// @file The rules for texts and values, as they are checked.

namespace squall::lab {

namespace {

constexpr std::size_t kShownBytesMax = 120;

std::string shown(const json::Value& value) {
  std::string text = json::to_string(value);
  if (text.size() > kShownBytesMax) {
    std::size_t cut = kShownBytesMax;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
    text.resize(cut);
    text += "...";
  }
  return text;
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
  return std::any_of(items.begin(), items.end(), [&](const json::Value& item) {
    return item == part;
  });
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
    out += std::string(out.empty() ? "" : " and ") + "to match " +
           shown(json::Value(matches->first));
  }
  return out;
}

void JsonRule::check(const std::string& where, const json::Value* value,
                     std::vector<std::string>& failures) const {
  const auto refuse = [&](const std::string& what) {
    failures.push_back("expected " + where + " " + what + ", received " +
                       (value != nullptr ? shown(*value) : std::string("nothing")));
  };
  if (absent) {
    if (value != nullptr) refuse("to be absent");
    return;
  }
  if (value == nullptr) return refuse("to be there");
  if (equals && *equals != *value) refuse("to be " + shown(*equals));
  if (contains && !lab::contains(*value, *contains)) refuse("to contain " + shown(*contains));
  if (matches && (!value->is_string() || !matches_schema(matches->second, value->string()))) {
    refuse("to match " + shown(json::Value(matches->first)));
  }
  if (length) {
    const auto found = length_of(*value);
    const auto count = static_cast<std::int64_t>(found.value_or(0));
    if (!found || count < length->first || count > length->second) {
      refuse("to have the length " + range_text(*length));
    }
  }
  if (schema && schema->validate(*value) != schema::Verdict::valid) refuse("to fit its schema");
  const auto compare = [&](const json::Value& bound) {
    return json::compare_numbers(value->number_text(), bound.number_text());
  };
  if (least && (!value->is_number() || compare(*least) < 0)) {
    refuse("to be at least " + shown(*least));
  }
  if (most && (!value->is_number() || compare(*most) > 0)) {
    refuse("to be at most " + shown(*most));
  }
}

}  // namespace squall::lab
