#include "squall/mcp/names.h"

#include "kinds.h"

namespace squall::inject {

namespace {

std::string_view header_of(std::string_view variant) {
  if (variant == "name") return "Mcp-Name";
  if (variant == "version") return "MCP-Protocol-Version";
  return "Mcp-Method";
}

void on_request(Scene& scene) {
  const std::string_view variant = scene.with.text("variant", "method");
  const std::string header(header_of(variant));
  if (scene.with.text("against", "server") == "client") {
    // As a server says it whose header and body disagree.
    std::string body = make_error(scene.ongoing.id, mcp::code::kHeaderMismatch,
                                  header + " does not say what the body says");
    return scene.answer_http(400, {{"Content-Type", "application/json"}}, std::move(body),
                             "taken for a request whose " + header + " is wrong");
  }
  const std::string value = variant == "version" ? "2025-11-25" : "something/else";
  scene.did(header + " contradicts the body");
  scene.out.main->set_headers.emplace_back(header, value);
  scene.out.main->delivery = recording::Delivery::changed;
}

}  // namespace

const Fault header_mismatch_kind{.kind = "header-mismatch", .on_request = on_request};

}  // namespace squall::inject
