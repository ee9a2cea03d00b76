#include "squall/lab/sweep.h"

#include <algorithm>
#include <utility>

namespace squall::lab {

namespace {

constexpr std::size_t kPartsMax = 5;  // of what failed in one run

/// The words of an outcome are few; other values may differ from seed to seed.
std::string part_of(const Finding& finding) {
  if (finding.name != "outcome") return finding.name;
  return finding.name + " " + finding.received + " in place of " + finding.expected;
}

void append_findings(std::vector<std::string>& parts, const std::string& where,
                     const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    if (!finding.held) parts.push_back(where + part_of(finding));
  }
}

}  // namespace

std::string what_failed(const RunResult& result) {
  std::vector<std::string> parts;
  for (const StepResult& step : result.steps) {
    if (step.judgement == Judgement::passed) continue;
    const std::string where = "step " + std::to_string(step.number) + ", " + step.label + ": ";
    const std::size_t before = parts.size();
    append_findings(parts, where, step.findings);
    if (parts.size() == before) {
      parts.push_back(where + (step.why.empty() ? std::string(to_text(step.judgement)) : step.why));
    }
  }
  append_findings(parts, "", result.findings);
  if (parts.empty()) parts.push_back(result.why.empty() ? "no reason known" : result.why);
  std::string out;
  for (std::size_t i = 0; i < std::min(parts.size(), kPartsMax); ++i) {
    out += (out.empty() ? "" : "; ") + parts[i];
  }
  if (parts.size() > kPartsMax) out += "; " + std::to_string(parts.size() - kPartsMax) + " more";
  return out;
}

void Sweep::add(std::uint64_t seed, const RunResult& result, const std::string& case_id) {
  ++runs_;
  if (rules_.empty()) {
    rules_ = result.rules;
  } else {
    // A run that never began has no tally; others have that of the same profile.
    for (std::size_t i = 0; i < std::min(rules_.size(), result.rules.size()); ++i) {
      rules_[i].eligible += result.rules[i].eligible;
      rules_[i].fired += result.rules[i].fired;
    }
  }
  if (result.judgement == Judgement::passed) return;
  std::string what = what_failed(result);
  auto group = std::ranges::find_if(groups_, [&](const FailureGroup& one) {
    return one.judgement == result.judgement && one.what == what;
  });
  if (group == groups_.end()) {
    if (groups_.size() >= kGroupsMax) {
      ++others_;
      return;
    }
    groups_.emplace_back().judgement = result.judgement;
    groups_.back().what = std::move(what);
    group = groups_.end() - 1;
  }
  ++group->runs;
  group->seeds.insert(seed);
  if (group->seeds.size() > kSeedsListed) group->seeds.erase(std::prev(group->seeds.end()));
  if (!case_id.empty() && (group->case_id.empty() || seed < group->case_seed)) {
    group->case_id = case_id;
    group->case_seed = seed;
  }
}

std::vector<FailureGroup> Sweep::groups() const {
  std::vector<FailureGroup> out = groups_;
  std::ranges::sort(out, [](const FailureGroup& left, const FailureGroup& right) {
    if (left.runs != right.runs) return left.runs > right.runs;
    return std::pair(left.what, left.judgement) < std::pair(right.what, right.judgement);
  });
  return out;
}

std::string Sweep::unproven() const {
  std::string out;
  for (const inject::RuleTally& rule : rules_) {
    if (rule.fired > 0) continue;
    out += out.empty() ? "" : "; ";
    out += "rule " + rule.rule;
    if (rule.eligible == 0) {
      out += " never became eligible";
    } else {
      out += " never struck (eligible " + std::to_string(rule.eligible) + " times)";
    }
  }
  return out;
}

}  // namespace squall::lab
