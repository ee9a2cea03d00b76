#include "squall/base/text.h"
#include "squall/json/write.h"
#include "squall/lab/scenario.h"

/// @file Earlier results in later steps: `{{first.result.structuredContent.id}}`.

namespace squall::lab {

namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";
constexpr std::size_t kTextBytesMax = std::size_t{1} << 20;
constexpr int kDepthMax = 64;

/// One segment further: a member's name, or an element's number.
const json::Value* step_into(const json::Value& value, std::string_view segment) {
  if (!value.is_array()) return value.find(segment);
  const auto index = json::Value::number(segment);
  const auto number = index ? index->as_uint64() : std::nullopt;
  return number && *number < value.size() ? &value.items()[*number] : nullptr;
}

Result<const json::Value*> look_up(std::string_view path, const json::Value& results) {
  const json::Value* at = &results;
  std::string_view rest = path;
  while (true) {
    const std::size_t dot = rest.find('.');
    at = step_into(*at, rest.substr(0, dot));
    if (at == nullptr) {
      return fail(ErrorKind::not_found, "nothing stands at {{" + base::show_name(path) + "}}");
    }
    if (dot == std::string_view::npos) return at;
    rest.remove_prefix(dot + 1);
  }
}

Result<json::Value> fill_text(std::string_view text, const json::Value& results) {
  std::string out;
  std::string_view rest = text;
  while (true) {
    const std::size_t open = rest.find(kOpen);
    const std::size_t close = open == rest.npos ? rest.npos : rest.find(kClose, open);
    if (close == rest.npos) return json::Value(out.append(rest));
    const std::string_view path = base::trim(rest.substr(open + 2, close - open - 2));
    SQUALL_TRY(const json::Value* found, look_up(path, results));
    const bool whole = open == 0 && close + 2 == rest.size() && out.empty();
    if (whole) return *found;
    out.append(rest.substr(0, open));
    out += found->is_string() ? std::string(found->string()) : json::to_string(*found);
    if (out.size() > kTextBytesMax) return fail(ErrorKind::limit, "a text grows beyond 1 MiB");
    rest.remove_prefix(close + 2);
  }
}

Result<json::Value> fill(const json::Value& value, const json::Value& results, int depth) {
  if (value.is_string()) return fill_text(value.string(), results);
  if (depth == 0) return fail(ErrorKind::limit, "arguments are nested too deeply");
  if (value.is_array()) {
    std::vector<json::Value> items;
    for (const json::Value& item : value.items()) {
      SQUALL_TRY(json::Value filled, fill(item, results, depth - 1));
      items.push_back(std::move(filled));
    }
    return json::Value::from_items(std::move(items));
  }
  if (!value.is_object()) return value;
  json::Value out = json::Value::object();
  for (const json::Member& member : value.members()) {
    SQUALL_TRY(json::Value filled, fill(member.value, results, depth - 1));
    out.set(member.name(), std::move(filled));
  }
  return out;
}

}  // namespace

Result<json::Value> fill_in(const json::Value& value, const json::Value& results) {
  return fill(value, results, kDepthMax);
}

}  // namespace squall::lab
