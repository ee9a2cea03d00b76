#include "trim.h"

#include <vector>

#include "squall/json/write.h"

namespace squall::server {

namespace {

json::Value* longest_list(json::Value& value) {
  if (value.is_array()) return &value;
  json::Value* longest = nullptr;
  std::size_t longest_bytes = 0;
  for (json::Member& member : value.members()) {
    if (!member.value.is_array()) continue;
    const std::size_t bytes = json::to_string(member.value).size();
    if (longest != nullptr && bytes <= longest_bytes) continue;
    longest = &member.value;
    longest_bytes = bytes;
  }
  return longest;
}

}  // namespace

std::optional<Trimmed> trim_list(json::Value& value, std::size_t bytes) {
  json::Value* list = longest_list(value);
  if (list == nullptr || list->size() == 0) return std::nullopt;
  // What everything but the items takes; each item then brings itself and a comma.
  std::size_t used = json::to_string(value).size() - json::to_string(*list).size() + 2;
  const std::size_t all = list->size();
  std::size_t kept = 0;
  for (const json::Value& item : list->items()) {
    used += json::to_string(item).size() + (kept == 0 ? 0 : 1);
    if (used > bytes) break;
    ++kept;
  }
  if (kept == 0) return std::nullopt;
  std::vector<json::Value> items;
  items.reserve(kept);
  for (json::Value& item : list->items().first(kept)) items.push_back(std::move(item));
  *list = json::Value::from_items(std::move(items));
  return Trimmed{kept, all};
}

std::string_view trim_text(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  while (bytes > 0 && continues(text[bytes])) --bytes;
  std::string_view out = text.substr(0, bytes);
  const std::size_t line = out.rfind('\n');
  if (line != std::string_view::npos && line >= bytes / 2) out = out.substr(0, line + 1);
  return out;
}

}  // namespace squall::server
