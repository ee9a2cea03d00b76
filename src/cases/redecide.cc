#include <utility>

#include "squall/cases/verify.h"

#include "sites.h"

namespace squall::cases {

void redecide(const recording::Case& from, const Inputs& inputs,
              const std::function<void(const Redecided&)>& take) {
  Arrivals arrivals(from, inputs.profile);
  fault::Decider decider(inputs.profile, inputs.seed);
  // Once an arrival couldn't be counted, whatever is numbered behind it is uncertain.
  std::string lost;
  if (!from.header.counters.is_null()) lost = "it counted on from an earlier process";
  for (const recording::Event& event : from.events) {
    const auto* recorded = std::get_if<recording::Decision>(&event.body);
    if (recorded == nullptr || is_noop(*recorded)) continue;
    Redecided one;
    one.event = &event;
    one.recorded = recorded;
    one.arrived = arrivals.of(*recorded);
    one.unknown = one.arrived.unknown;
    if (!one.unknown.empty() && lost.empty()) {
      lost = "the arrival of event " + std::to_string(event.seq) + " couldn't be counted";
    } else if (one.unknown.empty() && !lost.empty()) {
      one.unknown = lost;
    }
    if (one.unknown.empty()) {
      one.computed = decider.decide(one.arrived.view());
      // How long strikes last isn't recorded: every place is free again at once.
      for (const fault::Strike& strike : one.computed.strikes) decider.finished(*strike.rule);
      one.unknown = one.computed.refused;
    }
    take(one);
  }
}

}  // namespace squall::cases
