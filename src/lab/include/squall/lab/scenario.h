#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/lab/expect.h"

/// @file A scenario: what to do to a server, and what must hold.

namespace squall::lab {

/// Which revision a scenario speaks.
enum class Protocol : std::uint8_t { automatic, legacy, modern };
[[nodiscard]] std::string_view to_text(Protocol protocol) noexcept;  ///< "2025-11-25", "auto"

/// One thing to do.
struct Step {
  enum class Kind : std::uint8_t {
    call,       ///< tools/call
    observe,    ///< a call that looks, on the same connection or one of its own
    list,       ///< tools, prompts, resources or resourceTemplates, all pages
    read,       ///< resources/read
    prompt,     ///< prompts/get
    complete,   ///< completion/complete
    request,    ///< any method
    notify,     ///< any notification
    raw,        ///< bytes as they are
    listen,     ///< watches for changes until the connection ends
    cancel,     ///< ends a call that runs in the background
    wait,       ///< for a time, or for a call in the background
    reconnect,  ///< ends the connection and makes a new one
    parallel,   ///< the steps in it, all at once
    repeat,     ///< the steps in it, one after the other, some times
  };
  Kind kind = Kind::call;
  std::string label;       ///< for reports: "call create_order"
  std::string name{};      ///< `as`: what later steps call its result
  json::Value params{};    ///< of the operation
  bool templated = false;  ///< whether texts in `params` name earlier results
  std::string of{};        ///< cancel, wait: which call
  bool background = false;
  bool separate = false;            ///< observe: on a connection of its own
  std::chrono::nanoseconds time{};  ///< of a wait
  std::optional<std::chrono::nanoseconds> timeout{};
  std::int64_t times = 1;
  std::int64_t retries = 0;  ///< call: how often to ask again when no answer came
  std::optional<Expectation> expect{};
  std::vector<Step> steps{};
};

/// What must hold of the messages on the wire, as the client saw them.
struct WireRule {
  bool from_client = true;
  std::string method{};  ///< "" is any; "response" and "error" are the answers
  std::pair<std::int64_t, std::int64_t> count{1, INT64_MAX};
};

struct Budgets {
  std::chrono::nanoseconds setup = std::chrono::seconds(30);
  std::chrono::nanoseconds call = std::chrono::seconds(30);
  std::chrono::nanoseconds cancel = std::chrono::seconds(5);
  std::chrono::nanoseconds cleanup = std::chrono::seconds(5);
  std::chrono::nanoseconds run = std::chrono::minutes(10);
};

/// Faults between client and target.
struct FaultPlan {
  std::string profile{};  ///< a file, from the scenario's folder, or a built-in profile's name
  json::Value rules{};    ///< in place of a profile: its rules; else null
  std::string seed{};     ///< "": the profile's
};

struct Scenario {
  std::string file{};
  json::Value source{};  ///< the whole file, as loaded
  std::string name{};
  bool simple = false;  ///< of the failure lab's form: one call, one observer
  Protocol protocol = Protocol::modern;
  bool protocol_given = false;
  std::string target{};  ///< a target file, from the scenario's folder; "": the built-in server
  std::vector<std::string> tags{};
  std::optional<FaultPlan> faults{};
  Budgets budgets{};
  std::vector<Step> steps{};
  std::vector<WireRule> wire{};
  std::vector<WireRule> wire_order{};  ///< these, in this order, others between them
  std::vector<std::string> fired{};    ///< rules that must have struck
};

/// Reads a scenario of either form, JSON or YAML. Fails with all mistakes, each with its place.
[[nodiscard]] Result<Scenario> read_scenario(std::string file, std::string text);

/// `value` with each `{{name.path}}` in its texts replaced by what stands there in `results`, an
/// object of results by name: a text that is nothing else becomes that value, others take it in as
/// text. Fails on a name or path that isn't there.
[[nodiscard]] Result<json::Value> fill_in(const json::Value& value, const json::Value& results);

}  // namespace squall::lab
