#include <array>

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::array<std::string_view, 4> kLists = {"tools", "prompts", "resources",
                                                    "resourceTemplates"};

void on_response(Scene& scene) {
  auto result = scene.result();
  if (!result) return scene.noop("there is no list");
  const std::string variant(scene.with.text("variant", "cursor-missing"));
  if (variant == "cursor-missing") {
    if (!result->erase("nextCursor")) return scene.noop("it is the last page");
  } else if (variant == "cursor-repeated") {
    // The cursor that led here leads here again.
    const json::Value& cursor = scene.ongoing.cursor;
    result->set("nextCursor", cursor.is_null() ? json::Value("page-1") : cursor);
  } else if (variant == "cursor-loop") {
    result->set("nextCursor", "page-" + std::to_string(++scene.fact("pages") % 2));
  } else {
    for (const std::string_view member : kLists) {
      if (result->contains(member)) result->set(member, json::Value::array());
    }
    result->set("nextCursor", "page-" + std::to_string(++scene.fact("pages")));
  }
  scene.set_result(*std::move(result), "pages: " + variant);
}

}  // namespace

const Fault page_kind{.kind = "page", .on_response = on_response};

}  // namespace squall::inject
