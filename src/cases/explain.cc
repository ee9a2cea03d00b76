#include "squall/cases/explain.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <unordered_map>

#include "squall/base/text.h"
#include "squall/cases/arrivals.h"
#include "squall/json/canonical.h"
#include "squall/json/parse.h"

#include "sites.h"

namespace squall::cases {

namespace {

using recording::Standing;

// What is shown of a case is read from its files one by one: no more than this together.
constexpr std::size_t kShownBytesMax = std::size_t{64} << 20;

std::string bits_text(std::uint64_t bits) {
  std::string digits(16, '0');
  for (int i = 15; i >= 0; --i, bits >>= 4) {
    digits[static_cast<std::size_t>(i)] = "0123456789abcdef"[bits & 15];
  }
  return digits;
}

/// A draw as the fraction of 1 that it is, four decimals, cut off.
std::string fraction_of(std::uint64_t bits) {
  constexpr std::uint64_t kParts = 10'000;
  const std::uint64_t low = (bits & 0xffffffffU) * kParts;
  const std::uint64_t part = ((bits >> 32) * kParts + (low >> 32)) >> 32;
  return "0." + std::to_string(kParts + part).substr(1);
}

std::string what_of(const Arrived& arrived) {
  using What = fault::Arrival::What;
  switch (arrived.what) {
    case What::call:
      return arrived.method + " " + arrived.tool;
    case What::connection:
      return "connection " + arrived.connection;
    case What::spawn:
      return "process " + arrived.process;
    case What::session:
      return "session";
    case What::stream:
      return "stream";
    case What::message:
    case What::server_message:
    case What::entry:
      break;
  }
  return arrived.method;
}

/// Puts explanations together, one an arrival.
class Explaining {
 public:
  explicit Explaining(const recording::Case& from) : case_(from), arrivals_(from, none_) {
    for (const std::uint64_t in : arrivals_.numbers()) begin(in);
    for (const recording::Event& event : from.events) take(event);
  }

  /// Those in `keep`, in the order of the case, with their bytes.
  template <typename Keep>
  std::vector<Explanation> finish(Keep&& keep) {
    std::vector<Explanation> out;
    for (Explanation& one : all_) {
      if (!keep(one)) continue;
      if (out.size() == kExplainedMax) break;
      fill_in(one);
      out.push_back(std::move(one));
    }
    std::ranges::sort(out, {}, &Explanation::seq);
    return out;
  }

  /// Gives every one with its bytes, and forgets them.
  void each(const std::function<void(const Explanation&)>& take) {
    for (Explanation& one : all_) {
      shown_ = 0;
      fill_in(one);
      take(one);
      one = {};
    }
  }

  /// Which explanation an event belongs to, by its number; npos when to none.
  [[nodiscard]] std::size_t owner_of(std::uint64_t seq) const {
    const auto at = owners_.find(seq);
    return at == owners_.end() ? std::string::npos : at->second;
  }
  [[nodiscard]] const std::vector<Explanation>& all() const noexcept { return all_; }

 private:
  void begin(std::uint64_t in) {
    const Arrived arrived = arrivals_.message(in);
    if (arrived.method.empty()) return;  // a response: it belongs to its request
    Explanation one;
    one.in = in;
    one.seq = arrived.seq;
    one.what = what_of(arrived);
    one.site = labels_.next(arrived);
    by_in_.emplace(in, all_.size());
    owners_.emplace(arrived.seq, all_.size());
    all_.push_back(std::move(one));
  }

  Explanation* own(const recording::Event& event, std::uint64_t in) {
    auto at = by_in_.find(in);
    if (at == by_in_.end()) {
      const auto request = answers_.find(in);
      if (request == answers_.end()) return nullptr;
      at = by_in_.find(request->second);
      if (at == by_in_.end()) return nullptr;
    }
    owners_.emplace(event.seq, at->second);
    return &all_[at->second];
  }

  void take(const recording::Event& event) {
    if (const auto* decision = std::get_if<recording::Decision>(&event.body)) {
      Explanation* one = decision->in == 0 ? open(event, *decision) : own(event, decision->in);
      if (one != nullptr) add(*one, *decision);
    } else if (const auto* upstream = std::get_if<recording::Upstream>(&event.body)) {
      if (upstream->answer_in != 0) answers_.emplace(upstream->answer_in, upstream->in);
      if (Explanation* one = own(event, upstream->in)) {
        one->executed = upstream->executed;
        upstreams_[one->in] = upstream;
        adopt(*one, upstream->answer_in);
      }
    } else if (const auto* delivered = std::get_if<recording::Delivered>(&event.body)) {
      Explanation* one = own(event, delivered->in);
      if (one == nullptr) {
        // Its answer's number may be told behind it.
        waiting_[delivered->in].push_back(&event);
        return;
      }
      one->handed.push_back({*delivered, event.at, {}});
    }
  }

