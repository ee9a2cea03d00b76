#include <array>

#include "squall/base/crypto.h"
#include "squall/base/text.h"
#include "squall/inject/injector.h"

namespace squall::inject {

namespace {

std::string sha256_hex(std::string_view bytes) {
  const base::Sha256 hash = base::sha256(bytes);
  return base::hex_encode({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

recording::Standing standing_of(fault::Outcome outcome) {
  using enum fault::Outcome;
  switch (outcome) {
    case won:
      return recording::Standing::won;
    case missed:
      return recording::Standing::missed;
    case shadowed:
      return recording::Standing::shadowed;
    case exhausted:
      return recording::Standing::exhausted;
    case unkeyable:
      return recording::Standing::unkeyable;
    case unarmed:
      return recording::Standing::unarmed;
    case elsewhere:
    case unmatched:
    case untriggered:
      break;
  }
  return recording::Standing::not_matched;
}

std::string why_of(const fault::Considered& one) {
  if (!one.why.empty()) return one.why;
  switch (one.outcome) {
    case fault::Outcome::elsewhere:
      return "concerns other events";
    case fault::Outcome::unmatched:
      return "`when` does not match";
    case fault::Outcome::shadowed:
      return one.winner == nullptr ? "" : "shadowed by " + one.winner->id;
    case fault::Outcome::exhausted:
      return "its budget is used up";
    default:
      return {};
  }
}

}  // namespace

recording::Decision to_record(const fault::Decision& decision) {
  recording::Decision out;
  for (const fault::Considered& one : decision.considered) {
    recording::Considered entry;
    entry.rule = one.rule->id;
    entry.kind = one.rule->kind->name;
    entry.layer = fault::name_of(one.rule->kind->layer);
    entry.site = one.site;
    entry.draw = one.bits;
    if (one.bits) entry.threshold = one.rule->probability.text();
    entry.standing = standing_of(one.outcome);
    entry.why = why_of(one);
    for (const fault::Strike& strike : decision.strikes) {
      if (strike.rule == one.rule) entry.parameters = strike.parameters;
    }
    out.rules.push_back(std::move(entry));
  }
  return out;
}

recording::Delivered to_record(const Send& send, std::string_view bytes) {
  recording::Delivered out;
  out.delivery = send.delivery;
  out.rule = send.rule;
  out.how = send.how;
  out.sha256 = sha256_hex(bytes);
  if (send.delivery != recording::Delivery::unchanged) out.payload.emplace(bytes);
  out.drawn = send.after;
  return out;
}

}  // namespace squall::inject
