#include "squall/client/outcome.h"

namespace squall::client {

std::string_view to_text(OutcomeKind kind) noexcept {
  switch (kind) {
    case OutcomeKind::success:
      return "success";
    case OutcomeKind::tool_error:
      return "tool_error";
    case OutcomeKind::protocol_error:
      return "protocol_error";
    case OutcomeKind::timeout:
      return "timeout";
    case OutcomeKind::cancelled:
      return "cancelled";
    case OutcomeKind::lost:
      return "lost";
    case OutcomeKind::invalid:
      return "invalid";
  }
  return "";
}

bool Failure::may_have_run() const noexcept {
  switch (kind) {
    case OutcomeKind::timeout:
    case OutcomeKind::cancelled:
    case OutcomeKind::invalid:
      return true;
    case OutcomeKind::lost:
      return loss.may_have_run;
    case OutcomeKind::success:
    case OutcomeKind::tool_error:
    case OutcomeKind::protocol_error:
      return false;
  }
  return false;
}

bool ToolResult::is_error() const noexcept {
  const json::Value* const flag = json().find("isError");
  return flag != nullptr && flag->boolean();
}

std::string ToolResult::text() const {
  std::string out;
  const json::Value* const content = json().find("content");
  if (content == nullptr) return out;
  for (const json::Value& block : content->items()) {
    if (block.find_string("type") != "text") continue;
    if (!out.empty()) out += '\n';
    out += block.find_string("text").value_or("");
  }
  return out;
}

const json::Value* ToolResult::structured() const noexcept {
  return json().find("structuredContent");
}

OutcomeKind kind_of(const Outcome<ToolResult>& outcome) noexcept {
  if (!outcome.has_value()) return outcome.error().kind;
  return outcome->is_error() ? OutcomeKind::tool_error : OutcomeKind::success;
}

}  // namespace squall::client
