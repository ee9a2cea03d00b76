#pragma once

#include <string>

#include "squall/base/result.h"

#include "command.h"

/// @file What the options of `squall serve` may hold. The checks of one value give "" or what is
/// wrong with it.

namespace squall::cli {

inline constexpr unsigned kThreadsMax = 256;

/// An address, or a name of 1 to 253 letters, digits, dots and hyphens; no port.
[[nodiscard]] std::string check_host(const std::string& host);
/// "/mcp": at most 1024 printable characters, no query, no fragment.
[[nodiscard]] std::string check_path(const std::string& path);
/// What a Host header may say: "mcp.example", "mcp.example:8080", "[::1]".
[[nodiscard]] std::string check_allowed_host(const std::string& text);
/// What an Origin header may say: "https://example.com".
[[nodiscard]] std::string check_allowed_origin(const std::string& text);
/// Whether `host` stands for every interface, in any spelling: 0.0.0.0, 0, 0x0, ::, ::0 ...
[[nodiscard]] bool is_wildcard(const std::string& host);

/// A time or a size with its unit: "1.5s", "64kib".
[[nodiscard]] std::string check_duration(const std::string& text);
[[nodiscard]] std::string check_size(const std::string& text);

/// "fault", "examples", or both by a comma.
[[nodiscard]] std::string check_tools(const std::string& text);

/// What the options must keep to among each other.
[[nodiscard]] Result<void> check_together(const ServeCommand& serve);

}  // namespace squall::cli
