// Results of another shape than promised, and results cut short.
#include <algorithm>
#include <optional>

#include "squall/base/text.h"
#include "squall/fault/mutate.h"
#include "squall/json/pointer.h"
#include "squall/json/write.h"

#include "result_view.h"

namespace squall::fault {

namespace {

/// Numbers and booleans as strings, all the way down. Depth is bounded by the parser's limit.
json::Value as_strings(const json::Value& value) {
  if (value.is_number() || value.is_bool()) return json::to_string(value);
  if (value.is_array()) {
    std::vector<json::Value> items;
    for (const json::Value& item : value.items()) items.push_back(as_strings(item));
    return json::Value::from_items(std::move(items));
  }
  if (!value.is_object()) return value;
  std::vector<json::Member> members;
  for (const json::Member& member : value.members()) {
    members.emplace_back(member.name(), as_strings(member.value));
  }
  return json::Value::from_members(std::move(members));
}

json::Value as_pairs(const json::Value& object) {
  std::vector<json::Value> pairs;
  for (const json::Member& member : object.members()) {
    pairs.push_back(json::Value::array({json::Value(member.name()), member.value}));
  }
  return json::Value::from_items(std::move(pairs));
}

/// The member to drop: the one asked for, else the first required one that is there.
std::string field_of(const json::Value& object, const BreakOptions& options) {
  if (!options.field.empty()) return std::string(options.field);
  const json::Value* required =
      options.output_schema == nullptr ? nullptr : options.output_schema->find("required");
  if (required != nullptr) {
    for (const json::Value& name : required->items()) {
      if (name.is_string() && object.contains(name.string())) return std::string(name.string());
    }
  }
  return object.members().empty() ? "" : std::string(object.members().front().name());
}

/// A drawn member of `object` that `wanted` takes, put through `change`.
template <typename Wanted, typename Rewrite>
json::Value rewrite_one(json::Value object, const Draws& draws, Wanted&& wanted, Rewrite&& change) {
  std::vector<Option> names;
  for (const json::Member& member : object.members()) {
    if (!wanted(member.value)) continue;
    std::string pointer;
    json::append_pointer_token(pointer, member.name());
    names.push_back({std::move(pointer), 1});
  }
  if (names.empty()) return object;
  const auto pointer = json::Pointer::parse(names[draws.pick("target", names)].name);
  json::Value* at = find_in(object, *pointer);
  *at = change(*at);
  return object;
}

json::Value broken(const json::Value& told, const Draws& draws, const BreakOptions& options) {
  json::Value out = told;
  if (options.mode == "type-swap") return as_strings(told);
  if (options.mode == "wrong-container") return told.is_object() ? as_pairs(told) : out;
  if (options.mode == "drop-required") {
    out.erase(field_of(told, options));
  } else if (options.mode == "null") {
    out = rewrite_one(
        std::move(out), draws, [](const json::Value& v) { return !v.is_null(); },
        [](const json::Value&) { return json::Value(); });
  } else if (options.mode == "number-as-string") {
    out = rewrite_one(
        std::move(out), draws, [](const json::Value& v) { return v.is_number(); },
        [](const json::Value& v) { return json::Value(v.number_text()); });
  } else if (options.mode == "extra" && told.is_object()) {
    std::string name = "extra";
    while (told.contains(name)) name += "_";
    out.set(name, true);
  }
  return out;
}

bool is_name(std::string_view text) {
  return !text.empty() && !(text.front() >= '0' && text.front() <= '9') &&
         std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_';
         });
}

/// JSON with the quotes of its plain keys left out.
std::string without_key_quotes(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '"') {
      out += text[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    const std::string_view inside = text.substr(at + 1, end - at - 1);
    const std::size_t next = text.find_first_not_of(" \t\r\n", end + 1);
    const bool key = next != std::string_view::npos && text[next] == ':';
    if (key && is_name(inside)) {
      out += inside;
    } else {
      out.append("\"").append(inside).append("\"");
    }
    at = end + 1;
  }
  return out;
}

