#include "kinds.h"

namespace squall::inject {

namespace {

void on_request(Scene& scene) {
  const std::string variant(scene.with.text("variant", "malformed"));
  Shape shape;
  shape.chunks = Shape::Chunks::malformed;
  if (variant == "garbage-then-close") shape.chunks = Shape::Chunks::garbage_then_close;
  if (variant == "early-close") shape.chunks = Shape::Chunks::early_close;
  scene.shape(std::move(shape), "chunks that break: " + variant);
}

}  // namespace

const Fault bad_chunk_kind{.kind = "bad-chunk", .on_request = on_request};

}  // namespace squall::inject
