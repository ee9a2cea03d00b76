#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "squall/json/value.h"

namespace squall::mcp {

/// Severity of a log message (RFC 5424), mildest first.
enum class LogLevel : std::uint8_t {
  debug,
  info,
  notice,
  warning,
  error,
  critical,
  alert,
  emergency
};
[[nodiscard]] std::string_view to_text(LogLevel level) noexcept;
[[nodiscard]] std::optional<LogLevel> log_level_from(std::string_view text) noexcept;

/// What a client says it can do; the flags that servers act on.
struct ClientCapabilities {
  bool roots = false;
  bool sampling = false;
  bool sampling_tools = false;
  bool elicitation_form = false;
  bool elicitation_url = false;
  bool tasks = false;  ///< the extension io.modelcontextprotocol/tasks

  /// Reads a `capabilities` object. `elicitation: {}` means forms. Nothing when `value` is no
  /// object or one of roots, sampling and elicitation in it is none.
  [[nodiscard]] static std::optional<ClientCapabilities> from(const json::Value& value);
};

/// Who a server or client is. `icons` is an array of Icon objects, or null.
struct Implementation {
  std::string name;
  std::string version;
  std::string title{};
  std::string description{};
  std::string website_url{};
  json::Value icons{};

  [[nodiscard]] json::Value to_json() const;  ///< empty members are left out
};

}  // namespace squall::mcp
