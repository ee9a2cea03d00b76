#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "squall/lab/runner.h"
#include "squall/lab/sweep.h"

/// @file Many scenarios, many times, on many threads, with their cases.

namespace squall::lab {

/// How often a scenario was run, and how often it didn't pass.
struct Repetition {
  std::size_t runs = 1;
  std::size_t not_passed = 0;
  [[nodiscard]] double rate() const;
  /// The 95% confidence interval of the rate (Wilson's score).
  [[nodiscard]] std::pair<double, double> interval() const;
};

/// What became of one scenario.
struct Played {
  const Scenario* scenario = nullptr;
  RunResult result{};  ///< of the first run that didn't pass, or else of the last one
  Repetition repetition{};
  std::optional<std::uint64_t> seed{};  ///< of its faults
  std::string target{};                 ///< as a person reads it
  std::string_view adapter{};           ///< the target's, when it is external; else ""
  std::filesystem::path case_folder{};  ///< of that run; "" when there is none
  std::string case_id{};
  std::string run_hash{};
  std::string trouble{};         ///< why its case is missing or incomplete, or ""
  std::optional<Sweep> sweep{};  ///< of a scenario with faults that was run under many seeds
};

/// How far a suite is; written by its threads, read by whoever shows it.
struct Progress {
  std::atomic<std::uint64_t> runs = 0;
  std::atomic<std::uint64_t> not_passed = 0;
};

/// Which cases are written, and where.
struct CaseOptions {
  std::string folder = "squall-cases";
  bool always = false;  ///< else of runs that don't pass
  std::string tool{};
  std::string scheme{};
  std::string platform{};
  std::string started{};  ///< UTC
};

struct SuiteOptions {
  std::string target_file{};  ///< wins over the scenarios' own; "": none
  std::optional<Protocol> protocol{};
  bool real_time = false;
  std::size_t repeat = 1;
  std::size_t jobs = 1;
  bool fail_fast = false;
  std::vector<fault::SeedSource> seeds{};  ///< asked before the scenarios' own
  /// Every scenario with faults is run under each of these; wins over `seeds`.
  std::optional<SeedRange> sweep{};
  Shard shard{};  ///< a piece of work is one scenario under one seed, with its repetitions
  Environment environment{};
  CaseOptions cases{};
  /// The command that repeats a scenario, for reports and cases.
  std::function<std::string(const Scenario&, std::optional<std::uint64_t> seed)> repeat_command{};
  /// Set from elsewhere to end after the runs under way; null: never.
  const std::atomic<bool>* stop = nullptr;
  Progress* progress = nullptr;  ///< null: nobody looks
};

/// The targets that `scenarios` are run against, read once for what is wrong with them.
[[nodiscard]] Result<void> check_targets(std::span<const Scenario> scenarios,
                                         const AdapterRegistry& registry,
                                         const SuiteOptions& options);

/// The id that the case of a run of `scenario` has or would have: equal inputs, equal ids.
[[nodiscard]] Result<std::string> case_id_of(const Scenario& scenario,
                                             const AdapterRegistry& registry,
                                             const SuiteOptions& options);

/// How many runs that makes, on this shard.
[[nodiscard]] std::uint64_t count_runs(std::span<const Scenario> scenarios,
                                       const SuiteOptions& options);

/// Runs all of them. Results are in the order of `scenarios`, which outlive them, and the same
/// however many jobs there are; behind the first failure, `fail_fast` makes them `skipped`. Those
/// that other shards run are left out. A sweep in which some rule never struck has not passed.
[[nodiscard]] std::vector<Played> run_suite(std::span<const Scenario> scenarios,
                                            const AdapterRegistry& registry,
                                            const SuiteOptions& options);

}  // namespace squall::lab
