#include "kinds.h"

namespace squall::inject {

namespace {

/// The name with one letter that only looks the same: Cyrillic in place of Latin.
std::string look_alike(std::string name) {
  constexpr std::pair<char, std::string_view> kLetters[] = {
      {'a', "\u0430"}, {'e', "\u0435"}, {'o', "\u043e"}, {'p', "\u0440"}, {'c', "\u0441"}};
  for (const auto& [latin, cyrillic] : kLetters) {
    const std::size_t at = name.find(latin);
    if (at != std::string::npos) return name.replace(at, 1, cyrillic);
  }
  return name + "\u200b";
}

void on_entry(Scene& scene) {
  Entry& entry = *scene.entry;
  if (!entry.value || !entry.value->contains("name")) return scene.noop("it has no name");
  std::string name(scene.with.text("to"));
  if (name.empty() || scene.with.flag("homoglyph")) name = look_alike(std::string(entry.name));
  if (name == entry.name) return scene.noop("it has that name already");
  scene.did("renames " + std::string(entry.name));
  // Calls by the new name are the tool's: it has another name, and works.
  if (scene.shared.renamed.size() < kFactsMax) {
    scene.shared.renamed.insert_or_assign(name, std::string(entry.name));
  }
  entry.value->set("name", name);
}

}  // namespace

const Fault rename_tool_kind{.kind = "rename-tool", .on_entry = on_entry};

}  // namespace squall::inject
