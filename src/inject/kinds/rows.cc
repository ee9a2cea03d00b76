#include "squall/fault/mutate.h"

#include "kinds.h"

namespace squall::inject {

namespace {

void on_response(Scene& scene) {
  const auto result = scene.result();
  if (!result) return scene.noop("there is no result");
  const std::string change(scene.with.text("change", "dropped"));
  fault::Mutation changed = fault::change_rows(
      *result, scene.draws(), change, static_cast<std::size_t>(scene.with.count("count", 1)));
  if (!changed.changed()) return scene.noop("there are no rows to change");
  std::string how = "rows " + change + " at " + changed.changes.front().pointer;
  scene.set_result(std::move(changed.result), std::move(how));
}

}  // namespace

const Fault rows_kind{.kind = "rows", .on_response = on_response};

}  // namespace squall::inject