  void adopt(Explanation& one, std::uint64_t answer_in) {
    const auto at = waiting_.find(answer_in);
    if (answer_in == 0 || at == waiting_.end()) return;
    for (const recording::Event* event : at->second) {
      owners_.emplace(event->seq, by_in_.at(one.in));
      one.handed.push_back({std::get<recording::Delivered>(event->body), event->at, {}});
    }
    waiting_.erase(at);
  }

  Explanation* open(const recording::Event& event, const recording::Decision& decision) {
    Explanation one;
    one.seq = event.seq;
    const Arrived arrived = arrivals_.of(decision);
    one.what = what_of(arrived);
    const json::Value site = site_of(decision);
    one.site = site.is_null() ? "" : json::canonical(site).value_or("");
    owners_.emplace(event.seq, all_.size());
    return &all_.emplace_back(std::move(one));
  }

  static void add(Explanation& one, const recording::Decision& decision) {
    one.order_sensitive |= decision.order_sensitive;
    if (one.in_flight.empty()) one.in_flight = decision.in_flight;
    for (const recording::Considered& rule : decision.rules) {
      one.struck |= rule.standing == Standing::won;
      one.rules.push_back({rule, reason_of(rule)});
    }
  }

  std::optional<std::string> bytes_of(const recording::Payload& payload) {
    if (shown_ + payload.size > kShownBytesMax) return std::nullopt;
    auto bytes = recording::bytes_of(case_, payload);
    if (!bytes) return std::nullopt;
    shown_ += payload.size;
    return *std::move(bytes);
  }

  void fill_in(Explanation& one) {
    if (const recording::Event* event = arrivals_.event_of(one.in)) {
      one.message = bytes_of(std::get<recording::Message>(event->body).payload).value_or("");
    }
    if (const auto at = upstreams_.find(one.in); at != upstreams_.end()) {
      const recording::Upstream& upstream = *at->second;
      const recording::Event* answer = arrivals_.event_of(upstream.answer_in);
      if (upstream.answer) {
        one.clean = bytes_of(*upstream.answer);
      } else if (answer != nullptr) {
        one.clean = bytes_of(std::get<recording::Message>(answer->body).payload);
      }
    }
    for (Handed& handed : one.handed) {
      if (handed.delivered.payload) handed.bytes = bytes_of(*handed.delivered.payload);
    }
  }

