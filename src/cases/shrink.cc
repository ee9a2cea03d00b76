#include "squall/cases/shrink.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "squall/json/write.h"

#include "sites.h"

namespace squall::cases {

namespace {

using Strikes = std::vector<json::Value>;

/// A whole number in front of a unit: "5932ms", 24. Nothing for other settings.
struct Amount {
  std::uint64_t number = 0;
  std::string unit;
  bool text = false;
  [[nodiscard]] json::Value with(std::uint64_t other) const {
    if (!text) return other;
    return std::to_string(other) + unit;
  }
};

std::optional<Amount> amount_of(const json::Value& value) {
  Amount out;
  if (const auto number = value.as_uint64()) {
    out.number = *number;
    return out;
  }
  const std::string_view text = value.string();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out.number);
  out.unit = std::string(end, text.data() + text.size());
  out.text = true;
  if (error != std::errc() || (out.unit != "ms" && out.unit != "b")) return std::nullopt;
  return out;
}

class Shrinking {
 public:
  Shrinking(const json::Value& schedule, const Trial& trial, const ShrinkOptions& options)
      : schedule_(schedule), trial_(trial), options_(options) {
    if (const json::Value* strikes = schedule.find("strikes")) {
      best_.assign(strikes->items().begin(), strikes->items().end());
    }
    out_.before = best_.size();
  }

  Result<Shrunk> run() {
    SQUALL_TRY(const std::uint32_t failures, count(best_, options_.repeat));
    out_.failures = failures;
    out_.of = options_.repeat;
    out_.failed_again = failures > 0;
    if (out_.failed_again) {
      needed_ = (failures + 1) / 2;
      SQUALL_CHECK(drop_strikes());
      SQUALL_CHECK(soften());
      SQUALL_CHECK(move_earlier());
      // How often the result fails is stated, and it was only ever run as often as was needed.
      SQUALL_TRY(out_.failures, count(best_, options_.repeat));
    }
    out_.after = best_.size();
    out_.schedule = with(best_);
    return std::move(out_);
  }

 private:
  [[nodiscard]] json::Value with(const Strikes& strikes) const {
    json::Value out = schedule_;
    out.set("strikes", json::Value::from_items(strikes));
    return out;
  }

  Result<std::uint32_t> count(const Strikes& strikes, std::uint32_t times) {
    const json::Value candidate = with(strikes);
    std::uint32_t failures = 0;
    for (std::uint32_t i = 0; i < times; ++i) {
      ++out_.runs;
      SQUALL_TRY(const bool failed, trial_(candidate));
      failures += failed ? 1 : 0;
    }
    return failures;
  }

  /// Whether the candidate fails often enough; takes it then.
  Result<bool> fails(Strikes strikes) {
    if (out_.runs >= options_.runs_max) {
      out_.cut_short = true;
      return false;
    }
    const json::Value candidate = with(strikes);
    std::uint32_t failures = 0;
    std::uint32_t left = options_.repeat;
    while (failures < needed_ && failures + left >= needed_) {
      --left;
      ++out_.runs;
      SQUALL_TRY(const bool failed, trial_(candidate));
      failures += failed ? 1 : 0;
    }
    if (failures < needed_) return false;
    best_ = std::move(strikes);
    if (options_.progress) {
      options_.progress(std::to_string(best_.size()) + " strikes of " +
                        std::to_string(out_.before) + ", " + std::to_string(out_.runs) + " runs");
    }
    return true;
  }

  /// Delta debugging: ever smaller parts are left out, until no single strike can be.
  Result<void> drop_strikes() {
    if (best_.empty()) return {};
    SQUALL_TRY(const bool alone, fails({}));
    if (alone) return {};
    std::size_t part = std::max<std::size_t>(best_.size() / 2, 1);
    while (!out_.cut_short) {
      bool dropped = false;
      for (std::size_t at = 0; at < best_.size() && best_.size() > 1;) {
        Strikes rest = best_;
        const std::size_t end = std::min(at + part, rest.size());
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at),
                   rest.begin() + static_cast<std::ptrdiff_t>(end));
        // That without any it passes is known.
        SQUALL_TRY(const bool still, rest.empty() ? Result<bool>(false) : fails(std::move(rest)));
        dropped |= still;
        if (!still) at += part;
      }
      if (part == 1 && !dropped) break;
      part = std::max<std::size_t>(part / 2, 1);
    }
    return {};
  }

  /// The least number from `least` on, below `number`, with which `candidate` still fails.
  Result<void> bisect(std::uint64_t least, std::uint64_t number,
                      const std::function<Strikes(std::uint64_t)>& candidate) {
    while (least < number && !out_.cut_short) {
      const std::uint64_t middle = least + (number - least) / 2;
      SQUALL_TRY(const bool still, fails(candidate(middle)));
      if (still) {
        number = middle;
      } else {
        least = middle + 1;
      }
    }
    return {};
  }

  Result<void> soften() {
    for (std::size_t i = 0; i < best_.size(); ++i) {
      const json::Value* with = best_[i].find("with");
      if (with == nullptr) continue;
      const json::Value settings = *with;
      for (const json::Member& setting : settings.members()) {
        const auto amount = amount_of(setting.value);
        // Codes, seeds and the like are numbers that aren't milder for being less.
        if (!amount || setting.name() == "code" || setting.name() == "status") continue;
        const std::string name(setting.name());
        SQUALL_CHECK(bisect(0, amount->number, [&](std::uint64_t number) {
          Strikes strikes = best_;
          strikes[i].find("with")->set(name, amount->with(number));
          return strikes;
        }));
      }
    }
    return {};
  }

  Result<void> move_earlier() {
    for (std::size_t i = 0; i < best_.size(); ++i) {
      const auto site = read_site(best_[i].find_string("site").value_or(""));
      const auto last = site ? site->items().back().as_uint64() : std::nullopt;
      const std::string word = site ? word_of(*site) : "";
      if (!last || word == "record" || word == "catalogue") continue;
      SQUALL_CHECK(bisect(1, *last, [&](std::uint64_t number) {
        json::Value moved = *site;
        moved.items().back() = number;
        Strikes strikes = best_;
        strikes[i].set("site", json::to_string(moved));
        return strikes;
      }));
    }
    return {};
  }

  const json::Value& schedule_;
  const Trial& trial_;
  const ShrinkOptions& options_;
  std::uint32_t needed_ = 1;
  Strikes best_;
  Shrunk out_;
};

}  // namespace

Result<Shrunk> shrink(const json::Value& schedule, const Trial& trial,
                      const ShrinkOptions& options) {
  return Shrinking(schedule, trial, options).run();
}

}  // namespace squall::cases
