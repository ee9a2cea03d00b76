#include "squall/cases/verify.h"

#include "squall/json/write.h"

#include "case_commands.h"

namespace squall::cli {

namespace {

using Outcome = cases::Verification::Outcome;

constexpr std::size_t kShownMax = 20;

std::string plural(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string text_of(const cases::Verification& found) {
  std::string out = plural(found.decisions, "decision") + ", " + plural(found.strikes, "strike");
  out += found.outcome() == Outcome::same ? ": the same here\n"
         : found.outcome() == Outcome::different
             ? ": " + plural(found.differing, "difference") + "\n"
             : ": not all could be recomputed\n";
  for (std::size_t i = 0; i < std::min(kShownMax, found.differences.size()); ++i) {
    const cases::Difference& one = found.differences[i];
    out += "  event " + std::to_string(one.seq) + "  " + line_of(one.rule, 64) + " at " +
           line_of(one.site) + ": " + line_of(one.why) + "\n";
  }
  if (found.differing > kShownMax) {
    out += "  and " + std::to_string(found.differing - kShownMax) + " more (--json lists them)\n";
  }
  for (std::size_t i = 0; i < std::min(kShownMax, found.gaps.size()); ++i) {
    const cases::Gap& gap = found.gaps[i];
    out += "  event " + std::to_string(gap.seq) + "  not recomputed: " + line_of(gap.why) + "\n";
  }
  if (found.unknown > kShownMax) {
    out += "  and " + std::to_string(found.unknown - kShownMax) + " more not recomputed\n";
  }
  if (!found.ended_early.empty()) out += "the case isn't complete: " + found.ended_early + "\n";
  return out + "run hash " + (found.run_hash.empty() ? "none" : found.run_hash) + "\n";
}

}  // namespace

Exit verify(const VerifyCommand& command, Console& console) {
  const auto record = recording::read_case(command.path);
  if (!record) return refuse(command.json, record.error(), console);
  const auto found = cases::verify(*record);
  if (!found) return refuse(command.json, found.error(), console);
  console.out(command.json ? json::to_pretty_string(cases::to_json(*found)) + "\n"
                           : text_of(*found));
  switch (found->outcome()) {
    case Outcome::same:
      return Exit::passed;
    case Outcome::different:
      return Exit::failed;
    case Outcome::could_not:
      break;
  }
  return Exit::could_not;
}

}  // namespace squall::cli
