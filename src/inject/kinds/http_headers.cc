#include "kinds.h"

namespace squall::inject {

namespace {

void on_request(Scene& scene) {
  const std::string variant(scene.with.text("variant", "wrong-type"));
  Shape shape;
  if (variant == "wrong-type") shape.set_headers.emplace_back("Content-Type", "text/html");
  if (variant == "no-type") shape.drop_headers.emplace_back("Content-Type");
  if (variant == "charset") {
    shape.set_headers.emplace_back("Content-Type", "application/json; charset=utf-16");
  }
  if (variant == "gzip-lie") shape.set_headers.emplace_back("Content-Encoding", "gzip");
  if (variant == "length-long") shape.length_off = 10;
  if (variant == "length-short") shape.length_off = -10;
  if (shape.length_off != 0) shape.framing = Shape::Framing::json;
  scene.shape(std::move(shape), "headers that lie: " + variant);
}

}  // namespace

const Fault http_headers_kind{.kind = "http-headers", .on_request = on_request};

}  // namespace squall::inject
