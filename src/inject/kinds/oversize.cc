#include <algorithm>

#include "squall/base/text.h"

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::uint64_t kSizeMax = std::uint64_t{256} << 20;

/// `size` bytes: `text` again and again when it repeats, else filler behind it.
std::string blow_up(std::string text, std::size_t size, bool repeat) {
  constexpr std::string_view kFiller = "Lorem ipsum dolor sit amet, consectetur adipiscing elit. ";
  std::string piece = repeat && !text.empty() ? text + "\n" : std::string(kFiller);
  if (!repeat && !text.empty()) text += '\n';
  if (repeat) text.clear();
  text.reserve(size + piece.size());
  while (text.size() < size) text += piece;
  // Cut where no character is split.
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  text.resize(size);
  return text;
}

void on_response(Scene& scene) {
  auto result = scene.result();
  if (!result) return scene.noop("there is no result");
  const auto size = static_cast<std::size_t>(std::min(scene.with.size("size"), kSizeMax));
  if (scene.bytes().size() >= size) return scene.noop("it is that large already");
  const std::string_view where = scene.with.text("where", "text");
  json::Value* content = result->find("content");
  std::string text;
  if (content != nullptr && !content->items().empty()) {
    text = content->items().front().find_string("text").value_or("");
  }
  text = blow_up(std::move(text), size, scene.with.flag("repeat"));
  if (where != "structured") {
    if (content == nullptr || !content->is_array()) {
      result->set("content", json::Value::array({text_block(text)}));
    } else if (content->items().empty()) {
      content->push_back(text_block(text));
    } else {
      content->items().front() = text_block(text);
    }
  }
  if (where != "text") {
    json::Value& structured = (*result)["structuredContent"];
    if (!structured.is_object()) structured = json::Value::object();
    structured.set("text", text);
  }
  scene.set_result(*std::move(result), "blown up to " + std::to_string(size) + " bytes");
}

}  // namespace

const Fault oversize_kind{.kind = "oversize", .on_response = on_response};

}  // namespace squall::inject
