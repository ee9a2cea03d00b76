#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"
#include "squall/recording/event.h"

/// @file The events of a run, put together by what the client sent.

namespace squall::cases {

/// The bytes of a payload, wherever they are.
using ReadPayload = std::function<Result<std::string>(const recording::Payload& payload)>;

/// Something with the place where it stands.
struct Stated {
  std::string text;
  std::uint64_t seq = 0;
  std::chrono::nanoseconds at{};
  bool redacted = false;
  bool timing = false;  ///< of a verdict: a duration decided it
};

/// One message of the client, and all that came of it.
struct Sent {
  Stated message;  ///< canonical JSON; as it came where it has none
  std::uint32_t connection = 0;
  std::uint64_t in = 0;
  std::string id;                 ///< of a request, as JSON text; else ""
  std::vector<Stated> strikes;    ///< what was decided, in order
  std::optional<Stated> answer;   ///< the server's clean one, without its id
  std::vector<Stated> delivered;  ///< what the client got in its place
  recording::Executed executed = recording::Executed::unknown;
  std::uint64_t executed_seq = 0;
};

struct Transcript {
  std::vector<Sent> sent;
  std::vector<Stated> told;      ///< what the server said by itself
  std::vector<Stated> openings;  ///< decided about no message
  std::vector<Stated> verdicts;  ///< outcome and judgement of each step; the run's last
  std::uint64_t last_seq = 0;
};

/// How strikes are named: a schedule's rules are others than those of the profile it comes from.
enum class Naming : std::uint8_t { by_rule, by_kind };

[[nodiscard]] Transcript transcript_of(const std::vector<recording::Event>& events,
                                       const ReadPayload& read, Naming naming);

}  // namespace squall::cases
