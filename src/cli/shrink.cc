#include "squall/cases/shrink.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "squall/cases/pin.h"
#include "squall/fault/schedule.h"
#include "squall/json/write.h"
#include "squall/lab/replay.h"
#include "squall/lab/sweep.h"
#include "squall/runtime/loop.h"

#include "case_commands.h"
#include "trial.h"

namespace squall::cli {

namespace {

namespace fs = std::filesystem;

/// A folder of our own for the schedule that is being tried.
class ScheduleFile {
 public:
  static Result<std::unique_ptr<ScheduleFile>> make() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "squall-shrink-XXXXXX").string();
    if (error || ::mkdtemp(name.data()) == nullptr) {
      return fail(ErrorKind::unavailable, "no temporary folder can be made");
    }
    return std::unique_ptr<ScheduleFile>(new ScheduleFile(name));
  }
  ~ScheduleFile() {
    std::error_code nothing;
    fs::remove_all(folder_, nothing);
  }
  ScheduleFile(const ScheduleFile&) = delete;
  ScheduleFile& operator=(const ScheduleFile&) = delete;

  [[nodiscard]] std::string path() const { return (folder_ / "schedule.json").string(); }
  Result<void> write(const json::Value& schedule) const {
    std::ofstream file(path(), std::ios::trunc);
    file << json::to_pretty_string(schedule) << "\n";
    file.close();
    if (file) return {};
    return fail(ErrorKind::unavailable, "the schedule can't be written");
  }

 private:
  explicit ScheduleFile(fs::path folder) : folder_(std::move(folder)) {}
  fs::path folder_;
};

/// Runs the user's command. It fails again when it ends as it did the first time that it failed:
/// another failure is another bug.
class ByCommand {
 public:
  ByCommand(const ShrinkCommand& command, const Console& console,
            std::unique_ptr<ScheduleFile> file)
      : command_(command), file_(std::move(file)) {
    auto variables = console.environment();
    variables["SQUALL_PROFILE"] = file_->path();
    environment_.assign(variables.begin(), variables.end());
    words_ = command.command;
    for (std::string& word : words_) {
      const std::size_t at = word.find("{schedule}");
      if (at != std::string::npos) word.replace(at, 10, file_->path());
    }
  }
  Result<bool> operator()(const json::Value& schedule) {
    SQUALL_CHECK(file_->write(schedule));
    SQUALL_TRY(const TrialEnd end, run_command(words_, environment_, command_.timeout));
    if (end.code == 0) return false;
    if (!failing_) failing_ = end.code;
    return end.code == *failing_;
  }
  [[nodiscard]] std::string failure() const {
    return failing_ ? "exit code " + std::to_string(*failing_) : "";
  }

 private:
  const ShrinkCommand& command_;
  std::unique_ptr<ScheduleFile> file_;
  std::vector<std::pair<std::string, std::string>> environment_;
  std::vector<std::string> words_;
  std::optional<int> failing_;
};

/// Runs the case's own scenario. It fails again when the same expectations don't hold.
class ByScenario {
 public:
  ByScenario(lab::Scenario scenario, std::unique_ptr<lab::Target> target, lab::RunOptions options)
      : scenario_(std::move(scenario)), target_(std::move(target)), options_(std::move(options)) {}

  Result<bool> operator()(const json::Value& schedule) {
    auto faults = std::make_shared<lab::FaultSetup>();
    SQUALL_TRY(faults->profile, fault::read_schedule("the schedule", json::to_string(schedule)));
    faults->seed = faults->profile.seed.value_or(fault::Seed{});
    options_.faults = std::move(faults);
    const lab::RunResult result = lab::run_once(scenario_, *target_, options_);
    const bool bad =
        result.judgement == lab::Judgement::failed || result.judgement == lab::Judgement::errored;
    if (!bad) return false;
    const std::string what = lab::what_failed(result);
    if (failing_.empty()) failing_ = what;
    return what == failing_;
  }
  [[nodiscard]] const std::string& failure() const { return failing_; }

 private:
  lab::Scenario scenario_;
  std::unique_ptr<lab::Target> target_;
  lab::RunOptions options_;
  std::string failing_;
};

