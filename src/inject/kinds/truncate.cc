#include "squall/base/text.h"
#include "squall/fault/mutate.h"
#include "squall/json/write.h"

#include "kinds.h"

namespace squall::inject {

namespace {

/// Where a character of several bytes stands at or before byte `keep`: the offset behind its first
/// byte; npos when there is none.
std::size_t inside_character(std::string_view text, std::size_t keep) {
  std::size_t found = std::string_view::npos;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    static_cast<void>(base::next_code_point(text, at));
    if (begin >= keep && found != std::string_view::npos) break;
    if (at - begin > 1) found = begin + 1;
    if (begin >= keep && found != std::string_view::npos) break;
  }
  return found;
}

/// Cuts the first text inside a character, which makes bytes that are no UTF-8.
void split_character(Scene& scene) {
  auto message = scene.message();
  json::Value* result = message ? message->find("result") : nullptr;
  json::Value* content = result == nullptr ? nullptr : result->find("content");
  if (content == nullptr) return scene.noop("there is no content");
  for (json::Value& block : content->items()) {
    const std::string text(block.find_string("text").value_or(""));
    const std::size_t end = inside_character(text, scene.with.count("keep"));
    if (end == std::string::npos) continue;
    std::string cut;
    json::write_string(cut, text.substr(0, end - 1));
    cut.back() = text[end - 1];  // in place of the closing quote
    block.set("text", kRawMark);
    result->erase("structuredContent");
    return scene.set_bytes(write_with_raw(scene.bytes(), *message, cut + '"'),
                           "cut inside a character");
  }
  scene.noop("no text has a character of several bytes");
}

void on_response(Scene& scene) {
  if (scene.with.flag("split-char")) return split_character(scene);
  const auto result = scene.result();
  if (!result) return scene.noop("there is no result");
  fault::TruncateOptions options;
  options.keep = static_cast<std::size_t>(scene.with.count("keep"));
  options.unit = scene.with.text("unit", "code-points");
  options.marker = scene.with.text("marker");
  fault::Mutation cut = fault::truncate(*result, options);
  if (!cut.changed()) return scene.noop("it is short enough already");
  scene.set_result(std::move(cut.result),
                   "cut to " + std::to_string(options.keep) + " " + std::string(options.unit));
}

}  // namespace

const Fault truncate_kind{.kind = "truncate", .on_response = on_response};

}  // namespace squall::inject
