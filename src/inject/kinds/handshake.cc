#include "squall/fault/profile.h"
#include "squall/mcp/names.h"
#include "squall/mcp/revision.h"

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::string_view kNoRevision = "2019-01-01";

void on_request(Scene& scene) {
  const std::string_view variant = scene.with.text("variant", "refuse");
  if (variant == "refuse") {
    return scene.answer_error(jsonrpc::code::kInternalError, "Not now", "the opening refused");
  }
  if (variant != "version-loop") return;
  // The client offered what it is told to offer.
  const json::Value data = json::Value::object(
      {{"supported", json::Value::array({json::Value(scene.ongoing.revision.empty()
                                                         ? mcp::to_text(mcp::kLatestModern)
                                                         : scene.ongoing.revision)})},
       {"requested", kNoRevision}});
  scene.answer_error(mcp::code::kUnsupportedVersion, "Unsupported protocol version",
                     "the version refused that is asked for", &data);
}

void lie_about_versions(json::Value& result) {
  if (result.contains("protocolVersion")) result.set("protocolVersion", kNoRevision);
  if (result.contains("supportedVersions")) {
    result.set("supportedVersions", json::Value::array({json::Value(kNoRevision)}));
  }
}

void on_response(Scene& scene) {
  const std::string variant(scene.with.text("variant", "refuse"));
  if (variant == "slow") {
    const auto delay = scene.with.delay("delay", scene.bytes().size());
    const auto time = delay.count() > 0 ? delay : std::chrono::seconds(10);
    return scene.delay(time, "the opening " + fault::time_text(time) + " late");
  }
  if (variant == "second-initialize") {
    return scene.send_behind(scene.bytes(), "the opening answered twice");
  }
  auto result = scene.result();
  if (!result) return scene.noop("there is no result");
  if (variant == "wrong-version") {
    const json::Value before = *result;
    lie_about_versions(*result);
    if (before == *result) return scene.noop("it names no version");
  } else if (variant == "capability-lie") {
    const json::Value all = json::Value::object(
        {{"tools", json::Value::object({{"listChanged", true}})},
         {"prompts", json::Value::object({{"listChanged", true}})},
         {"resources", json::Value::object({{"subscribe", true}, {"listChanged", true}})},
         {"completions", json::Value::object()},
         {"logging", json::Value::object()}});
    const json::Value* now = result->find("capabilities");
    const bool all_there = now != nullptr && *now == all;
    result->set("capabilities", all_there ? json::Value::object() : all);
  } else {
    lie_about_versions(*result);
    result->set("capabilities", json::Value::object());
  }
  scene.set_result(*std::move(result), "the opening lies: " + variant);
}

}  // namespace

const Fault handshake_kind{
    .kind = "handshake", .on_request = on_request, .on_response = on_response};

}  // namespace squall::inject