Result<ByScenario> scenario_trial(const recording::Case& from, const ShrinkCommand& command,
                                  const Console& console) {
  if (from.header.scenario.is_null()) {
    return fail(ErrorKind::invalid,
                "the case has no scenario: name the command that fails, behind '--'");
  }
  SQUALL_TRY(lab::Scenario scenario, lab::scenario_of(from));
  SQUALL_TRY(auto target, lab::target_of(from, lab::AdapterRegistry(), command.target));
  lab::RunOptions options;
  options.protocol = lab::protocol_of(from);
  options.environment = [variables = console.environment()](std::string_view name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  return ByScenario(std::move(scenario), std::move(target), std::move(options));
}

/// Shows what was found: on a terminal at once, elsewhere at most once a minute.
class Told {
 public:
  explicit Told(Console& console)
      : console_(console), clock_(runtime::SystemLoop::make()), last_(clock_->now()) {}
  ~Told() {
    if (drawn_) console_.err("\r\x1b[K");
  }
  Told(const Told&) = delete;
  Told& operator=(const Told&) = delete;
  void operator()(const std::string& text) {
    if (console_.live()) {
      console_.err("\r\x1b[K" + text);
      drawn_ = true;
    } else if (clock_->now() - last_ >= std::chrono::minutes(1)) {
      console_.err("squall: " + text + "\n");
      last_ = clock_->now();
    }
  }

 private:
  Console& console_;
  std::unique_ptr<runtime::SystemLoop> clock_;
  runtime::TimePoint last_;
  bool drawn_ = false;
};

std::string summary_of(const cases::Shrunk& found, const std::string& failure) {
  const std::string runs = std::to_string(found.runs) + (found.runs == 1 ? " run" : " runs");
  if (!found.failed_again) {
    return "it did not fail again: " + std::to_string(found.before) + " strikes, " + runs + "\n";
  }
  std::string out = std::to_string(found.after) + " of " + std::to_string(found.before) +
                    " strikes are left, after " + runs;
  if (found.cut_short) out += " (as many as are allowed: there may be less)";
  out += "; fails " + std::to_string(found.failures) + " of " + std::to_string(found.of) + " times";
  return out + (failure.empty() ? "\n" : ": " + line_of(failure) + "\n");
}

json::Value json_of(const cases::Shrunk& found, const std::string& failure) {
  json::Value out = json::Value::object({{"failedAgain", found.failed_again},
                                         {"before", found.before},
                                         {"after", found.after},
                                         {"runs", found.runs}});
  out.set("failures", std::uint64_t{found.failures}).set("of", std::uint64_t{found.of});
  out.set("cutShort", found.cut_short).set("failure", failure);
  out.set("schedule", found.schedule);
  return out;
}

}  // namespace

Exit shrink(const ShrinkCommand& command, Console& console) {
  const auto record = recording::read_case(command.path);
  if (!record) return refuse(command.json, record.error(), console);
  const auto schedule = cases::pin(*record);
  if (!schedule) return refuse(command.json, schedule.error(), console);
  std::optional<ByCommand> by_command;
  std::optional<ByScenario> by_scenario;
  if (command.command.empty()) {
    auto trial = scenario_trial(*record, command, console);
    if (!trial) return refuse(command.json, trial.error(), console);
    by_scenario.emplace(*std::move(trial));
  } else {
    auto file = ScheduleFile::make();
    if (!file) return refuse(command.json, file.error(), console);
    by_command.emplace(command, console, *std::move(file));
  }
  cases::ShrinkOptions options;
  options.repeat = command.repeat;
  options.runs_max = command.runs_max;
  const auto trial = [&](const json::Value& candidate) {
    return by_command ? (*by_command)(candidate) : (*by_scenario)(candidate);
  };
  Result<cases::Shrunk> found = [&] {
    Told told(console);
    options.progress = [&told](const std::string& text) { told(text); };
    return cases::shrink(*schedule, trial, options);
  }();
  if (!found) return refuse(command.json, found.error(), console);
  const std::string failure = by_command ? by_command->failure() : by_scenario->failure();
  if (command.json) {
    console.out(json::to_pretty_string(json_of(*found, failure)) + "\n");
  } else {
    console.err(summary_of(*found, failure));
    if (found->failed_again) {
      console.out(cases::to_yaml(found->schedule, "the strikes of case " + record->run_id +
                                                      " that are needed: " + line_of(failure)));
    }
  }
  return found->failed_again ? Exit::passed : Exit::inconclusive;
}

}  // namespace squall::cli
