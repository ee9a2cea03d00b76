#include "squall/cases/divergence.h"

#include <algorithm>
#include <array>
#include <utility>

#include "squall/json/parse.h"

#include "transcript.h"

namespace squall::cases {

namespace {

using Cause = Divergence::Cause;
using std::chrono::nanoseconds;

/// "tools/call search", for people.
std::string title_of(const Sent& sent) {
  const auto body = json::parse(sent.message.text);
  if (!body) return "a message that is no JSON";
  std::string out(body->find_string("method").value_or("a response"));
  const json::Value* params = body->find("params");
  if (const auto name = params != nullptr ? params->find_string("name") : std::nullopt) {
    out.append(" ").append(*name);
  }
  return out;
}

class Comparing {
 public:
  Comparing(const Transcript& recorded, const Transcript& replayed, bool whole,
            const CompareOptions& options)
      : recorded_(recorded), replayed_(replayed), whole_(whole), options_(options) {}

  std::optional<Divergence> run() {
    compare_sent();
    compare_all(recorded_.openings, replayed_.openings, Cause::decision, "what began");
    compare_all(recorded_.told, replayed_.told, Cause::upstream, "what the server said by itself");
    // A verdict is the client's own view of all this: it counts where nothing else differs.
    if (!first_) {
      compare_all(recorded_.verdicts, replayed_.verdicts, Cause::client, "the verdict");
    }
    if (!first_ && options_.tolerance) compare_times();
    return std::move(first_);
  }

 private:
  void found(Cause cause, std::uint64_t seq, std::string what, std::string recorded,
             std::string replayed) {
    if (first_ && first_->seq <= seq) return;
    first_ = Divergence{cause, seq, std::move(what), std::move(recorded), std::move(replayed)};
  }

  [[nodiscard]] std::uint64_t behind() const { return recorded_.last_seq; }

  void compare_sent() {
    const auto& left = recorded_.sent;
    const auto& right = replayed_.sent;
    const std::size_t both = std::min(left.size(), right.size());
    for (std::size_t i = 0; i < both; ++i) {
      const bool known = !left[i].message.redacted && !right[i].message.redacted;
      if (known && left[i].message.text != right[i].message.text) {
        return found(Cause::client, left[i].message.seq, "what the client sent",
                     left[i].message.text, right[i].message.text);
      }
      compare_one(left[i], right[i]);
    }
    if (left.size() > both) {
      found(Cause::client, left[both].message.seq, "what the client sent", left[both].message.text,
            "");
    } else if (right.size() > both && whole_) {
      found(Cause::client, behind(), "what the client sent", "", right[both].message.text);
    }
  }

  void compare_one(const Sent& left, const Sent& right) {
    const std::string name = title_of(left);
    compare_all(left.strikes, right.strikes, Cause::decision, "the faults of " + name,
                left.message.seq);
    if (left.answer && right.answer) {
      const bool known = !left.answer->redacted && !right.answer->redacted;
      if (known && left.answer->text != right.answer->text) {
        found(Cause::upstream, left.answer->seq, "the server's answer to " + name,
              left.answer->text, right.answer->text);
      }
    } else if (left.answer && !ends_before(right)) {
      found(Cause::upstream, left.answer->seq, "the server's answer to " + name, left.answer->text,
            "");
    } else if (right.answer && whole_) {
      found(Cause::upstream, std::max(left.message.seq, left.executed_seq),
            "the server's answer to " + name, "", right.answer->text);
    }
    if (left.executed_seq != 0 && right.executed_seq != 0 && left.executed != right.executed) {
      found(Cause::upstream, left.executed_seq, "whether the server ran " + name,
            word_of(left.executed), word_of(right.executed));
    }
    compare_all(left.delivered, right.delivered, Cause::decision, "what was delivered of " + name,
                left.answer ? left.answer->seq : left.message.seq);
  }

  static std::string word_of(recording::Executed executed) {
    constexpr std::array kWords = {"unknown", "yes", "no"};
    return kWords[static_cast<std::size_t>(executed)];
  }
  /// Whether nothing was to be expected of it: it never reached the server.
  static bool ends_before(const Sent& sent) { return sent.executed == recording::Executed::no; }

  void compare_all(const std::vector<Stated>& left, const std::vector<Stated>& right, Cause cause,
                   const std::string& what, std::uint64_t at_least = 0) {
    const std::size_t both = std::min(left.size(), right.size());
    for (std::size_t i = 0; i < both; ++i) {
      if (left[i].redacted || right[i].redacted || left[i].text == right[i].text) continue;
      if (left[i].timing || right[i].timing) cause = Cause::timing;
      return found(cause, left[i].seq, what, left[i].text, right[i].text);
    }
    if (left.size() > both) return found(cause, left[both].seq, what, left[both].text, "");
    if (right.size() > both && whole_) {
      found(cause, at_least == 0 ? behind() : at_least, what, "", right[both].text);
    }
  }

  void compare_times() {
    for (std::size_t i = 0; i < recorded_.sent.size() && i < replayed_.sent.size(); ++i) {
      const Sent& left = recorded_.sent[i];
      const Sent& right = replayed_.sent[i];
      const std::string name = title_of(left);
      compare_time(left.message, right.message, "when " + name + " was sent");
      if (left.answer && right.answer) {
        compare_time(*left.answer, *right.answer, "when " + name + " was answered");
      }
      for (std::size_t k = 0; k < left.delivered.size() && k < right.delivered.size(); ++k) {
        compare_time(left.delivered[k], right.delivered[k], "when " + name + " was delivered");
      }
    }
  }

  void compare_time(const Stated& left, const Stated& right, const std::string& what) {
    const nanoseconds apart = left.at < right.at ? right.at - left.at : left.at - right.at;
    if (apart <= *options_.tolerance) return;
    const auto text = [](nanoseconds at) { return std::to_string(at.count() / 1000) + " us"; };
    found(Cause::timing, left.seq, what, text(left.at), text(right.at));
  }

  const Transcript& recorded_;
  const Transcript& replayed_;
  const bool whole_;  // the case is complete
  const CompareOptions& options_;
  std::optional<Divergence> first_;
};

}  // namespace

std::string_view name_of(Divergence::Cause cause) noexcept {
  constexpr std::array<std::string_view, 4> kNames = {"client", "upstream", "decision", "timing"};
  return kNames[static_cast<std::size_t>(cause)];
}

json::Value to_json(const Divergence& divergence) {
  return json::Value::object({{"cause", name_of(divergence.cause)},
                              {"seq", divergence.seq},
                              {"what", divergence.what},
                              {"recorded", divergence.recorded},
                              {"replayed", divergence.replayed}});
}

std::optional<Divergence> first_divergence(const recording::Case& recorded,
                                           const std::vector<recording::Event>& replayed,
                                           const CompareOptions& options) {
  const ReadPayload of_case = [&recorded](const recording::Payload& payload) {
    return recording::bytes_of(recorded, payload);
  };
  const ReadPayload in_memory = [](const recording::Payload& payload) -> Result<std::string> {
    return payload.bytes;
  };
  const Naming naming = options.pinned ? Naming::by_kind : Naming::by_rule;
  const Transcript left = transcript_of(recorded.events, of_case, naming);
  const Transcript right = transcript_of(replayed, in_memory, naming);
  return Comparing(left, right, recorded.ended_early.empty(), options).run();
}

}  // namespace squall::cases
