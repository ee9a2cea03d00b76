#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "squall/fault/decide.h"

namespace squall::fault {

/// The projected arguments of one event, made once each.
class ProjectedArguments {
 public:
  explicit ProjectedArguments(const Arrival& arrival);
  ProjectedArguments(const ProjectedArguments&) = delete;
  ProjectedArguments& operator=(const ProjectedArguments&) = delete;
  /// Canonical text for a site; "" when there is none, and then `why` tells.
  [[nodiscard]] const std::string& text(const Projection& projection);
  [[nodiscard]] const std::string& why() const noexcept { return why_; }
  [[nodiscard]] bool keyable();

 private:
  struct Made {
    std::string identity;
    std::string text;
  };
  const json::Value* arguments_;  ///< what the arrival has, or `own_`
  json::Value own_ = json::Value::object();
  std::string why_;
  std::deque<Made> made_;  // what is handed out stays where it is
};

/// What an event is numbered in one scope.
struct ScopeNumbers {
  std::uint64_t ordinal = 0;
  std::uint64_t of_method = 0;
  std::uint64_t of_all = 0;
  std::vector<std::pair<std::string, std::uint64_t>> attempts;  ///< by projection
  [[nodiscard]] std::uint64_t attempt(const Projection& projection) const;
};
using AllNumbers = std::array<ScopeNumbers, 4>;  ///< by Scope

/// Counts arrivals, as far as some rule of a profile asks. A counter belongs to what is counted:
/// every arrival counts, whether a rule matched or not.
class Counters {
 public:
  explicit Counters(const Profile& profile);
  /// Fails when a counter more would be too many.
  [[nodiscard]] Result<AllNumbers> count(const Arrival& arrival, ProjectedArguments& arguments);
  [[nodiscard]] std::size_t size() const noexcept { return counters_.size(); }
  [[nodiscard]] json::Value standing() const;
  [[nodiscard]] Result<void> stand_at(const json::Value& standing);
  /// Goes on with the numbers of `earlier`.
  void continue_from(Counters& earlier) {
    counters_ = std::move(earlier.counters_);
    rounds_ = std::move(earlier.rounds_);
    oldest_rounds_ = std::move(earlier.oldest_rounds_);
  }

 private:
  struct Needs {
    bool ordinal = false;
    bool of_method = false;
    bool of_all = false;
    std::vector<Projection> projections;
    [[nodiscard]] bool any() const {
      return ordinal || of_method || of_all || !projections.empty();
    }
  };
  void note(const Profile& profile, const Rule& rule);
  Result<std::uint64_t> next(std::string key);
  Result<ScopeNumbers> count_in(const Needs& needs, const std::string& scope,
                                const Arrival& arrival, ProjectedArguments& arguments);
  void remember(std::string round, const ScopeNumbers& numbers);

  std::array<Needs, 4> needs_;
  std::unordered_map<std::string, std::uint64_t> counters_;
  std::unordered_map<std::string, ScopeNumbers> rounds_;  ///< the latest numbers of each call
  std::deque<std::string> oldest_rounds_;                 ///< in the order in which they came
};

}  // namespace squall::fault
