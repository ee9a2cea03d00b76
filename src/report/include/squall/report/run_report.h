#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "squall/json/value.h"
#include "squall/recording/case_reader.h"

/// @file What a run came to: the one model that every report is made from.

namespace squall::report {

using recording::Expectation;
using recording::Judgement;

/// One step of a scenario.
struct StepReport {
  std::string name;  ///< "call create_order"
  Judgement judgement = Judgement::passed;
  std::string outcome;  ///< "success", "timeout" ...; "" where there is none
  std::string why;      ///< of an error or an inconclusive verdict
  std::chrono::nanoseconds took{};
  std::vector<Expectation> expectations;
};

/// How often a scenario was run, and how often it didn't pass.
struct Repetition {
  std::size_t runs = 1;
  std::size_t not_passed = 0;
  double rate = 0;
  double low = 0, high = 1;  ///< the 95% confidence interval of the rate
};

/// A scenario under many seeds.
struct SweepReport {
  /// Runs that didn't pass in the same way.
  struct Group {
    Judgement judgement = Judgement::failed;
    std::string what;
    std::uint64_t runs = 0;
    std::vector<std::uint64_t> seeds;  ///< the smallest of them
    std::string case_id;               ///< of one of them, or ""
  };
  struct Rule {
    std::string rule;
    std::uint64_t eligible = 0;
    std::uint64_t fired = 0;
  };
  std::uint64_t first = 0;  ///< seed
  std::uint64_t last = 0;
  std::uint64_t runs = 0;
  std::vector<Group> groups;
  std::uint64_t others = 0;  ///< runs that didn't pass and are in no group
  std::vector<Rule> rules;
};

struct ScenarioReport {
  std::string name;
  std::string file;   ///< "" when it came from none
  std::string suite;  ///< what JUnit calls it; "": the file, or the name
  Judgement judgement = Judgement::passed;
  std::string outcome;
  std::string why;
  std::chrono::nanoseconds took{};
  std::vector<StepReport> steps;
  std::vector<Expectation> expectations;  ///< of the run as a whole
  std::string protocol;
  std::string target;  ///< as a person reads it: "built-in", "http://127.0.0.1:3001/mcp"
  std::optional<std::uint64_t> seed;
  std::string case_id;  ///< "" when nothing was recorded
  std::string run_hash;
  std::optional<Repetition> repetition;  ///< when it was run more than once
  std::optional<SweepReport> sweep;
  std::string repeat;       ///< the command that repeats it
  std::string ended_early;  ///< why its case isn't complete, or ""
  json::Value lead;  ///< null, or an object whose members come first in JSON: failure-lab's keys
  std::shared_ptr<const recording::Case> record;  ///< for the timeline; shared between reports
};

struct RunReport {
  std::string tool;                       ///< "squall 0.1.0"
  std::string started;                    ///< UTC
  std::vector<ScenarioReport> scenarios;  ///< in the order of the run, whatever ran at once
};

/// How many scenarios had each judgement, in its order.
struct Tally {
  std::array<std::size_t, 5> counts{};
  std::chrono::nanoseconds took{};
  [[nodiscard]] std::size_t of(Judgement judgement) const {
    return counts[static_cast<std::size_t>(judgement)];
  }
  /// Nothing failed, was inconclusive or couldn't be judged, and something passed.
  [[nodiscard]] bool passed() const;
};
[[nodiscard]] Tally tally(const RunReport& report);

/// What a case says by itself. One without a verdict of the run is inconclusive.
[[nodiscard]] ScenarioReport from_case(std::shared_ptr<const recording::Case> record);

/// "3 of 100 runs did not pass: 3.0% (95%: 1.0% to 8.5%)"
[[nodiscard]] std::string repetition_text(const Repetition& repetition);

/// "12.3 ms", "1.50 s": three digits that matter.
[[nodiscard]] std::string duration_text(std::chrono::nanoseconds duration);

}  // namespace squall::report
