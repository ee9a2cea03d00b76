#include "squall/json/write.h"

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::string_view kPage =
    "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head>"
    "<body><h1>502 Bad Gateway</h1></body></html>";

/// Variants that change members of the message.
std::string with_members_changed(const std::string& bytes, json::Value message,
                                 std::string_view variant) {
  if (variant == "missing-jsonrpc") {
    message.erase("jsonrpc");
  } else if (variant == "invalid-jsonrpc-version") {
    message.set("jsonrpc", "1.0");
  } else if (variant == "result-with-error") {
    const bool failed = message.contains("error");
    if (failed) message.set("result", json::Value::object());
    if (!failed) {
      message.set("error", json::Value::object({{"code", -32603}, {"message", "Internal error"}}));
    }
  } else if (variant == "neither") {
    message.erase("result");
    message.erase("error");
  } else {
    message.set("status", "ok").set("method", json::Value());
  }
  return write_like(bytes, message);
}

void on_response(Scene& scene) {
  const std::string variant(scene.with.text("variant", "truncated"));
  const std::string bytes = scene.bytes();
  std::string how = "malformed: " + variant;
  if (variant == "truncated") {
    return scene.set_bytes(bytes.substr(0, bytes.size() / 2), std::move(how));
  }
  if (variant == "not-json") return scene.set_bytes("upstream connect error", std::move(how));
  if (variant == "html") return scene.set_bytes(std::string(kPage), std::move(how));
  if (variant == "batch") return scene.set_bytes("[" + bytes + "]", std::move(how));
  if (variant == "empty-batch") return scene.set_bytes("[]", std::move(how));
  auto message = scene.message();
  if (!message) return scene.noop("it is malformed already");
  scene.set_bytes(with_members_changed(bytes, *std::move(message), variant), std::move(how));
}

}  // namespace

const Fault malformed_kind{.kind = "malformed", .on_response = on_response};

}  // namespace squall::inject
