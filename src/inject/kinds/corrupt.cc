#include "squall/fault/mutate.h"

#include "kinds.h"

namespace squall::inject {

namespace {

std::string describe(const fault::Mutation& mutation) {
  const fault::Change& first = mutation.changes.front();
  std::string out =
      first.by + " at " + first.pointer + ": " + first.before + " became " + first.after;
  constexpr std::size_t kShown = 200;
  if (out.size() > kShown) out = first.by + " at " + first.pointer;
  if (mutation.changes.size() > 1) {
    out += " and " + std::to_string(mutation.changes.size() - 1) + " more";
  }
  return out;
}

void on_response(Scene& scene) {
  const auto result = scene.result();
  if (!result) return scene.noop("there is no result");
  fault::CorruptOptions options;
  const std::string_view of = scene.with.text("of", "any");
  if (of != "any") options.of.emplace_back(of);
  options.count = static_cast<std::size_t>(scene.with.count("count", 1));
  if (scene.with.flag("respect-schema", true)) {
    options.accept = [&scene](const json::Value& changed) {
      return scene.shared.memory.keeps_schema(scene.ongoing.tool, changed);
    };
  }
  fault::Mutation wrong = fault::corrupt(*result, scene.draws(), options);
  if (!wrong.changed()) return scene.noop("there is no value of that kind to change");
  std::string how = describe(wrong);
  scene.set_result(std::move(wrong.result), std::move(how));
}

}  // namespace

const Fault corrupt_kind{.kind = "corrupt", .on_response = on_response};

}  // namespace squall::inject
