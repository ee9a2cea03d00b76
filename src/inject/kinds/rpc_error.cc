#include "kinds.h"

namespace squall::inject {

namespace {

std::string_view text_of(std::int64_t code) {
  switch (code) {
    case jsonrpc::code::kParseError:
      return "Parse error";
    case jsonrpc::code::kInvalidRequest:
      return "Invalid request";
    case jsonrpc::code::kMethodNotFound:
      return "Method not found";
    case jsonrpc::code::kInvalidParams:
      return "Invalid params";
    case jsonrpc::code::kInternalError:
      return "Internal error";
    default:
      return "Server error";
  }
}

void answer(Scene& scene, std::string how) {
  const std::int64_t code = scene.with.integer("code", jsonrpc::code::kInternalError);
  const std::string_view text = scene.with.text("message", text_of(code));
  scene.answer_error(code, text, std::move(how), scene.with.any("data"));
}

bool is_before(const Scene& scene) { return scene.with.text("execute", "after") == "before"; }

void on_request(Scene& scene) {
  if (is_before(scene)) answer(scene, "a protocol error, not executed");
}

void on_response(Scene& scene) {
  if (!is_before(scene)) answer(scene, "a protocol error, though executed");
}

}  // namespace

const Fault rpc_error_kind{
    .kind = "rpc-error", .on_request = on_request, .on_response = on_response};

}  // namespace squall::inject
