#include "transcript.h"

#include <algorithm>
#include <utility>

#include "squall/json/canonical.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::cases {

namespace {

using recording::Party;

class Reading {
 public:
  Reading(const ReadPayload& read, Naming naming) : read_(read), naming_(naming) {}

  void take(const recording::Event& event) {
    out_.last_seq = event.seq;
    if (const auto* message = std::get_if<recording::Message>(&event.body)) {
      take(event, *message);
    } else if (const auto* decision = std::get_if<recording::Decision>(&event.body)) {
      take(event, *decision);
    } else if (const auto* upstream = std::get_if<recording::Upstream>(&event.body)) {
      take(event, *upstream);
    } else if (const auto* delivered = std::get_if<recording::Delivered>(&event.body)) {
      take(event, *delivered);
    } else if (const auto* verdict = std::get_if<recording::Verdict>(&event.body)) {
      std::string text = verdict->name + ": " + std::string(to_text(verdict->judgement));
      if (!verdict->outcome.empty()) text += ", " + verdict->outcome;
      const bool timing = std::ranges::any_of(
          verdict->expectations, [](const auto& one) { return !one.held && one.timing; });
      out_.verdicts.push_back({std::move(text), event.seq, event.at, false, timing});
    }
  }

  Transcript finish() {
    for (auto& [in, texts] : strikes_) {
      std::vector<Stated>& to = in == 0 ? out_.openings : strikes_of(in);
      for (auto& [rule, stated] : texts) to.push_back(std::move(stated));
      // A schedule lists the same strikes in an order of its own.
      std::ranges::stable_sort(to, {}, &Stated::text);
    }
    return std::move(out_);
  }

 private:
  void take(const recording::Event& event, const recording::Message& message) {
    const auto bytes = read_(message.payload);
    Stated stated{bytes ? *bytes : "", event.seq, event.at, message.payload.redacted || !bytes};
    auto body = json::parse(stated.text);
    const json::Value* id = body ? body->find("id") : nullptr;
    const bool has_method = body && body->contains("method");
    const std::string id_text = id != nullptr ? json::to_string(*id) : "";
    if (message.from == Party::client) {
      if (body) stated.text = json::canonical(*body).value_or(stated.text);
      Sent& sent = out_.sent.emplace_back();
      sent.message = std::move(stated);
      sent.connection = message.connection;
      sent.in = message.in;
      if (has_method) sent.id = id_text;
      by_in_[message.in] = out_.sent.size() - 1;
      if (!sent.id.empty()) open_[{message.connection, sent.id}] = out_.sent.size() - 1;
      return;
    }
    const bool response = body && !has_method;
    if (response) body->erase("id");
    if (body) stated.text = json::canonical(*body).value_or(stated.text);
    arrivals_[message.in] = stated;
    if (!response) {
      out_.told.push_back(std::move(stated));
      return;
    }
    const auto asked = open_.find({message.connection, id_text});
    if (asked == open_.end()) return;
    Sent& sent = out_.sent[asked->second];
    by_in_[message.in] = asked->second;
    if (!sent.answer) sent.answer = std::move(stated);
  }

  void take(const recording::Event& event, const recording::Decision& decision) {
    for (const recording::Considered& rule : decision.rules) {
      const std::string key = rule.rule + rule.site;
      auto& texts = strikes_[decision.in];
      if (rule.standing == recording::Standing::noop) {
        std::erase_if(texts, [&](const auto& one) { return one.first == key; });
        continue;
      }
      if (rule.standing != recording::Standing::won) continue;
      std::string text = naming_ == Naming::by_rule ? rule.rule + " " : "";
      text += rule.kind;
      if (rule.parameters.size() > 0) text += " " + json::to_string(rule.parameters);
      texts.emplace_back(key, Stated{std::move(text), event.seq, event.at});
    }
  }

  void take(const recording::Event& event, const recording::Upstream& upstream) {
    const auto at = by_in_.find(upstream.in);
    if (at == by_in_.end()) return;
    Sent& sent = out_.sent[at->second];
    sent.executed = upstream.executed;
    sent.executed_seq = event.seq;
    const auto answer = arrivals_.find(upstream.answer_in);
    if (upstream.answer_in == 0 || answer == arrivals_.end()) return;
    // An upstream that is shared has ids of its own: this says more than they do.
    sent.answer = answer->second;
    by_in_[upstream.answer_in] = at->second;
  }

  void take(const recording::Event& event, const recording::Delivered& delivered) {
    if (delivered.to != Party::client || delivered.rule.empty()) return;
    const auto at = by_in_.find(delivered.in);
    if (at == by_in_.end()) return;
    std::string text = std::to_string(static_cast<int>(delivered.delivery)) + " " + delivered.how;
    if (!delivered.sha256.empty()) text += " " + delivered.sha256;
    const bool redacted = delivered.payload && delivered.payload->redacted;
    out_.sent[at->second].delivered.push_back({std::move(text), event.seq, event.at, redacted});
  }

  std::vector<Stated>& strikes_of(std::uint64_t in) {
    const auto at = by_in_.find(in);
    return at == by_in_.end() ? out_.openings : out_.sent[at->second].strikes;
  }

  const ReadPayload& read_;
  const Naming naming_;
  Transcript out_;
  std::map<std::uint64_t, std::size_t> by_in_;  // arrivals, and whose they are
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> open_;
  std::map<std::uint64_t, Stated> arrivals_;  // of the server
  std::map<std::uint64_t, std::vector<std::pair<std::string, Stated>>> strikes_;
};

}  // namespace

Transcript transcript_of(const std::vector<recording::Event>& events, const ReadPayload& read,
                         Naming naming) {
  Reading reading(read, naming);
  for (const recording::Event& event : events) reading.take(event);
  return reading.finish();
}

}  // namespace squall::cases
