#include "squall/mcp/types.h"

#include <array>

#include "squall/mcp/names.h"

namespace squall::mcp {

namespace {
constexpr std::array<std::string_view, 8> kLevels = {"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};
}  // namespace

std::string_view to_text(LogLevel level) noexcept {
  return kLevels[static_cast<std::size_t>(level)];
}

std::optional<LogLevel> log_level_from(std::string_view text) noexcept {
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (kLevels[i] == text) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

std::optional<ClientCapabilities> ClientCapabilities::from(const json::Value& value) {
  if (!value.is_object()) return std::nullopt;
  const json::Value* roots = value.find("roots");
  const json::Value* sampling = value.find("sampling");
  const json::Value* elicitation = value.find("elicitation");
  for (const json::Value* part : {roots, sampling, elicitation}) {
    if (part != nullptr && !part->is_object()) return std::nullopt;
  }
  ClientCapabilities out;
  out.roots = roots != nullptr;
  out.sampling = sampling != nullptr;
  out.sampling_tools = sampling != nullptr && sampling->contains("tools");
  if (elicitation != nullptr) {
    out.elicitation_url = elicitation->contains("url");
    out.elicitation_form = elicitation->contains("form") || !out.elicitation_url;
  }
  const json::Value* extensions = value.find("extensions");
  const json::Value* tasks = extensions != nullptr ? extensions->find(extension::kTasks) : nullptr;
  out.tasks = tasks != nullptr && tasks->is_object();
  return out;
}

json::Value Implementation::to_json() const {
  json::Value out = json::Value::object({{"name", name}, {"version", version}});
  if (!title.empty()) out.set("title", title);
  if (!description.empty()) out.set("description", description);
  if (!website_url.empty()) out.set("websiteUrl", website_url);
  if (icons.is_array()) out.set("icons", icons);
  return out;
}

}  // namespace squall::mcp
