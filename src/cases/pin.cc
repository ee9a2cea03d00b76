#include "squall/cases/pin.h"

#include <algorithm>
#include <set>

#include "squall/cases/verify.h"
#include "squall/fault/schedule.h"
#include "squall/json/write.h"

#include "sites.h"

namespace squall::cases {

namespace {

/// Strikes that had nothing to change, by arrival and rule.
using Noops = std::set<std::pair<std::uint64_t, std::string>>;

Noops noops_of(const recording::Case& from) {
  Noops out;
  for (const recording::Event& event : from.events) {
    const auto* decision = std::get_if<recording::Decision>(&event.body);
    if (decision == nullptr || !is_noop(*decision)) continue;
    for (const recording::Considered& rule : decision->rules) {
      out.emplace(decision->in, rule.rule + rule.site);
    }
  }
  return out;
}

/// A strike as a text that says what it does, wherever it stands in a list.
std::string text_of(const fault::Strike& strike) {
  return strike.rule->draw_key + " " + std::string(strike.rule->kind->name) + " " +
         (strike.parameters.size() > 0 ? json::to_string(strike.parameters) : "");
}

/// What struck at one decision.
using Struck = std::multiset<std::string>;

/// Collects the strikes that were recorded, as those that were computed.
class Pinning {
 public:
  Pinning(const Inputs& inputs, Noops noops) : inputs_(inputs), noops_(std::move(noops)) {}

  void take(const Redecided& one) {
    Struck& struck = struck_.emplace_back();
    const auto& rules = one.recorded->rules;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (rules[i].standing != recording::Standing::won) continue;
      if (noops_.contains({one.recorded->in, rules[i].rule + rules[i].site})) continue;
      const fault::Strike strike = strike_of(one, rules[i]);
      if (strike.rule == nullptr) continue;
      struck.insert(text_of(strike));
      // In a narrow scope one site is met again and again.
      if (known_.insert(strike.site + text_of(strike)).second) strikes_.push_back(strike);
    }
  }

  [[nodiscard]] const std::vector<fault::Strike>& strikes() const noexcept { return strikes_; }
  [[nodiscard]] const std::vector<Struck>& struck() const noexcept { return struck_; }
  [[nodiscard]] const Noops& noops() const noexcept { return noops_; }
  [[nodiscard]] const std::string& trouble() const noexcept { return trouble_; }

 private:
  fault::Strike strike_of(const Redecided& one, const recording::Considered& recorded) {
    for (const fault::Strike& strike : one.computed.strikes) {
      const bool same = strike.rule->id == recorded.rule;
      if (same && (!inputs_.pinned || strike.site == recorded.site)) return strike;
    }
    fault::Strike out;
    const fault::Rule* rule = inputs_.profile.find(recorded.rule);
    const bool shaped = rule != nullptr && (rule->burst.has_value() || rule->window != 0);
    if (rule == nullptr || shaped) {
      trouble_ = "where rule " + recorded.rule + " struck at event " +
                 std::to_string(one.event->seq) + " can't be told without its arrival";
      return out;
    }
    out.rule = rule;
    out.site = recorded.site;
    out.parameters = recorded.parameters;
    return out;
  }

  const Inputs& inputs_;
  Noops noops_;
  std::vector<fault::Strike> strikes_;
  std::set<std::string> known_;
  std::vector<Struck> struck_;  // by decision
  std::string trouble_;
};

/// Decides the case again by its schedule; fails where that comes out otherwise.
Result<void> try_out(const recording::Case& from, const json::Value& schedule,
                     const Pinning& pinning) {
  Inputs again;
  SQUALL_TRY(again.profile, fault::read_schedule("the schedule", json::to_string(schedule)));
  again.seed = *again.profile.seed;
  again.pinned = true;
  std::size_t index = 0;
  std::string wrong;
  redecide(from, again, [&](const Redecided& one) {
    const Struck& expected = pinning.struck()[index++];
    if (!one.unknown.empty() || !wrong.empty()) return;
    Struck struck;
    for (const fault::Strike& strike : one.computed.strikes) {
      struck.insert(text_of(strike));
    }
    for (const recording::Considered& rule : one.recorded->rules) {
      // It had nothing to change here; at the same site elsewhere it may have.
      if (!pinning.noops().contains({one.recorded->in, rule.rule + rule.site})) continue;
      std::erase_if(struck, [&rule](const std::string& text) {
        return text.starts_with(rule.rule + " " + rule.kind + " ");
      });
    }
    if (struck == expected) return;
    wrong = "a schedule can't repeat what struck at event " + std::to_string(one.event->seq) +
            ": its site is met more than once, and not struck every time";
  });
  if (!wrong.empty()) return fail(ErrorKind::invalid, wrong);
  return {};
}

}  // namespace

Result<json::Value> pin(const recording::Case& from) {
  SQUALL_TRY(const Inputs inputs, inputs_of(from.header));
  SQUALL_TRY(const Verification verification, verify(from));
  if (verification.differing != 0) {
    return fail(ErrorKind::invalid,
                "the case's decisions aren't those of its profile; `squall verify` tells where");
  }
  Pinning pinning(inputs, noops_of(from));
  redecide(from, inputs, [&pinning](const Redecided& one) { pinning.take(one); });
  if (!pinning.trouble().empty()) return fail(ErrorKind::invalid, pinning.trouble());
  if (pinning.strikes().size() > fault::kStrikesMax) {
    return fail(ErrorKind::limit, "the case has " + std::to_string(pinning.strikes().size()) +
                                      " strikes; a schedule holds " +
                                      std::to_string(fault::kStrikesMax));
  }
  const std::string name = from.header.name.empty() ? from.run_id : from.header.name;
  json::Value out = fault::to_schedule(name, inputs.seed, pinning.strikes(), inputs.profile.scope);
  SQUALL_CHECK(try_out(from, out, pinning));
  return out;
}

std::string to_yaml(const json::Value& schedule, std::string_view about) {
  std::string out = "# " + std::string(about) + "\n";
  for (const json::Member& member : schedule.members()) {
    if (member.name() == "strikes") continue;
    out += std::string(member.name()) + ": " + json::to_string(member.value) + "\n";
  }
  const json::Value* strikes = schedule.find("strikes");
  if (strikes == nullptr || strikes->size() == 0) return out + "strikes: []\n";
  out += "strikes:\n";
  for (const json::Value& strike : strikes->items()) out += "  - " + json::to_string(strike) + "\n";
  return out;
}

}  // namespace squall::cases
