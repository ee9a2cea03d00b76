#include "squall/cases/verify.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "squall/json/write.h"

#include "sites.h"

namespace squall::cases {

namespace {

using fault::Outcome;
using recording::Standing;

constexpr std::array<std::string_view, 8> kStandings = {
    "struck",        "missed",        "was not matched",      "was shadowed", "had no budget left",
    "found no site", "was not armed", "had nothing to change"};

std::string_view text_of(Standing standing) {
  return kStandings[static_cast<std::size_t>(standing)];
}

Standing standing_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::won:
      return Standing::won;
    case Outcome::missed:
      return Standing::missed;
    case Outcome::shadowed:
      return Standing::shadowed;
    case Outcome::exhausted:
      return Standing::exhausted;
    case Outcome::unkeyable:
      return Standing::unkeyable;
    case Outcome::unarmed:
      return Standing::unarmed;
    case Outcome::elsewhere:
    case Outcome::unmatched:
    case Outcome::untriggered:
      break;
  }
  return Standing::not_matched;
}

std::string bits_text(const std::optional<std::uint64_t>& bits) {
  return bits ? fault::Seed{*bits}.hex() : "none";
}

/// Null stands for no parameters.
json::Value parameters_of(const fault::Decision& decision, const fault::Rule* rule) {
  for (const fault::Strike& strike : decision.strikes) {
    if (strike.rule == rule) return strike.parameters;
  }
  return {};
}

bool same_parameters(const json::Value& a, const json::Value& b) {
  return a == b || (a.size() == 0 && b.size() == 0);
}

class Verifying {
 public:
  Verifying(const Inputs& inputs, Verification& out) : inputs_(inputs), out_(out) {
    for (const fault::Rule& rule : inputs.profile.rules) by_id_.emplace(rule.id, &rule);
  }

  void take(const Redecided& one) {
    one_ = &one;
    ++out_.decisions;
    std::string unknown = one.unknown;
    for (const recording::Considered& rule : one.recorded->rules) {
      if (rule.standing == Standing::won) ++out_.strikes;
    }
    const std::uint64_t before = out_.differing;
    if (unknown.empty()) {
      compare_all();
    } else {
      for (const recording::Considered& rule : one.recorded->rules) check_alone(rule);
    }
    if (one.arrived.redacted && out_.differing != before) {
      // The draw may have been made with the secret in the site.
      out_.differing = before;
      out_.differences.resize(std::min<std::size_t>(out_.differences.size(), listed_));
      unknown = "a secret was replaced in the arrival that it was about";
    }
    listed_ = out_.differences.size();
    if (unknown.empty()) return;
    ++out_.unknown;
    if (out_.gaps.size() < kListedMax) out_.gaps.push_back({one.event->seq, unknown});
  }

 private:
  void differ(std::string_view rule, std::string_view site, std::string why) {
    ++out_.differing;
    if (out_.differences.size() >= kListedMax) return;
    out_.differences.push_back({one_->event->seq, one_->recorded->in, std::string(rule),
                                std::string(site), std::move(why)});
  }

  /// All that was recorded against all that was computed.
  void compare_all() {
    const auto& recorded = one_->recorded->rules;
    const auto& computed = one_->computed.considered;
    // Strikes of a schedule are told apart by their sites too, and those elsewhere may be left out.
    const auto name = [this](const std::string& rule, const std::string& site) {
      return inputs_.pinned ? rule + site : rule;
    };
    std::map<std::string, const fault::Considered*> by_name;
    for (const fault::Considered& one : computed) {
      if (inputs_.pinned && one.site != one.rule->at) continue;
      by_name.emplace(name(one.rule->id, one.site), &one);
    }
    for (const recording::Considered& rule : recorded) {
      const bool elsewhere =
          rule.standing == Standing::missed || rule.standing == Standing::not_matched;
      if (inputs_.pinned && elsewhere) continue;
      const auto at = by_name.find(name(rule.rule, rule.site));
      if (at != by_name.end()) {
        compare(rule, at->second);
        by_name.erase(at);
      } else {
        check_alone(rule);
      }
    }
    for (const auto& [of, one] : by_name) {
      if (inputs_.pinned && one->outcome != Outcome::won) continue;
      differ(one->rule->id, one->site,
             "isn't recorded, and " + std::string(text_of(standing_of(one->outcome))) +
                 " as computed");
    }
  }

