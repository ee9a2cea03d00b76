#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace squall::mcp {

/// The revisions of MCP, oldest first. Ask `supports`, never compare dates.
enum class Revision : std::uint8_t {
  r2024_11_05,
  r2025_03_26,
  r2025_06_18,
  r2025_11_25,
  r2026_07_28
};

inline constexpr Revision kLatestLegacy = Revision::r2025_11_25;
inline constexpr Revision kLatestModern = Revision::r2026_07_28;

/// What one revision has and another lacks.
enum class Feature : std::uint8_t {
  per_request_envelope,  ///< stateless: `_meta` names revision and capabilities on every request
  handshake,             ///< initialize, notifications/initialized, sessions
  ping,
  server_requests,        ///< requests from server to client
  input_required,         ///< multi-round-trip results instead of server requests
  listen,                 ///< subscriptions/listen
  resource_subscribe,     ///< resources/subscribe and unsubscribe
  set_level,              ///< logging/setLevel
  batches,                ///< JSON-RPC arrays
  resumable_streams,      ///< SSE ids and Last-Event-ID
  priming_events,         ///< an id with empty data first, and `retry`
  any_structured_output,  ///< structuredContent may be any value, outputSchema any schema
  result_type,            ///< `resultType` on every result
  cache_hints,            ///< `ttlMs` and `cacheScope`
  extensions,             ///< both sides declare extensions by name
  url_elicitation,
  audio_content,
  resource_links,
};

[[nodiscard]] bool supports(Revision revision, Feature feature) noexcept;
[[nodiscard]] std::string_view to_text(Revision revision) noexcept;  ///< "2025-11-25"
[[nodiscard]] std::optional<Revision> revision_from(std::string_view text) noexcept;
[[nodiscard]] std::span<const Revision> all_revisions() noexcept;
/// Whether a version text, known or not, is a date that belongs to the modern era.
[[nodiscard]] bool is_modern_text(std::string_view text) noexcept;

}  // namespace squall::mcp
