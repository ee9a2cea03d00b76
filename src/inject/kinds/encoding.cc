#include "squall/base/text.h"
#include "squall/json/write.h"

#include "kinds.h"

namespace squall::inject {

namespace {

std::string as_utf16(std::string_view text) {
  std::string out = "\xff\xfe";
  for (std::size_t at = 0; at < text.size();) {
    char32_t point = base::next_code_point(text, at);
    const auto put = [&out](char32_t unit) {
      out += static_cast<char>(unit & 0xFFU);
      out += static_cast<char>(unit >> 8U);
    };
    if (point > 0xFFFF) {
      point -= 0x10000;
      put(0xD800 + (point >> 10U));
      put(0xDC00 + (point & 0x3FFU));
    } else {
      put(point);
    }
  }
  return out;
}

void on_response(Scene& scene) {
  const std::string variant(scene.with.text("variant", "invalid"));
  std::string how = "encoding: " + variant;
  if (base::find_invalid_utf8(scene.bytes()) != std::string_view::npos) {
    return scene.noop("it is no UTF-8 already");
  }
  if (variant == "bom") return scene.set_bytes("\xef\xbb\xbf" + scene.bytes(), std::move(how));
  if (variant == "utf-16") return scene.set_bytes(as_utf16(scene.bytes()), std::move(how));
  auto message = scene.message();
  json::Value* result = message ? message->find("result") : nullptr;
  if (result == nullptr || !result->is_object()) return scene.noop("there is no result");
  json::Value& content = (*result)["content"];
  if (!content.is_array()) content = json::Value::array();
  if (content.items().empty()) content.push_back(text_block(""));
  json::Value& text = content.items().front()["text"];
  std::string raw;
  json::write_string(raw, text.string());
  raw.pop_back();
  if (variant == "invalid") raw += "\xff\xfe";
  if (variant == "overlong") raw += "\xc0\xaf";
  if (variant == "truncated") raw += "\xe2\x82";
  text = kRawMark;
  scene.set_bytes(write_with_raw(scene.bytes(), *message, raw + '"'), std::move(how));
}

}  // namespace

const Fault encoding_kind{.kind = "encoding", .on_response = on_response};

}  // namespace squall::inject
