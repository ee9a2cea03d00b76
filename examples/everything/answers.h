#pragma once

#include <string>
#include <string_view>

#include "squall/json/value.h"
#include "squall/json/write.h"

/// @file Reading what clients answer.

namespace everything {

/// The fields of a form that the user filled in and sent, or null when there is no answer (null is
/// fine) or the user declined.
[[nodiscard]] inline const squall::json::Value* accepted(const squall::json::Value* answer) {
  if (answer == nullptr || answer->find_string("action") != "accept") return nullptr;
  return answer->find("content");
}

/// What the client's model said: the text of its (first) block.
[[nodiscard]] inline std::string said(const squall::json::Value& answer) {
  const squall::json::Value* content = answer.find("content");
  if (content != nullptr && !content->items().empty()) content = &content->items().front();
  if (content == nullptr) return {};
  return std::string(content->find_string("text").value_or(""));
}

/// "action=accept, content={...}"
[[nodiscard]] inline std::string describe(const squall::json::Value& answer) {
  std::string text = "action=" + std::string(answer.find_string("action").value_or("none"));
  if (const auto* content = answer.find("content")) {
    text += ", content=" + squall::json::to_string(*content);
  }
  return text;
}

/// A form of one required field: `{"type":"object","properties":{FIELD:{"type":TYPE}},...}`.
[[nodiscard]] inline squall::json::Value form_of(std::string_view field, std::string_view type) {
  using squall::json::Value;
  Value property = Value::object({{"type", type}});
  return Value::object({{"type", "object"},
                        {"properties", Value::object({{field, std::move(property)}})},
                        {"required", Value::array({field})}});
}

}  // namespace everything
