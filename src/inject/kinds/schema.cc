#include "squall/fault/mutate.h"

#include "kinds.h"

namespace squall::inject {

namespace {

void on_response(Scene& scene) {
  const auto result = scene.result();
  if (!result) return scene.noop("there is no result");
  fault::BreakOptions options;
  options.mode = scene.with.text("mode", "type-swap");
  options.field = scene.with.text("field");
  options.output_schema = scene.shared.memory.output_schema(scene.ongoing.tool);
  fault::Mutation broken = fault::break_schema(*result, scene.draws(), options);
  if (!broken.changed()) return scene.noop("there is nothing whose shape could change");
  const bool still_right = options.output_schema != nullptr && options.mode != "unquoted-keys" &&
                           options.mode != "missing-structured" &&
                           scene.shared.memory.keeps_schema(scene.ongoing.tool, broken.result);
  scene.set_result(std::move(broken.result), still_right ? "another shape, which the schema allows"
                                                         : "breaks the output schema");
}

}  // namespace

const Fault schema_kind{.kind = "schema", .on_response = on_response};

}  // namespace squall::inject
