#include <optional>

#include "squall/cases/compare.h"
#include "squall/json/write.h"

#include "case_commands.h"
#include "profile_file.h"

namespace squall::cli {

namespace {

constexpr std::size_t kShownMax = 50;

/// One of the two things that are compared.
struct Side {
  std::string name;
  std::optional<recording::Case> record;
  cases::Inputs inputs;  // of a profile or schedule
  bool seeded = false;   // it has a seed of its own
};

Result<Side> load(const std::string& name, const std::string& seed) {
  Side out;
  out.name = name;
  if (is_case(name)) {
    SQUALL_TRY(out.record, recording::read_case(name));
    return out;
  }
  SQUALL_TRY(out.inputs.profile, load_profile(name));
  for (const fault::Rule& rule : out.inputs.profile.rules) out.inputs.pinned |= !rule.at.empty();
  if (!seed.empty()) {
    SQUALL_TRY(out.inputs.seed, fault::Seed::parse(seed));
    out.seeded = true;
  } else if (out.inputs.profile.seed) {
    out.inputs.seed = *out.inputs.profile.seed;
    out.seeded = true;
  }
  return out;
}

/// The arrivals at which profiles are decided: those asked for, or those of a case beside them.
Result<std::vector<cases::Arrived>> arrivals_for(const DiffCommand& command, const Side& left,
                                                 const Side& right) {
  if (!command.sites.empty()) return load_arrivals(command.sites);
  if (left.record) return cases::arrivals_of(*left.record);
  if (right.record) return cases::arrivals_of(*right.record);
  return fail(ErrorKind::invalid,
              "two profiles are compared at calls: give --sites FILE or --sites CASE");
}

Result<cases::Sites> sites_of(Side& side, const Side& other,
                              const std::vector<cases::Arrived>& arrivals) {
  if (side.record) return cases::sites_of(*side.record);
  if (!side.seeded && other.record && other.record->header.seed) {
    side.inputs.seed = {*other.record->header.seed};
    side.seeded = true;
  }
  if (!side.seeded && side.inputs.profile.draws()) {
    return fail(ErrorKind::invalid, side.name + " draws and has no seed: give --seed N");
  }
  return cases::sites_of(side.inputs, arrivals);
}

Result<cases::Comparison> compare(const DiffCommand& command, Side& left, Side& right) {
  const bool schedules = left.inputs.pinned && right.inputs.pinned;
  if (schedules && command.sites.empty()) {
    return cases::compare(cases::sites_of(left.inputs.profile),
                          cases::sites_of(right.inputs.profile));
  }
  std::vector<cases::Arrived> arrivals;
  if (!left.record || !right.record) {
    SQUALL_TRY(arrivals, arrivals_for(command, left, right));
  }
  SQUALL_TRY(const cases::Sites a, sites_of(left, right, arrivals));
  SQUALL_TRY(const cases::Sites b, sites_of(right, left, arrivals));
  return cases::compare(a, b);
}

std::string_view meaning_of(cases::Change change) {
  switch (change) {
    case cases::Change::only_left:
      return "met on the left alone";
    case cases::Change::only_right:
      return "met on the right alone";
    case cases::Change::decision:
      return "other rules strike";
    case cases::Change::payload:
      return "the same rules strike, with something else";
    case cases::Change::upstream:
      break;
  }
  return "the server did or answered something else";
}

std::string text_of(const cases::Comparison& found) {
  std::string out = "same        " + std::to_string(found.same) + "\n";
  for (const auto& [change, count] : found.counts) {
    std::string name(cases::name_of(change));
    name.resize(12, ' ');
    out += name + std::to_string(count) + "  " + std::string(meaning_of(change)) + "\n";
  }
  for (std::size_t i = 0; i < std::min(kShownMax, found.changes.size()); ++i) {
    const cases::Changed& one = found.changes[i];
    out += "\n" + std::string(cases::name_of(one.change)) + "  " + line_of(one.site) + "\n";
    if (one.change != cases::Change::only_right) out += "  - " + line_of(one.left) + "\n";
    if (one.change != cases::Change::only_left) out += "  + " + line_of(one.right) + "\n";
  }
  if (found.changes.size() > kShownMax) out += "\nand more (--json lists them)\n";
  return out;
}

}  // namespace

Exit diff(const DiffCommand& command, Console& console) {
  auto left = load(command.left, command.seed);
  if (!left) return refuse(command.json, left.error(), console);
  auto right = load(command.right, command.seed);
  if (!right) return refuse(command.json, right.error(), console);
  const auto found = compare(command, *left, *right);
  if (!found) return refuse(command.json, found.error(), console);
  if (command.json) {
    json::Value out = cases::to_json(*found);
    if (left->record) out.set("left_run_hash", left->record->run_hash);
    if (right->record) out.set("right_run_hash", right->record->run_hash);
    console.out(json::to_pretty_string(out) + "\n");
  } else {
    console.out(text_of(*found));
    if (left->record) console.out("\nleft run hash  " + left->record->run_hash + "\n");
    if (right->record) console.out("right run hash " + right->record->run_hash + "\n");
  }
  return found->equal() ? Exit::passed : Exit::failed;
}

}  // namespace squall::cli
