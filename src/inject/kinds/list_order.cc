#include <array>

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::array<std::string_view, 4> kLists = {"tools", "prompts", "resources",
                                                    "resourceTemplates"};

void on_response(Scene& scene) {
  auto result = scene.result();
  if (!result) return scene.noop("there is no list");
  const std::string variant(scene.with.text("variant", "shuffled"));
  for (const std::string_view member : kLists) {
    const json::Value* list = result->find(member);
    if (list == nullptr || list->items().empty()) continue;
    std::vector<json::Value> entries;
    if (variant == "duplicated") {
      entries.assign(list->items().begin(), list->items().end());
      const auto last = static_cast<std::int64_t>(entries.size()) - 1;
      entries.push_back(
          entries[static_cast<std::size_t>(scene.draws().integer("target", 0, last))]);
    } else {
      if (list->size() < 2) return scene.noop("one entry has one order");
      for (const std::size_t i : scene.draws().order("order", list->size())) {
        entries.push_back(list->items()[i]);
      }
    }
    result->set(member, json::Value::from_items(std::move(entries)));
    return scene.set_result(*std::move(result), "list " + variant);
  }
  scene.noop("the list is empty");
}

}  // namespace

const Fault list_order_kind{.kind = "list-order", .on_response = on_response};

}  // namespace squall::inject
