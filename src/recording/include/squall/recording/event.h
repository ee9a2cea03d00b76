#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"

/// @file What happened in a run, event by event: the lines of a case's events.jsonl.
///
/// A member that is zero, null, false or empty isn't written. docs/formats/case.md has the keys.

namespace squall::recording {

/// Payloads beyond this many bytes stand in files of their own.
inline constexpr std::size_t kInlineBytesMax = 64 << 10;

/// Bytes as they were on the wire. What is recorded has its secrets replaced.
struct Payload {
  std::string bytes;       ///< of any kind; empty when `blob` has them
  std::string blob;        ///< "" or the SHA-256, in hex, that names a file of the case
  std::uint64_t size = 0;  ///< of the bytes, wherever they are
  bool redacted = false;   ///< whether a secret was replaced

  Payload() = default;
  explicit Payload(std::string_view text) : bytes(text), size(text.size()) {}
  friend bool operator==(const Payload&, const Payload&) = default;
};

enum class Party : std::uint8_t { client, server };

/// A process was started.
struct Spawn {
  std::uint32_t process = 1;  ///< from 1, in order
  std::vector<std::string> command;
  std::int64_t pid = 0;  ///< 0: not known
  friend bool operator==(const Spawn&, const Spawn&) = default;
};

/// A connection stands.
struct Connect {
  std::uint32_t connection = 1;  ///< from 1, in order; the client's and the upstream's alike
  std::string transport;         ///< "stdio", "http", "in_process"
  Party with = Party::client;    ///< who is at its other end
  std::string peer;              ///< host or command, without the port
  std::uint32_t port = 0;
  std::string session;
  friend bool operator==(const Connect&, const Connect&) = default;
};

/// A message arrived. Without a `Delivered` for it, it was handed on as it came.
struct Message {
  std::uint32_t connection = 1;
  Party from = Party::client;
  std::uint64_t in = 0;  ///< the number of this arrival in the run, from 1
  Payload payload;
  json::Value http;  ///< null, or {"status": 200} or {"headers": {"name": "value"}} and the like
  friend bool operator==(const Message&, const Message&) = default;
};

/// What came of a rule at a site.
enum class Standing : std::uint8_t {
  won,          ///< strikes
  missed,       ///< its coin fell the other way
  not_matched,  ///< its `when` or its triggers didn't hold; no coin was asked
  shadowed,     ///< struck, but another rule of its layer won
  exhausted,    ///< struck beyond its budget
  unkeyable,    ///< the event has no site of its key
  unarmed,      ///< its coin for the run fell the other way
  noop,         ///< struck, and there was nothing to change
};

/// One rule, and why it struck or didn't.
struct Considered {
  std::string rule;
  std::string kind;
  std::string layer;
  std::string site;                   ///< canonical JSON; "" when it was never made
  std::optional<std::uint64_t> draw;  ///< of its coin, when one was asked
  std::string threshold;              ///< the probability as "a/b"; "" when no coin was asked
  Standing standing = Standing::missed;
  std::string why;         ///< for people: "shadowed by stale-row", "when.tool does not match"
  json::Value parameters;  ///< as resolved, for a rule that won; else null
  friend bool operator==(const Considered&, const Considered&) = default;
};

/// What was decided about an arrival (or a connection or process start), by every rule.
struct Decision {
  std::uint64_t in = 0;          ///< of the arrival; 0: about no message
  std::uint32_t connection = 0;  ///< of a connection's decision; else 0
  std::uint32_t process = 0;     ///< of a process start's decision; else 0
  std::vector<Considered> rules;
  std::vector<std::uint64_t> in_flight;  ///< calls that were open beside it, by `in`
  bool order_sensitive = false;          ///< another order of those calls could decide otherwise
  friend bool operator==(const Decision&, const Decision&) = default;
};

enum class Executed : std::uint8_t { unknown, yes, no };

/// What the server behind did about a request.
struct Upstream {
  std::uint64_t in = 0;  ///< of the request
  Executed executed = Executed::unknown;
  std::optional<Payload> answer;  ///< the clean one, when it isn't a recorded arrival
  std::uint64_t answer_in = 0;    ///< the arrival that answered it; 0: none did
  friend bool operator==(const Upstream&, const Upstream&) = default;
};

enum class Delivery : std::uint8_t {
  unchanged,
  changed,  ///< other bytes than came
  lost,     ///< never handed on
  made_up,  ///< nothing came for it
};

/// What was handed on in place of an arrival.
struct Delivered {
  std::uint32_t connection = 1;  ///< the one that it left on
  Party to = Party::client;
  std::uint64_t in = 0;   ///< the arrival that it stands for; 0: none
  std::uint64_t out = 0;  ///< the number of this delivery in the run, from 1; 0: lost
  Delivery delivery = Delivery::unchanged;
  std::string rule;                  ///< whose strike it was, or ""
  std::string how;                   ///< for people: "connection reset after 40 bytes"
  std::string sha256;                ///< of the bytes handed on
  std::optional<Payload> payload;    ///< the bytes, unless unchanged or lost
  std::chrono::nanoseconds drawn{};  ///< the delay that was decided; `at` has the one achieved
  friend bool operator==(const Delivered&, const Delivered&) = default;
};

enum class Judgement : std::uint8_t { passed, failed, inconclusive, errored, skipped };
[[nodiscard]] std::string_view to_text(Judgement judgement) noexcept;

/// One thing that had to hold.
struct Expectation {
  std::string name;      ///< "outcome", "result.json /status"
  std::string expected;  ///< as a person reads it
  std::string received;
  bool held = false;
  bool timing = false;  ///< about durations: `received` is left out of the run hash
  friend bool operator==(const Expectation&, const Expectation&) = default;
};

/// What a step, or the whole run, came to.
struct Verdict {
  std::uint32_t step = 0;  ///< from 1; 0: the run
  std::string name;        ///< "call create_order"; of the run: the scenario's name
  Judgement judgement = Judgement::passed;
  std::string outcome;  ///< "success", "timeout" ...; "" where there is none
  std::string why;      ///< of an error or an inconclusive verdict
  std::chrono::nanoseconds took{};
  std::vector<Expectation> expectations;
  std::uint64_t first_in = 0;  ///< the arrivals that belong to the step; 0: not known
  std::uint64_t last_in = 0;
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// A process ended, or the run did; the run's is the last event of a complete case.
struct Exit {
  std::uint32_t process = 0;  ///< 0: the run itself
  std::optional<std::int32_t> code;
  std::string signal;                   ///< "SIGKILL", or ""
  std::vector<std::string> last_lines;  ///< of its stderr
  std::string why;                      ///< "interrupted", "the case is full", or ""
  std::uint64_t dropped = 0;            ///< events that the limits of the case kept out
  friend bool operator==(const Exit&, const Exit&) = default;
};

using EventBody =
    std::variant<Spawn, Connect, Message, Decision, Upstream, Delivered, Verdict, Exit>;

struct Event {
  std::uint64_t seq = 0;          ///< from 1, without gaps
  std::chrono::nanoseconds at{};  ///< since the run began
  EventBody body;
  friend bool operator==(const Event&, const Event&) = default;
};

/// The event as one line of JSON, without the line feed. Bytes that are not UTF-8 are written as
/// base64.
[[nodiscard]] std::string to_line(const Event& event);

/// Strict: unknown keys, wrong types and numbers out of range are refused with their JSON pointer.
[[nodiscard]] Result<Event> parse_event(std::string_view line);

/// What of the line counts for the run hash: all but times, process ids, ports and session ids.
[[nodiscard]] std::string to_hashed_line(const Event& event);

}  // namespace squall::recording
