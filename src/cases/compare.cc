#include "squall/cases/compare.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "squall/base/crypto.h"
#include "squall/base/text.h"
#include "squall/cases/explain.h"
#include "squall/json/canonical.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

#include "sites.h"

namespace squall::cases {

namespace {

constexpr std::size_t kShownMax = 200;  // bytes of an answer that a difference shows

constexpr std::array<std::string_view, 5> kChanges = {"only_left", "only_right", "decision",
                                                      "payload", "upstream"};

/// What a message says, without the id that it happens to carry; the bytes of what is none.
std::string said_by(const std::string& bytes) {
  const auto message = json::parse(bytes);
  if (!message || !message->is_object()) return bytes;
  json::Value said = *message;
  said.erase("id");
  said.erase("jsonrpc");
  return json::canonical(said).value_or(bytes);
}

/// Long texts by their hash, so that a run of any size fits.
std::string shortened(std::string text) {
  if (text.size() <= kShownMax) return text;
  const base::Sha256 digest = base::sha256(text);
  const std::string_view bytes(reinterpret_cast<const char*>(digest.data()), digest.size());
  std::size_t cut = kShownMax / 2;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
  return text.substr(0, cut) + "... (sha256 " + base::hex_encode(bytes) + ")";
}

std::string upstream_text(const Explanation& one) {
  std::string out = "executed: " + std::string(name_of(one.executed));
  if (one.clean) out += ", answered " + said_by(*one.clean);
  return shortened(std::move(out));
}

std::string delivered_text(const Explanation& one) {
  std::string out;
  for (const Handed& handed : one.handed) {
    if (handed.delivered.delivery == recording::Delivery::unchanged) continue;
    out += (out.empty() ? "" : "; ") + std::string(name_of(handed.delivered.delivery));
    if (handed.bytes) out += " " + said_by(*handed.bytes);
    if (handed.delivered.drawn.count() != 0) {
      out += " after " + fault::time_text(handed.delivered.drawn);
    }
  }
  return shortened(std::move(out));
}

void sort(std::vector<AtSite::Struck>& struck) {
  std::ranges::sort(struck, [](const AtSite::Struck& a, const AtSite::Struck& b) {
    return a.rule != b.rule ? a.rule < b.rule : a.kind < b.kind;
  });
}

AtSite::Struck struck_of(const fault::Strike& strike) {
  return {strike.rule->draw_key, std::string(strike.rule->kind->name), strike.parameters};
}

std::string text_of(const std::vector<AtSite::Struck>& struck) {
  std::string out;
  for (const AtSite::Struck& one : struck) out += (out.empty() ? "" : ", ") + one.text();
  return out.empty() ? "nothing strikes" : out;
}

bool same_decision(const AtSite& a, const AtSite& b) {
  return std::ranges::equal(a.struck, b.struck,
                            [](const auto& x, const auto& y) { return x.same_decision(y); });
}

bool same_parameters(const AtSite& a, const AtSite& b) {
  return std::ranges::equal(a.struck, b.struck, [](const auto& x, const auto& y) {
    return x.parameters == y.parameters || (x.parameters.size() == 0 && y.parameters.size() == 0);
  });
}

class Comparing {
 public:
  void at(const std::string& site, const std::vector<AtSite>* left,
          const std::vector<AtSite>* right) {
    const std::size_t lefts = left == nullptr ? 0 : left->size();
    const std::size_t rights = right == nullptr ? 0 : right->size();
    for (std::size_t i = 0; i < std::max(lefts, rights); ++i) {
      if (i >= rights) {
        note(site, Change::only_left, text_of((*left)[i].struck), "");
      } else if (i >= lefts) {
        note(site, Change::only_right, "", text_of((*right)[i].struck));
      } else {
        both(site, (*left)[i], (*right)[i]);
      }
    }
  }
  Comparison out;

 private:
  void both(const std::string& site, const AtSite& left, const AtSite& right) {
    bool same = true;
    const auto differ = [&](Change change, std::string a, std::string b) {
      same = false;
      note(site, change, std::move(a), std::move(b));
    };
    const bool known = !left.upstream.empty() && !right.upstream.empty();
    const bool upstream = known && left.upstream != right.upstream;
    if (!same_decision(left, right)) {
      differ(Change::decision, text_of(left.struck), text_of(right.struck));
    } else if (!same_parameters(left, right)) {
      differ(Change::payload, text_of(left.struck), text_of(right.struck));
    } else if (known && !upstream && left.delivered != right.delivered) {
      differ(Change::payload, left.delivered, right.delivered);
    }
    // What the server did follows from a decision to keep the request from it.
    if (upstream && same_decision(left, right)) {
      differ(Change::upstream, left.upstream, right.upstream);
    }
    if (same) ++out.same;
  }

