#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace squall::schema {

/// The components of a URI reference (RFC 3986 appendix B). Absent and empty ones differ.
struct UriParts {
  std::optional<std::string_view> scheme;
  std::optional<std::string_view> authority;
  std::string_view path;
  std::optional<std::string_view> query;
  std::optional<std::string_view> fragment;
};

[[nodiscard]] UriParts split_uri(std::string_view uri) noexcept;

/// `reference` resolved against `base` (RFC 3986 section 5.2); the fragment is the reference's.
/// An empty base leaves the reference as it is.
[[nodiscard]] std::string resolve_uri(std::string_view base, std::string_view reference);

/// Decodes %XX; nothing when a percent sign is not followed by two hex digits.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text);

}  // namespace squall::schema
