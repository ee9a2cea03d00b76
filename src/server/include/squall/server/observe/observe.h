#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "squall/json/value.h"
#include "squall/runtime/loop.h"
#include "squall/server/presenter/redaction.h"

/// @file Watching the calls of tools. An engine tells three kinds of observers, any of them, all of
/// them; without one, a call costs one branch more.

namespace squall::server {

/// How a call has ended.
enum class Ending : std::uint8_t {
  ok,
  tool_error,      ///< the caller got an error that the model can act on
  protocol_error,  ///< the caller got a JSON-RPC error
  asks,            ///< 2026-07-28: the caller comes back with answers, as another call
  cancelled,
};
[[nodiscard]] std::string_view to_text(Ending ending) noexcept;

/// Where a call stands in a distributed trace (W3C Trace Context).
struct TraceContext {
  std::string trace_id;   ///< 32 hexadecimal digits; "" when there is none
  std::string parent_id;  ///< 16
  std::uint8_t flags = 0;
  std::string state;  ///< `tracestate`
};
/// Reads `traceparent` and `tracestate` of a request's `_meta`. What isn't well-formed, or longer
/// than the standard's 512 bytes of state, counts as absent.
[[nodiscard]] TraceContext read_trace_context(const json::Value& meta);

/// All there is to know about one call, once it is over.
struct CallFacts {
  std::string tool;    ///< as it was asked for
  std::string action;  ///< of a tool with several; "" until it is known
  Ending ending = Ending::ok;
  std::string code;  ///< of the error: "VALIDATION_ERROR", "SERVER_BUSY", "-32602"; "" without one
  bool valid = false;          ///< whether it got as far as having valid arguments
  bool shed = false;           ///< a guard has turned it away
  runtime::Duration waited{};  ///< for its turn, behind guards
  runtime::Duration took{};    ///< in all, waiting included
  std::chrono::system_clock::time_point began;
  std::size_t response_bytes = 0;
  std::string session;    ///< the first characters of a legacy session's id
  json::Value arguments;  ///< redacted; null unless `Observers::arguments`
  TraceContext trace;
};

/// Hears of every call once, when it is over.
class TelemetrySink {
 public:
  virtual ~TelemetrySink() = default;
  virtual void on_execute(const CallFacts& facts) = 0;
};

/// One call as a span of a trace.
struct Span {
  std::string span_id;   ///< 16 hexadecimal digits
  std::string trace_id;  ///< the caller's, or a new one
  const CallFacts* facts = nullptr;
};

/// Hears of every call once, as a span.
class Tracer {
 public:
  virtual ~Tracer() = default;
  virtual void on_span(const Span& span) = 0;
};

/// Hears of each step of a call as it happens.
class DebugObserver {
 public:
  enum class Step : std::uint8_t {
    route,     ///< the call has come in
    validate,  ///< its arguments have been judged
    wait,      ///< it has waited for its turn, or was turned away
    execute,   ///< it is over
  };
  struct Event {
    Step step = Step::route;
    std::string_view tool;
    std::string_view action;
    bool good = true;  ///< valid, admitted, no error
    std::string_view code;
    runtime::Duration took{};
  };
  virtual ~DebugObserver() = default;
  virtual void on_step(const Event& event) = 0;
};

/// Who watches. They are told on the loop of the call, so on several threads; they must not throw.
struct Observers {
  std::shared_ptr<DebugObserver> debug{};
  std::shared_ptr<Tracer> tracer{};
  std::shared_ptr<TelemetrySink> telemetry{};
  bool arguments = false;  ///< tell the arguments of calls
  Redaction redaction{};   ///< of these arguments
};

}  // namespace squall::server
