#include "squall/lab/replay.h"

#include "squall/json/write.h"

#include "case_commands.h"

namespace squall::cli {

namespace {

lab::ReplayMode mode_of(const std::string& word) {
  if (word == "pinned") return lab::ReplayMode::pinned;
  return word == "sealed" ? lab::ReplayMode::sealed : lab::ReplayMode::decide;
}

std::string text_of(const lab::Replayed& replayed, const std::string& mode) {
  std::string out = mode + ": " + std::to_string(replayed.messages) + " messages of the client, " +
                    std::to_string(replayed.decisions) + " decisions: ";
  if (!replayed.divergence) {
    out += "the same\n";
  } else {
    const cases::Divergence& found = *replayed.divergence;
    out += "different\nfirst divergence: " + std::string(cases::name_of(found.cause)) +
           ", at event " + std::to_string(found.seq) + ", " + line_of(found.what) + "\n";
    out += "  recorded  " + (found.recorded.empty() ? "nothing" : line_of(found.recorded)) + "\n";
    out += "  replayed  " + (found.replayed.empty() ? "nothing" : line_of(found.replayed)) + "\n";
  }
  if (replayed.unrecorded > 0) {
    out += std::to_string(replayed.unrecorded) +
           " requests aren't in the case, the first: " + line_of(replayed.first_unrecorded) + "\n";
  }
  if (replayed.verdict) {
    out += "verdict   " + std::string(recording::to_text(*replayed.verdict)) + "\n";
  }
  return out + "run hash  " + replayed.run_hash + "\n";
}

json::Value json_of(const lab::Replayed& replayed, const std::string& mode) {
  json::Value out = json::Value::object({{"mode", mode},
                                         {"same", !replayed.divergence},
                                         {"messages", replayed.messages},
                                         {"decisions", replayed.decisions}});
  out.set("unrecorded", replayed.unrecorded);
  out.set("divergence", replayed.divergence ? cases::to_json(*replayed.divergence) : json::Value());
  out.set("verdict",
          replayed.verdict ? json::Value(recording::to_text(*replayed.verdict)) : json::Value());
  out.set("runHash", replayed.run_hash);
  return out;
}

}  // namespace

Exit replay(const ReplayCommand& command, Console& console) {
  const auto record = recording::read_case(command.path);
  if (!record) return refuse(command.json, record.error(), console);
  lab::ReplayOptions options;
  options.mode = mode_of(command.mode);
  options.target_file = command.target;
  options.strict = command.strict;
  options.pass_unrecorded = command.unrecorded == "pass";
  options.environment = [variables = console.environment()](std::string_view name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  const auto replayed = lab::replay(*record, lab::AdapterRegistry(), options);
  if (!replayed) return refuse(command.json, replayed.error(), console);
  console.out(command.json ? json::to_pretty_string(json_of(*replayed, command.mode)) + "\n"
                           : text_of(*replayed, command.mode));
  return replayed->divergence ? Exit::failed : Exit::passed;
}

}  // namespace squall::cli
