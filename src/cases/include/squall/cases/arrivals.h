#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "squall/fault/decide.h"
#include "squall/recording/case_reader.h"

/// @file What the decisions of a case were about, put together again from what was recorded.

namespace squall::cases {

/// One arrival as the decider met it, with what it views.
struct Arrived {
  fault::Arrival::What what = fault::Arrival::What::call;
  std::uint64_t in = 0;   ///< its number; 0: no message
  std::uint64_t seq = 0;  ///< of its event
  std::string method;
  std::string tool;  ///< of a call, as the upstream names it
  json::Value arguments;
  bool has_arguments = false;
  std::string entry;
  std::string session;
  std::string connection;
  std::string process;
  std::string revision;
  std::string direction = "request";
  fault::Transport transport = fault::Transport::any;
  bool goes_on = false;
  bool redacted = false;  ///< secrets were replaced in it
  std::string unknown;    ///< what of it isn't recorded, though the rules ask; or ""

  /// Views this.
  [[nodiscard]] fault::Arrival view() const;
};

/// Puts arrivals together. The case and the profile outlive it.
class Arrivals {
 public:
  /// `profile` tells which parts of an arrival matter.
  Arrivals(const recording::Case& from, const fault::Profile& profile);

  /// What this decision was about.
  [[nodiscard]] Arrived of(const recording::Decision& decision);
  /// A message by its number; `unknown` says so when there is none, or none that faults concern.
  [[nodiscard]] Arrived message(std::uint64_t in) const;
  /// The numbers of all messages that ask or tell something: no responses.
  [[nodiscard]] const std::vector<std::uint64_t>& numbers() const noexcept { return numbers_; }
  /// The event of the message with that number, or null.
  [[nodiscard]] const recording::Event* event_of(std::uint64_t in) const;

 private:
  struct Line {
    std::string transport;
    std::string session;
    std::string revision;  // from the handshake on it
  };
  void note(const recording::Event& event);
  void read(Arrived& out, const recording::Message& message) const;
  void place(Arrived& out, std::uint32_t connection) const;
  void take_tool_of(Arrived& out, const recording::Decision& decision) const;
  [[nodiscard]] Arrived opened(const recording::Decision& decision) const;

  const recording::Case& case_;
  bool by_session_ = false;  // some rule asks for the session; so with the next two
  bool by_process_ = false;
  bool by_revision_ = false;
  bool renames_ = false;
  std::uint32_t processes_ = 0;
  std::unordered_map<std::uint64_t, const recording::Event*> messages_;
  std::map<std::uint32_t, Line> lines_;
  std::vector<std::uint64_t> numbers_;
  std::unordered_set<std::uint64_t> decided_;  // messages that `of` has given
  std::set<std::string> openings_;             // "connection", "session", "stream": keys of rules
};

/// `["args","search",{"q":1},2]`: the arrival at the attempt-th time, for people and for finding it
/// in another run. Without canonical arguments, the method stands alone.
[[nodiscard]] std::string label_of(const Arrived& arrived, std::uint64_t attempt);

/// Counts arrivals for their labels.
class Labels {
 public:
  [[nodiscard]] std::string next(const Arrived& arrived);

 private:
  std::unordered_map<std::string, std::uint64_t> seen_;
};

}  // namespace squall::cases