Mutation unquote_keys(ResultView view) {
  Mutation out;
  for (std::size_t i = 0; i < view.block_count() && view.told() != nullptr; ++i) {
    const auto text = view.text(i);
    if (!text || text->find_first_of("{") == std::string_view::npos) continue;
    std::string bare = without_key_quotes(*text);
    if (bare == *text) continue;
    out.changes.push_back({"/content/" + std::to_string(i), "unquoted-keys",
                           json::to_string(json::Value(*text)), json::to_string(bare)});
    view.set_text(i, std::move(bare));
  }
  // A program that reads the structured content alone would notice nothing.
  if (out.changed()) view.drop_structured();
  out.result = view.take();
  return out;
}

std::string cut_text(std::string_view text, const TruncateOptions& options) {
  std::size_t end = text.size();
  if (options.unit == "share") {
    end = text.size() * std::min<std::size_t>(options.keep, 100) / 100;
  } else if (options.unit == "bytes") {
    end = std::min(options.keep, text.size());
  } else {
    std::size_t at = 0;
    for (std::size_t n = 0; n < options.keep && at < text.size(); ++n) {
      static_cast<void>(base::next_code_point(text, at));
    }
    end = at;
  }
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  if (end == text.size()) return std::string(text);
  return std::string(text.substr(0, end)).append(options.marker);
}

Mutation cut_texts(ResultView view, const TruncateOptions& options) {
  Mutation out;
  for (std::size_t i = 0; i < view.block_count(); ++i) {
    const auto text = view.text(i);
    if (!text) continue;
    std::string cut = cut_text(*text, options);
    if (cut == *text) continue;
    out.changes.push_back({"/content/" + std::to_string(i), "truncated",
                           json::to_string(json::Value(*text)), json::to_string(cut)});
    view.set_text(i, std::move(cut));
  }
  if (out.changed()) view.drop_structured();
  out.result = view.take();
  return out;
}

Mutation cut_blocks(json::Value result, std::size_t keep) {
  Mutation out;
  json::Value* content = result.find("content");
  if (content != nullptr && content->items().size() > keep) {
    const std::string before = json::to_string(*content);
    std::vector<json::Value> kept(content->items().begin(),
                                  content->items().begin() + static_cast<std::ptrdiff_t>(keep));
    *content = json::Value::from_items(std::move(kept));
    out.changes.push_back({"/content", "truncated", before, json::to_string(*content)});
    result.erase("structuredContent");
  }
  out.result = std::move(result);
  return out;
}

/// The outermost array that has more rows than are kept, cut.
std::optional<Change> cut_array(json::Value& value, std::size_t keep, std::string pointer) {
  if (value.is_array() && value.size() > keep) {
    const std::string before = json::to_string(value);
    std::vector<json::Value> kept(value.items().begin(),
                                  value.items().begin() + static_cast<std::ptrdiff_t>(keep));
    value = json::Value::from_items(std::move(kept));
    return Change{std::move(pointer), "truncated", before, json::to_string(value)};
  }
  for (json::Member& member : value.members()) {
    std::string inner = pointer;
    json::append_pointer_token(inner, member.name());
    if (auto change = cut_array(member.value, keep, std::move(inner))) return change;
  }
  return std::nullopt;
}

Mutation cut_rows(ResultView view, std::size_t keep) {
  Mutation out;
  if (view.told() != nullptr) {
    json::Value told = *view.told();
    if (auto change = cut_array(told, keep, "")) {
      out.changes.push_back(*std::move(change));
      view.replace_all(std::move(told));
    }
  }
  out.result = view.take();
  return out;
}

}  // namespace

Mutation break_schema(const json::Value& result, const Draws& draws, const BreakOptions& options) {
  ResultView view(result);
  if (options.mode == "unquoted-keys") return unquote_keys(std::move(view));
  Mutation out;
  if (options.mode == "missing-structured") {
    if (const json::Value* structured = result.find("structuredContent")) {
      out.changes.push_back({"", "missing-structured", json::to_string(*structured), ""});
      view.drop_structured();
    }
  } else if (view.told() != nullptr) {
    const json::Value before = *view.told();
    json::Value after = broken(before, draws, options);
    if (after != before) {
      out.changes.push_back(
          {"", std::string(options.mode), json::to_string(before), json::to_string(after)});
      view.replace_all(std::move(after));
    }
  }
  out.result = view.take();
  return out;
}

Mutation truncate(const json::Value& result, const TruncateOptions& options) {
  if (options.unit == "blocks") return cut_blocks(result, options.keep);
  if (options.unit == "rows") return cut_rows(ResultView(result), options.keep);
  return cut_texts(ResultView(result), options);
}

}  // namespace squall::fault