  void compare(const recording::Considered& recorded, const fault::Considered* computed) {
    const fault::Rule& rule = *computed->rule;
    if (recorded.site != computed->site) {
      differ(rule.id, computed->site, "the record has site " + recorded.site);
    } else if (recorded.draw != computed->bits) {
      differ(rule.id, computed->site,
             "drew " + bits_text(recorded.draw) + ", and the draw is " + bits_text(computed->bits));
    } else if (recorded.draw && recorded.threshold != rule.probability.text()) {
      differ(
          rule.id, computed->site,
          "struck below " + recorded.threshold + ", and the rule says " + rule.probability.text());
    } else if (recorded.standing != standing_of(computed->outcome)) {
      compare_standing(recorded, *computed);
    } else if (recorded.standing == Standing::won &&
               !same_parameters(recorded.parameters, parameters_of(one_->computed, &rule))) {
      differ(rule.id, computed->site,
             "struck with " + json::to_string(recorded.parameters) + ", and draws " +
                 json::to_string(parameters_of(one_->computed, &rule)));
    }
  }

  void compare_standing(const recording::Considered& recorded, const fault::Considered& computed) {
    const bool crowded = computed.rule->budget.concurrent.has_value();
    const bool behind =
        computed.winner != nullptr && computed.winner->budget.concurrent.has_value();
    // How many strikes were under way depends on how long the answers took.
    if (crowded && recorded.standing == Standing::exhausted && computed.outcome == Outcome::won) {
      return;
    }
    if (behind && computed.outcome == Outcome::shadowed && recorded.standing == Standing::won) {
      return;
    }
    differ(computed.rule->id, computed.site,
           std::string(text_of(recorded.standing)) + " as recorded, and " +
               std::string(text_of(standing_of(computed.outcome))) + " as computed");
  }

  /// What a record of one rule says, held against itself and the rule.
  void check_alone(const recording::Considered& recorded) {
    const auto at = by_id_.find(recorded.rule);
    if (at == by_id_.end()) {
      differ(recorded.rule, recorded.site, "there is no such rule");
      return;
    }
    const fault::Rule& rule = *at->second;
    if (recorded.site.empty() || rule.burst || inputs_.pinned) return;
    const fault::Draws draws{inputs_.seed, rule.draw_key, recorded.site};
    if (recorded.draw) {
      const std::uint64_t bits = draws.bits("fire");
      const bool strikes = fault::strikes(bits, rule.probability);
      const bool struck = recorded.standing != Standing::missed;
      if (bits != *recorded.draw) {
        differ(rule.id, recorded.site,
               "drew " + bits_text(recorded.draw) + ", and the draw is " + bits_text(bits));
      } else if (strikes != struck && recorded.standing != Standing::not_matched) {
        differ(rule.id, recorded.site,
               std::string(text_of(recorded.standing)) + " as recorded, and its coin " +
                   (strikes ? "strikes" : "misses"));
      }
    }
    if (recorded.standing != Standing::won || rule.window != 0) return;
    const json::Value parameters = fault::resolve(rule, draws);
    if (same_parameters(recorded.parameters, parameters)) return;
    differ(rule.id, recorded.site,
           "struck with " + json::to_string(recorded.parameters) + ", and draws " +
               json::to_string(parameters));
  }

  const Inputs& inputs_;
  Verification& out_;
  const Redecided* one_ = nullptr;
  std::size_t listed_ = 0;
  std::unordered_map<std::string, const fault::Rule*> by_id_;
};

constexpr std::array<std::string_view, 3> kOutcomes = {"same", "different", "could_not"};

}  // namespace

Result<Verification> verify(const recording::Case& from) {
  SQUALL_TRY(const Inputs inputs, inputs_of(from.header));
  Verification out;
  out.run_hash = from.run_hash;
  out.ended_early = from.ended_early;
  Verifying verifying(inputs, out);
  redecide(from, inputs, [&verifying](const Redecided& one) { verifying.take(one); });
  return out;
}

json::Value to_json(const Verification& verification) {
  json::Value out = json::Value::object();
  out.set("outcome", kOutcomes[static_cast<std::size_t>(verification.outcome())]);
  out.set("decisions", verification.decisions).set("strikes", verification.strikes);
  out.set("differing", verification.differing).set("unknown", verification.unknown);
  json::Value differences = json::Value::array();
  for (const Difference& one : verification.differences) {
    json::Value entry = json::Value::object();
    entry.set("seq", one.seq);
    if (one.in != 0) entry.set("in", one.in);
    entry.set("rule", one.rule).set("site", one.site).set("why", one.why);
    differences.push_back(std::move(entry));
  }
  out.set("differences", std::move(differences));
  json::Value gaps = json::Value::array();
  for (const Gap& gap : verification.gaps) {
    gaps.push_back(json::Value::object({{"seq", gap.seq}, {"why", gap.why}}));
  }
  out.set("gaps", std::move(gaps));
  out.set("run_hash", verification.run_hash);
  if (!verification.ended_early.empty()) out.set("ended_early", verification.ended_early);
  return out;
}

}  // namespace squall::cases
