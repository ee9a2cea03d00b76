#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "squall/base/result.h"
#include "squall/fault/catalogue.h"
#include "squall/fault/draw.h"
#include "squall/fault/projection.h"
#include "squall/json/value.h"

/// @file Which faults there are to be: the profile of docs/formats/profile.md, read.

namespace squall::fault {

/// What is counted together: calls of one run, of one session, ...
enum class Scope : std::uint8_t { run, session, connection, process };
[[nodiscard]] std::string_view name_of(Scope scope) noexcept;

/// What an event must be for a rule to concern it. Empty parts match everything.
struct When {
  std::vector<std::string> tools;  ///< globs, one of which matches; so with the next two
  std::vector<std::string> methods;
  std::vector<std::string> sessions;
  std::vector<std::string> revisions;
  std::optional<Transport> transport;
  std::optional<std::string> direction;  ///< "request", "response" or "notification"
  std::vector<std::pair<json::Pointer, std::string>> arguments;  ///< pointer and glob
};

/// Which of the numbered events a rule takes; all that are given must hold.
struct Triggers {
  std::vector<std::uint64_t> attempts;
  std::vector<std::uint64_t> calls;
  std::optional<std::uint64_t> every;
  std::optional<std::uint64_t> after;
  std::optional<std::uint64_t> until;
  [[nodiscard]] bool count_calls() const {
    return !calls.empty() || every.has_value() || after.has_value() || until.has_value();
  }
};

struct Budget {
  std::optional<std::uint64_t> strikes;     ///< in all
  std::optional<std::uint64_t> concurrent;  ///< at one time
};

/// A setting that is drawn at every strike.
struct Drawn {
  std::string setting;
  std::variant<Distribution, std::vector<Option>> from;
};

struct Rule {
  std::string id;
  std::string draw_key;  ///< what its draws are keyed by: `draw_key`, else the id
  const Kind* kind = nullptr;
  Probability probability;
  Key key = Key::args;
  Projection projection;
  std::int64_t rank = 0;
  std::string exclusive;  ///< "": competes in its layer
  std::optional<Scope> scope;
  When when;
  Triggers triggers;
  Budget budget;
  std::optional<Burst> burst;  ///< `start` is the rule's probability
  std::uint64_t window = 0;    ///< length, 0: none
  bool whole_server = false;   ///< burst and window count the calls of all tools
  std::optional<Probability> arm;
  std::string at;  ///< of a schedule: the one site where it strikes; "": no schedule's
  std::string title;
  std::string note;
  json::Value settings = json::Value::object();  ///< in one spelling each
  std::vector<Drawn> drawn;

  [[nodiscard]] bool draws() const;  ///< anything at all
};

struct Profile {
  std::string name;
  std::string note;
  std::optional<Seed> seed;
  Scope scope = Scope::run;
  std::vector<Rule> rules;  ///< in the order of the file, which has no meaning

  [[nodiscard]] bool draws() const;
  [[nodiscard]] const Rule* find(std::string_view id) const;
};

/// Reads a profile, JSON or YAML. Fails with every mistake in it, a line each:
/// `flaky.yaml:4:16: /rules/0/probability: '0,5' is no probability: write a point, as in 0.5`.
[[nodiscard]] Result<Profile> read_profile(std::string file_name, std::string text,
                                           const Surroundings& surroundings = {});

/// The profile as one JSON value: every default filled in, one spelling each, rules by draw key.
[[nodiscard]] json::Value to_json(const Profile& profile);
/// The hexadecimal SHA-256 of that value's canonical text: what names a profile.
[[nodiscard]] std::string hash_of(const Profile& profile);

inline constexpr std::size_t kRulesMax = 1000;

/// A place where a seed was given, and its text: `{"--seed", "1337"}`.
struct SeedSource {
  std::string where;
  std::optional<std::string> text;
};
struct ChosenSeed {
  Seed seed;
  std::string from;       ///< the `where` of its source
  std::string conflicts;  ///< sources that said otherwise, for people; "" when none did
};
/// The first source that has a text wins; every text is read strictly, and one that is wrong fails.
/// Fails when there is none and `profile` draws anything.
[[nodiscard]] Result<ChosenSeed> choose_seed(const Profile& profile,
                                             std::span<const SeedSource> sources);

/// "1500ms", "0.5ms"; "65536b": the spelling that readers of settings take back.
[[nodiscard]] std::string time_text(std::chrono::nanoseconds time);
[[nodiscard]] std::string size_text(std::uint64_t bytes);

}  // namespace squall::fault
