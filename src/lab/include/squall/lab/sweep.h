#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "squall/inject/injector.h"
#include "squall/lab/runner.h"
#include "squall/lab/seeds.h"

/// @file One scenario under many seeds: which fail, and how.

namespace squall::lab {

/// Runs that didn't pass in the same way.
struct FailureGroup {
  Judgement judgement = Judgement::failed;
  std::string what;  ///< "step 3, observe list_orders: result /orders"
  std::uint64_t runs = 0;
  std::set<std::uint64_t> seeds;  ///< the smallest of them, kSeedsListed at most
  std::string case_id;            ///< of the run with the smallest seed that has a case, or ""
  std::uint64_t case_seed = 0;
};

/// What a sweep has shown so far. The same whatever the order of the runs.
class Sweep {
 public:
  static constexpr std::size_t kSeedsListed = 1000;
  static constexpr std::size_t kGroupsMax = 100;  ///< what fails otherwise is counted as `others`

  void add(std::uint64_t seed, const RunResult& result, const std::string& case_id);

  [[nodiscard]] std::uint64_t runs() const noexcept { return runs_; }
  /// The most frequent first, among equals by what failed.
  [[nodiscard]] std::vector<FailureGroup> groups() const;
  [[nodiscard]] std::uint64_t others() const noexcept { return others_; }
  [[nodiscard]] const std::vector<inject::RuleTally>& rules() const noexcept { return rules_; }
  /// The rules that the sweep says nothing about: "rule slow never became eligible; rule lost never
  /// struck (eligible 31 times)"; "" when each has struck.
  [[nodiscard]] std::string unproven() const;

 private:
  std::uint64_t runs_ = 0;
  std::uint64_t others_ = 0;
  std::vector<FailureGroup> groups_;  // by judgement and what
  std::vector<inject::RuleTally> rules_;
};

/// What tells one way of failing from another: where, and which expectation, without values that
/// differ from seed to seed.
[[nodiscard]] std::string what_failed(const RunResult& result);

}  // namespace squall::lab
