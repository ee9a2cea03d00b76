#include "squall/server/tool_error.h"

namespace squall::server {

namespace {

std::string_view name_of(Gravity gravity) {
  switch (gravity) {
    case Gravity::warning:
      return "warning";
    case Gravity::error:
      return "error";
    case Gravity::critical:
      return "critical";
  }
  return "error";
}

std::string_view code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid:
      return "INVALID";
    case ErrorKind::limit:
      return "LIMIT_EXCEEDED";
    case ErrorKind::not_found:
      return "NOT_FOUND";
    case ErrorKind::unavailable:
      return "UNAVAILABLE";
    case ErrorKind::timeout:
      return "TIMEOUT";
    case ErrorKind::cancelled:
      return "CANCELLED";
    case ErrorKind::internal:
      break;
  }
  return "INTERNAL_ERROR";
}

void append_attribute(std::string& out, std::string_view name, std::string_view value) {
  out += ' ';
  out += name;
  out += "=\"";
  append_escaped(out, value, Escape::attribute);
  out += '"';
}

void append_element(std::string& out, std::string_view name, std::string_view text) {
  out += '<';
  out += name;
  out += '>';
  append_escaped(out, text);
  out += "</";
  out += name;
  out += '>';
}

}  // namespace

void append_escaped(std::string& out, std::string_view text, Escape escape) {
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"' && escape == Escape::attribute) {
      out += "&quot;";
    } else if (c == '\'' && escape == Escape::attribute) {
      out += "&#39;";
    } else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') {
      out += "\xEF\xBF\xBD";
    } else {
      out += c;
    }
  }
}

std::string ToolError::text() const {
  std::string out = "<tool_error";
  append_attribute(out, "code", code_);
  append_attribute(out, "severity", name_of(gravity_));
  out += '>';
  append_element(out, "message", message_);
  if (!recovery_.empty()) append_element(out, "recovery", recovery_);
  for (const auto& [pointer, problem] : fields_) {
    out += "<field";
    append_attribute(out, "name", pointer);
    out += '>';
    append_escaped(out, problem);
    out += "</field>";
  }
  if (!actions_.empty()) {
    out += "<available_actions>";
    for (const std::string& action : actions_) append_element(out, "action", action);
    out += "</available_actions>";
  }
  for (const json::Member& detail : details_.members()) {
    out += "<detail";
    append_attribute(out, "name", detail.name());
    out += '>';
    append_escaped(out, detail.value.is_string() ? std::string(detail.value.string())
                                                 : json::to_string(detail.value));
    out += "</detail>";
  }
  if (retry_after_) {
    append_element(out, "retry_after_ms", std::to_string(retry_after_->count()));
  }
  return out + "</tool_error>";
}

json::Value ToolError::structured() const {
  json::Value error = json::Value::object(
      {{"code", code_}, {"severity", name_of(gravity_)}, {"message", message_}});
  if (!recovery_.empty()) error.set("recovery", recovery_);
  if (!fields_.empty()) {
    json::Value fields = json::Value::array();
    for (const auto& [pointer, problem] : fields_) {
      fields.push_back(json::Value::object({{"name", pointer}, {"problem", problem}}));
    }
    error.set("fields", std::move(fields));
  }
  if (!actions_.empty()) {
    json::Value actions = json::Value::array();
    for (const std::string& action : actions_) actions.push_back(action);
    error.set("available_actions", std::move(actions));
  }
  if (details_.is_object()) error.set("details", details_);
  if (retry_after_) error.set("retry_after_ms", std::int64_t{retry_after_->count()});
  return json::Value::object({{"error", std::move(error)}});
}

ToolResult ToolError::result() const {
  ToolResult out = ToolResult::text(text());
  out.structured = structured();
  out.is_error = gravity_ != Gravity::warning;
  out.is_envelope = true;
  return out;
}

ToolError to_tool_error(const Error& error) {
  if (error.kind == ErrorKind::internal) return internal_error();
  return {code_of(error.kind), error.message};
}

ToolError internal_error() {
  ToolError error("INTERNAL_ERROR", "the tool failed unexpectedly");
  error.recovery(
      "Do not repeat the same call at once: it is likely to fail again. Check the arguments, try "
      "another action, or tell the user.");
  return error;
}

}  // namespace squall::server