  void note(const std::string& site, Change change, std::string left, std::string right) {
    ++out.counts[change];
    if (out.changes.size() >= kChangesMax) return;
    out.changes.push_back({site, change, std::move(left), std::move(right)});
  }
};

}  // namespace

std::string_view name_of(Change change) noexcept {
  return kChanges[static_cast<std::size_t>(change)];
}

std::string AtSite::Struck::text() const {
  std::string out = rule;
  if (rule != kind) out += " (" + kind + ")";
  if (parameters.size() > 0) out += " " + json::to_string(parameters);
  return out;
}

std::vector<Arrived> arrivals_of(const recording::Case& from) {
  const fault::Profile none;
  const Arrivals arrivals(from, none);
  std::vector<Arrived> out;
  for (const std::uint64_t in : arrivals.numbers()) {
    Arrived one = arrivals.message(in);
    if (one.unknown.empty()) out.push_back(std::move(one));
  }
  return out;
}

Result<Sites> sites_of(const recording::Case& from) {
  SQUALL_TRY(const Inputs inputs, inputs_of(from.header));
  std::unordered_map<std::string, std::string> draw_keys;
  for (const fault::Rule& rule : inputs.profile.rules) draw_keys.emplace(rule.id, rule.draw_key);
  Sites out;
  explain_each(from, [&](const Explanation& one) {
    AtSite at;
    for (const ToldRule& told : one.rules) {
      const auto key = draw_keys.find(told.rule.rule);
      AtSite::Struck struck{key == draw_keys.end() ? told.rule.rule : key->second, told.rule.kind,
                            told.rule.parameters};
      if (told.rule.standing == recording::Standing::won) {
        at.struck.push_back(std::move(struck));
      } else if (told.rule.standing == recording::Standing::noop) {
        std::erase_if(at.struck, [&struck](const auto& s) { return s.same_decision(struck); });
      }
    }
    sort(at.struck);
    at.upstream = upstream_text(one);
    at.delivered = delivered_text(one);
    out[one.site].push_back(std::move(at));
  });
  return out;
}

Result<Sites> sites_of(const Inputs& inputs, const std::vector<Arrived>& arrivals) {
  fault::Decider decider(inputs.profile, inputs.seed);
  Labels labels;
  Sites out;
  for (const Arrived& arrived : arrivals) {
    const fault::Decision decision = decider.decide(arrived.view());
    if (!decision.refused.empty()) return fail(ErrorKind::limit, decision.refused);
    AtSite at;
    for (const fault::Strike& strike : decision.strikes) {
      at.struck.push_back(struck_of(strike));
      decider.finished(*strike.rule);
    }
    sort(at.struck);
    out[labels.next(arrived)].push_back(std::move(at));
  }
  return out;
}

Sites sites_of(const fault::Profile& schedule) {
  Sites out;
  for (const fault::Rule& rule : schedule.rules) {
    std::vector<AtSite>& here = out[rule.at];
    if (here.empty()) here.emplace_back();
    here.front().struck.push_back({rule.draw_key, std::string(rule.kind->name), rule.settings});
    sort(here.front().struck);
  }
  return out;
}

Comparison compare(const Sites& left, const Sites& right) {
  Comparing comparing;
  auto a = left.begin();
  auto b = right.begin();
  while (a != left.end() || b != right.end()) {
    if (b == right.end() || (a != left.end() && a->first < b->first)) {
      comparing.at(a->first, &a->second, nullptr);
      ++a;
    } else if (a == left.end() || b->first < a->first) {
      comparing.at(b->first, nullptr, &b->second);
      ++b;
    } else {
      comparing.at(a->first, &a->second, &b->second);
      ++a;
      ++b;
    }
  }
  return std::move(comparing.out);
}

json::Value to_json(const Comparison& comparison) {
  json::Value out = json::Value::object();
  out.set("same", comparison.same);
  for (std::size_t i = 0; i < kChanges.size(); ++i) {
    const auto at = comparison.counts.find(static_cast<Change>(i));
    out.set(kChanges[i], at == comparison.counts.end() ? 0 : at->second);
  }
  json::Value changes = json::Value::array();
  for (const Changed& one : comparison.changes) {
    json::Value entry = json::Value::object();
    entry.set("site", one.site).set("change", name_of(one.change));
    entry.set("left", one.left).set("right", one.right);
    changes.push_back(std::move(entry));
  }
  out.set("changes", std::move(changes));
  return out;
}

}  // namespace squall::cases
