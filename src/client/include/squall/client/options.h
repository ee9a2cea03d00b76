#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "squall/client/handlers.h"
#include "squall/client/observer.h"
#include "squall/json/value.h"
#include "squall/mcp/revision.h"
#include "squall/mcp/types.h"
#include "squall/runtime/loop.h"

namespace squall::client {

class EraCache;

/// How the era is found.
enum class Negotiation : std::uint8_t {
  automatic,  ///< asks with server/discover, and falls back to initialize
  modern,     ///< 2026-07-28 or nothing
  legacy,     ///< initialize, without asking
};

/// What becomes of a legacy HTTP session that the server has forgotten.
enum class SessionPolicy : std::uint8_t {
  recover,  ///< one new handshake; requests that are safe to repeat are sent again
  report,   ///< the request fails, and so does every later one
};

/// What to do with lines that are no messages on a server's standard output.
enum class Noise : std::uint8_t { skip, fail };

struct Limits {
  std::size_t message_bytes = std::size_t{64} << 20;  ///< of one message from the server
  std::size_t depth = 256;                            ///< of its nesting
  std::size_t pending = 10'000;                       ///< requests of ours under way
  std::size_t server_requests = 64;                   ///< of the server's, being answered
  std::size_t pages = 1'000;                          ///< of one list
  std::size_t entries = 100'000;                      ///< of one list
  std::size_t list_bytes = std::size_t{256} << 20;    ///< of one list, as the server wrote it
  std::size_t cached_bytes = std::size_t{32} << 20;   ///< of lists and resources kept
  std::size_t rounds = 10;                            ///< of one call that asks for input
  std::size_t inputs = 64;                            ///< questions of one round
  std::size_t subscriptions = 64;
};

struct Retry {
  unsigned attempts = 3;  ///< in all, of a request that is safe to repeat
  std::chrono::milliseconds first_delay{500};
  std::chrono::milliseconds longest_delay{30'000};
};

/// What a client is and how it behaves. Copied; the pointers outlive the client.
struct Options {
  mcp::Implementation info{.name = "squall", .version = "0"};
  /// Declared to servers. With `tasks`, calls that a server turns into tasks are followed to their
  /// end.
  mcp::ClientCapabilities capabilities{};
  json::Value extensions{};  ///< declared: an object from id to settings, or null
  Negotiation negotiation = Negotiation::automatic;
  mcp::Revision legacy_offer = mcp::kLatestLegacy;  ///< what initialize asks for
  std::chrono::milliseconds probe_timeout{5'000};   ///< of server/discover
  std::chrono::milliseconds timeout{60'000};        ///< of a request, unless it says otherwise
  SessionPolicy sessions = SessionPolicy::recover;
  Noise noise = Noise::skip;
  bool validate_output = true;  ///< structuredContent against the tool's outputSchema
  bool listen_legacy = true;    ///< open the GET stream of a legacy HTTP session
  Retry retry{};
  Limits limits{};
  Handlers* handlers = nullptr;      ///< null: every question is declined
  Observer* observer = nullptr;      ///< null: nobody looks
  std::shared_ptr<EraCache> eras{};  ///< shared by clients, so that an origin is asked once
  /// Of back-off: uniform in [0, 1). Null: the system's randomness.
  std::function<double()> jitter{};
};

/// Asks calls to stop: `cancel` ends every call that was given it. On the loop's thread.
class Cancellation {
 public:
  void cancel(std::string reason = "");
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  friend class Cancellable;
  bool cancelled_ = false;
  std::string reason_;
  std::vector<class Cancellable*> waiting_;
};

struct Progress {
  double progress = 0;
  std::optional<double> total{};
  std::string message{};
};

/// What CallOptions hold.
struct CallSettings {
  std::chrono::milliseconds timeout{0};
  std::chrono::milliseconds total{0};
  bool extend_on_progress = true;
  bool idempotent = false;
  bool cached = true;
  std::function<void(const Progress&)> on_progress{};
  std::shared_ptr<Cancellation> cancellation{};
  json::Value meta{};
  std::optional<mcp::LogLevel> log_level{};
};

/// What is particular to one request. Name it before `co_await` (docs/decisions/0003), or chain:
/// `CallOptions().timeout(2s)`.
class CallOptions {
 public:
  CallOptions() {}
  /// Time without response or progress; 0 is the client's default.
  CallOptions& timeout(std::chrono::milliseconds span) { return set(settings_.timeout, span); }
  /// Time in all, whatever the progress; 0 is no such bound.
  CallOptions& total(std::chrono::milliseconds span) { return set(settings_.total, span); }
  /// Whether progress starts the timeout again (default: yes). Asks for progress with
  /// `on_progress`, for there is none otherwise.
  CallOptions& extend_on_progress(bool extend) { return set(settings_.extend_on_progress, extend); }
  /// Asks for progress. Called on the loop from within the client, which it must not destroy.
  CallOptions& on_progress(std::function<void(const Progress&)> tell) {
    return set(settings_.on_progress, std::move(tell));
  }
  CallOptions& cancellation(std::shared_ptr<Cancellation> source) {
    return set(settings_.cancellation, std::move(source));
  }
  /// The request may be sent again when nobody knows what became of it.
  CallOptions& idempotent(bool is) { return set(settings_.idempotent, is); }
  /// Members added to `_meta`; they win over those of ours.
  CallOptions& meta(json::Value members) { return set(settings_.meta, std::move(members)); }
  /// Asks for log messages of this request (2026-07-28).
  CallOptions& log_level(mcp::LogLevel level) {
    return set(settings_.log_level, std::optional(level));
  }
  /// Takes what a cache holds, if it is fresh (default: yes).
  CallOptions& cached(bool allowed) { return set(settings_.cached, allowed); }

  [[nodiscard]] const CallSettings& settings() const noexcept { return settings_; }

 private:
  template <typename T>
  CallOptions& set(T& member, T value) {
    member = std::move(value);
    return *this;
  }
  CallSettings settings_;
};

}  // namespace squall::client
