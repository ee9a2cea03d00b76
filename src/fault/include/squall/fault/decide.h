#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/fault/profile.h"
#include "squall/json/value.h"

/// @file What strikes at an event, and why not: a profile, a seed and an event make a decision.

namespace squall::fault {

/// Something that faults may concern, as it arrives. Views what it came from.
struct Arrival {
  enum class What : std::uint8_t {
    call,            ///< tools/call
    message,         ///< any other message of the client
    server_message,  ///< a message of the server that is no response
    connection,
    stream,
    spawn,
    session,
    entry,  ///< one entry of a list
  };
  What what = What::call;
  std::string_view method = "tools/call";
  std::string_view tool;                   ///< of a call, as the upstream names it
  const json::Value* arguments = nullptr;  ///< of a call (null: none); else the params
  std::string_view entry;                  ///< its name
  std::string_view session;                ///< which one; so with the next two
  std::string_view connection;
  std::string_view process;
  std::string_view revision;
  std::string_view direction = "request";
  Transport transport = Transport::any;
  bool goes_on = false;   ///< has `inputResponses` or `requestState`: a round of an earlier call
  std::string unkeyable;  ///< why its arguments have no canonical form, if the reader knows one

  /// A request or notification of the client.
  [[nodiscard]] static Arrival of(std::string_view method, const json::Value* params);
};

/// The numbers that an event has. Given by hand, they stand for every scope and projection.
struct Numbers {
  std::uint64_t ordinal = 1;    ///< among the calls of its tool, or connections, streams ...
  std::uint64_t of_method = 1;  ///< among the messages of its method
  std::uint64_t of_all = 1;     ///< among all calls
  std::uint64_t attempt = 1;    ///< at the same arguments
};

enum class Outcome : std::uint8_t {
  elsewhere,  ///< concerns other events
  unmatched,  ///< `when` says no
  untriggered,
  unkeyable,
  unarmed,
  missed,     ///< its coin said no
  exhausted,  ///< struck beyond its budget
  shadowed,   ///< struck, and another rule of its layer won
  won,
};
[[nodiscard]] std::string_view name_of(Outcome outcome) noexcept;

/// What became of one rule at one event.
struct Considered {
  const Rule* rule = nullptr;
  Outcome outcome = Outcome::elsewhere;
  std::string site;                   ///< where its coin was asked; "" where it wasn't
  std::optional<std::uint64_t> bits;  ///< the draw, unless its probability was 0 or 1
  std::string why;                    ///< for people; may be empty
  const Rule* winner = nullptr;       ///< of its layer, when shadowed
};

/// A fault to be delivered.
struct Strike {
  const Rule* rule = nullptr;
  std::string site;                                ///< where its parameters and values are drawn
  json::Value parameters = json::Value::object();  ///< the settings, drawn ones resolved
};

struct Decision {
  std::vector<Considered> considered;  ///< every rule, in the profile's order
  std::vector<Strike> strikes;         ///< at most one a layer, in the order of layers
  std::string refused;                 ///< counting failed: the run can't go on deciding
};
[[nodiscard]] json::Value to_json(const Decision& decision);

inline constexpr std::size_t kCountersMax = 1'000'000;

/// Decides event by event, and counts what the rules need counted.
///
/// The decision at an event depends on its numbers alone, never on what was decided before, but
/// for budgets. Not for several threads at once.
class Decider {
 public:
  /// `profile` outlives it.
  Decider(const Profile& profile, Seed seed);
  ~Decider();
  Decider(const Decider&) = delete;
  Decider& operator=(const Decider&) = delete;

  /// Counts the event and decides; a budget is used by what wins.
  [[nodiscard]] Decision decide(const Arrival& arrival);
  /// The decision at an event with these numbers, as if budgets were untouched; counts nothing.
  [[nodiscard]] Decision decide_at(const Arrival& arrival, const Numbers& numbers) const;
  /// A strike of this rule is over: its place under `budget.concurrent` is free again.
  void finished(const Rule& rule);

  /// Counts on from where `earlier` stands, which is of no use any more: of the same run, for
  /// another profile. Budgets of rules with the same id go on too.
  void continue_from(Decider& earlier);

  [[nodiscard]] Seed seed() const noexcept { return seed_; }
  [[nodiscard]] const Profile& profile() const noexcept { return profile_; }
  /// Where the counters stand, for a case's header or another process of the same run: an object
  /// of whole numbers, sorted by name. Budgets are no part of it.
  [[nodiscard]] json::Value standing() const;
  /// Goes on from there. Fails, and changes nothing, when `standing` is no such object.
  [[nodiscard]] Result<void> stand_at(const json::Value& standing);
  /// How many counters there are; at most kCountersMax.
  [[nodiscard]] std::size_t counters() const noexcept;

 private:
  struct State;
  const Profile& profile_;
  Seed seed_;
  std::unique_ptr<State> state_;
};

/// The settings of `rule` as they are for one strike.
[[nodiscard]] json::Value resolve(const Rule& rule, const Draws& draws);

/// Whether `text` matches: `*` any characters, `?` one, `[a-c]` or `[!a-c]` one of (or none of)
/// these; characters are code points. In time bounded by the product of both lengths.
[[nodiscard]] bool matches_glob(std::string_view glob, std::string_view text);

}  // namespace squall::fault
