#include "squall/base/text.h"

#include "kinds.h"

namespace squall::inject {

namespace {

/// The first block; a text when there is none.
json::Value& first_block(json::Value& result) {
  json::Value& content = result["content"];
  if (!content.is_array()) content = json::Value::array();
  if (content.items().empty()) content.push_back(text_block(""));
  return content.items().front();
}

/// What a block holds, as base64.
std::string data_of(const json::Value& block) {
  if (const auto data = block.find_string("data")) return std::string(*data);
  return base::base64_encode(block.find_string("text").value_or(""));
}

void on_response(Scene& scene) {
  auto result = scene.result();
  if (!result) return scene.noop("there is no result");
  json::Value& block = first_block(*result);
  const std::string_view variant = scene.with.text("variant", "wrong-mime");
  if (variant == "binary-text") {
    std::string text("\x89PNG\r\n\x1a\n");
    text[0] = '\x7f';
    text += '\0';
    text += "\x01\x02\x03IHDR";
    block = text_block(text);
  } else {
    std::string data = data_of(block);
    const bool image = block.find_string("mimeType").value_or("") == "image/png";
    if (variant == "broken-base64") data = data.substr(0, data.size() / 2) + "*=!";
    block = json::Value::object(
        {{"type", "image"}, {"data", data}, {"mimeType", image ? "application/pdf" : "image/png"}});
  }
  scene.set_result(*std::move(result), "content that is not what it says: " + std::string(variant));
}

}  // namespace

const Fault media_kind{.kind = "media", .on_response = on_response};

}  // namespace squall::inject