  const recording::Case& case_;
  const fault::Profile none_;
  Arrivals arrivals_;
  Labels labels_;
  std::vector<Explanation> all_;
  std::unordered_map<std::uint64_t, std::size_t> by_in_;
  std::unordered_map<std::uint64_t, std::size_t> owners_;     // by seq
  std::unordered_map<std::uint64_t, std::uint64_t> answers_;  // requests, by their answer
  std::unordered_map<std::uint64_t, const recording::Upstream*> upstreams_;
  std::map<std::uint64_t, std::vector<const recording::Event*>> waiting_;
  std::size_t shown_ = 0;
};

/// `where` as canonical JSON when it is a site.
std::string site_named(std::string_view where) {
  const auto value = json::parse(where);
  return value && value->is_array() ? json::canonical(*value).value_or("") : "";
}

bool is_at(const Explanation& one, std::string_view site) {
  if (one.site == site) return true;
  return std::ranges::any_of(one.rules,
                             [site](const ToldRule& told) { return told.rule.site == site; });
}

constexpr std::array<std::string_view, 8> kStandings = {
    "won", "missed", "not_matched", "shadowed", "exhausted", "unkeyable", "unarmed", "noop"};
constexpr std::array<std::string_view, 3> kExecuted = {"unknown", "yes", "no"};
constexpr std::array<std::string_view, 4> kDeliveries = {"unchanged", "changed", "lost", "made_up"};

}  // namespace

std::string_view name_of(Standing standing) noexcept {
  return kStandings[static_cast<std::size_t>(standing)];
}
std::string_view name_of(recording::Executed executed) noexcept {
  return kExecuted[static_cast<std::size_t>(executed)];
}
std::string_view name_of(recording::Delivery delivery) noexcept {
  return kDeliveries[static_cast<std::size_t>(delivery)];
}

std::string reason_of(const recording::Considered& rule) {
  std::string out;
  if (rule.draw) {
    out = "draw " + bits_text(*rule.draw) + " = " + fraction_of(*rule.draw) + ", strikes below " +
          rule.threshold;
  }
  if (!rule.why.empty()) out += (out.empty() ? "" : "; ") + rule.why;
  if (!out.empty()) return out;
  switch (rule.standing) {
    case Standing::won:
      return "strikes here always";
    case Standing::missed:
      return "doesn't strike here";
    case Standing::not_matched:
      return "concerns other events";
    case Standing::shadowed:
      return "another rule of its layer won";
    case Standing::exhausted:
      return "its budget is used up";
    case Standing::unkeyable:
      return "the arguments have no canonical form";
    case Standing::unarmed:
      return "its coin for the whole run missed";
    case Standing::noop:
      break;
  }
  return "there was nothing to change";
}

std::vector<Explanation> explain_struck(const recording::Case& from) {
  Explaining explaining(from);
  return explaining.finish([](const Explanation& one) { return one.struck; });
}

void explain_each(const recording::Case& from,
                  const std::function<void(const Explanation&)>& take) {
  Explaining(from).each(take);
}

Result<std::vector<Explanation>> explain_at(const recording::Case& from, std::string_view where) {
  Explaining explaining(from);
  std::uint64_t seq = 0;
  const auto [end, error] = std::from_chars(where.data(), where.data() + where.size(), seq);
  std::vector<Explanation> out;
  if (error == std::errc() && end == where.data() + where.size()) {
    const std::size_t owner = explaining.owner_of(seq);
    if (owner != std::string::npos) {
      const Explanation* const wanted = &explaining.all()[owner];
      out = explaining.finish([wanted](const Explanation& one) { return &one == wanted; });
    } else if (seq == 0 || seq > from.events.size()) {
      return fail(ErrorKind::not_found,
                  "the case has events 1 to " + std::to_string(from.events.size()));
    }
  } else {
    const std::string site = site_named(where);
    if (site.empty()) {
      return fail(ErrorKind::invalid,
                  "expected the number of an event, or a site such as [\"args\",\"search\",{},1]");
    }
    out = explaining.finish([&site](const Explanation& one) { return is_at(one, site); });
  }
  if (out.empty()) return fail(ErrorKind::not_found, "nothing was decided there");
  return out;
}

json::Value to_json(const Explanation& explanation) {
  json::Value out = json::Value::object();
  if (explanation.in != 0) out.set("in", explanation.in);
  out.set("seq", explanation.seq).set("what", explanation.what).set("site", explanation.site);
  if (!explanation.message.empty()) out.set("message", explanation.message);
  json::Value rules = json::Value::array();
  for (const ToldRule& told : explanation.rules) {
    json::Value rule = json::Value::object();
    rule.set("rule", told.rule.rule).set("kind", told.rule.kind).set("layer", told.rule.layer);
    rule.set("standing", name_of(told.rule.standing));
    if (!told.rule.site.empty()) rule.set("site", told.rule.site);
    if (told.rule.draw) {
      rule.set("draw", bits_text(*told.rule.draw)).set("threshold", told.rule.threshold);
    }
    rule.set("why", told.why);
    if (!told.rule.parameters.is_null()) rule.set("parameters", told.rule.parameters);
    rules.push_back(std::move(rule));
  }
  out.set("struck", explanation.struck).set("rules", std::move(rules));
  if (explanation.order_sensitive) out.set("order_sensitive", true);
  out.set("executed", name_of(explanation.executed));
  if (explanation.clean) out.set("clean", *explanation.clean);
  json::Value handed = json::Value::array();
  for (const Handed& one : explanation.handed) {
    json::Value entry = json::Value::object();
    entry.set("delivery", name_of(one.delivered.delivery));
    entry.set("to", one.delivered.to == recording::Party::client ? "client" : "server");
    if (!one.delivered.rule.empty()) entry.set("rule", one.delivered.rule);
    if (!one.delivered.how.empty()) entry.set("how", one.delivered.how);
    if (one.delivered.drawn.count() != 0) entry.set("drawn", one.delivered.drawn.count());
    entry.set("at", one.at.count());
    if (one.bytes) entry.set("bytes", *one.bytes);
    handed.push_back(std::move(entry));
  }
  out.set("handed", std::move(handed));
  return out;
}

}  // namespace squall::cases
