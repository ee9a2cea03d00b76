#include "run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include <sys/utsname.h>

#include "squall/base/text.h"
#include "squall/base/time_text.h"
#include "squall/fault/draw.h"
#include "squall/lab/library.h"
#include "squall/lab/suite.h"
#include "squall/report/write.h"
#include "squall/runtime/loop.h"

#include "case_paths.h"
#include "open_page.h"
#include "report_output.h"
#include "run_error.h"
#include "run_line.h"
#include "run_memory.h"
#include "run_report.h"
#include "text.h"
#include "version.h"

namespace squall::cli {
namespace {

constexpr std::string_view kPrefix = "Failed to run scenario: ";

std::string repeat_command(const RunCommand& command, const lab::Scenario& scenario,
                           std::optional<std::uint64_t> seed) {
  std::string out = "squall run " + shell_word(scenario.file);
  if (!command.target.empty()) out += " --target " + shell_word(command.target);
  if (!command.profile.empty()) out += " --profile " + shell_word(command.profile);
  if (!command.protocol.empty()) out += " --protocol " + command.protocol;
  if (command.real_time) out += " --real-time";
  if (seed) {
    out += " --seed " + std::to_string(*seed);
  } else if (!command.seed.empty()) {
    out += " --seed " + command.seed;
  }
  if (command.repeat > 1) out += " --repeat " + std::to_string(command.repeat);
  return out;
}

std::string platform() {
  utsname names{};
  if (::uname(&names) != 0) return "unknown";
  return base::to_lower(names.sysname) + " " + names.machine;
}

std::optional<lab::Protocol> protocol_of(const std::string& word) {
  if (word.empty()) return std::nullopt;
  if (word == "2025-11-25") return lab::Protocol::legacy;
  return word == "auto" ? lab::Protocol::automatic : lab::Protocol::modern;
}

bool wants_html(const RunCommand& command) {
  return std::any_of(command.reports.begin(), command.reports.end(), [](const std::string& wish) {
    return read_report_wish(wish).format == "html";
  });
}

std::string record_folder(const RunCommand& command, Console& console) {
  if (!command.record.empty()) return command.record;
  const auto variables = console.environment();
  const auto found = variables.find("SQUALL_RECORD");
  return found == variables.end() ? std::string() : found->second;
}

lab::SuiteOptions options_of(const RunCommand& command, Console& console) {
  lab::SuiteOptions out;
  out.target_file = command.target;
  out.protocol = protocol_of(command.protocol);
  out.real_time = command.real_time;
  out.repeat = command.repeat;
  out.jobs = command.jobs;
  out.fail_fast = command.fail_fast;
  const auto given = console.environment();
  if (!command.seed.empty()) out.seeds.push_back({"--seed", command.seed});
  if (const auto seed = given.find("SQUALL_SEED"); seed != given.end()) {
    out.seeds.push_back({"SQUALL_SEED", seed->second});
  }
  out.sweep = command.seeds;
  out.shard = command.shard;
  out.environment = [variables = console.environment()](std::string_view name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  const std::string record = record_folder(command, console);
  if (!record.empty()) out.cases.folder = record;
  // The page has a timeline for every scenario, and those are made from cases.
  out.cases.always = !record.empty() || wants_html(command);
  out.cases.tool = "squall " + std::string(kVersion);
  out.cases.scheme = fault::kScheme;
  out.cases.platform = platform();
  out.repeat_command = [&command](const lab::Scenario& scenario,
                                  std::optional<std::uint64_t> seed) {
    return repeat_command(command, scenario, seed);
  };
  return out;
}

/// Tells how far the runs are: on a terminal all the time, elsewhere once a minute.
class ProgressLine {
 public:
  ProgressLine(runtime::Loop& loop, const lab::Progress& progress, std::uint64_t all,
               Console& console)
      : loop_(loop), progress_(progress), all_(all), console_(console), live_(console.live()) {
    await();
  }
  ~ProgressLine() {
    if (drawn_) console_.err("\r\x1b[K");
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void await() {
    const auto wait = live_ ? std::chrono::milliseconds(500) : std::chrono::minutes(1);
    loop_.call_after(wait, [this, alive = std::weak_ptr<char>(alive_)] {
      if (!alive.expired()) tell();
    });
  }
  void tell() {
    const std::string text = std::to_string(progress_.runs) + " of " + std::to_string(all_) +
                             " runs, " + std::to_string(progress_.not_passed) + " did not pass";
    console_.err(live_ ? "\r\x1b[K" + text : "squall: " + text + "\n");
    drawn_ = live_;
    await();
  }

  runtime::Loop& loop_;
  const lab::Progress& progress_;
  std::uint64_t all_;
  Console& console_;
  bool live_;
  bool drawn_ = false;
  std::shared_ptr<char> alive_ = std::make_shared<char>();  // what the timer looks at
};

/// Lets SIGINT and SIGTERM end the suite behind what is under way.
std::vector<lab::Played> play(std::span<const lab::Scenario> scenarios,
                              const lab::AdapterRegistry& registry, lab::SuiteOptions options,
                              bool quiet, Console& console) {
  std::atomic<bool> stop = false;
  options.stop = &stop;
  lab::Progress progress;
  options.progress = &progress;
  const auto loop = runtime::SystemLoop::make();
  for (const int signal : {SIGINT, SIGTERM}) {
    static_cast<void>(loop->on_signal(signal, [&stop] { stop = true; }));
  }
  std::vector<lab::Played> out;
  std::optional<ProgressLine> line;
  if (!quiet) line.emplace(*loop, progress, lab::count_runs(scenarios, options), console);
  loop->hold();
  std::jthread worker([&] {
    out = lab::run_suite(scenarios, registry, options);
    loop->post([&loop] { loop->stop(); });
  });
  loop->run();
  worker.join();
  loop->release();
  return out;
}

Exit exit_of(const report::RunReport& report) {
  const report::Tally total = report::tally(report);
  if (total.of(report::Judgement::failed) > 0) return Exit::failed;
  if (total.of(report::Judgement::errored) > 0) return Exit::could_not;
  if (total.of(report::Judgement::inconclusive) > 0) return Exit::inconclusive;
  // What was interrupted has said nothing, and that is no success.
  return total.passed() ? Exit::passed : Exit::could_not;
}

void list(std::span<const lab::Scenario> scenarios, Console& console) {
  for (const lab::Scenario& scenario : scenarios) {
    std::string line = scenario.file + "  " + base::show_name(scenario.name);
    for (const std::string& tag : scenario.tags) line += "  #" + base::show_name(tag);
    console.out(line + "\n");
  }
}

/// Puts the faults of the command line, or of SQUALL_PROFILE, in place of the scenarios' own.
void use_profile(std::vector<lab::Scenario>& scenarios, const RunCommand& command,
                 const Console& console) {
  std::string profile = command.profile;
  if (profile.empty()) {
    const auto variables = console.environment();
    const auto found = variables.find("SQUALL_PROFILE");
    if (found != variables.end()) profile = found->second;
  }
  if (profile.empty()) return;
  // A name without a point or a slash is a built-in profile's.
  if (profile.find_first_of("/.") != std::string::npos) {
    profile = std::filesystem::absolute(profile).string();
  }
  for (lab::Scenario& scenario : scenarios) {
    if (!scenario.faults) scenario.faults.emplace();
    scenario.faults->profile = profile;
    scenario.faults->rules = {};
  }
}

std::vector<lab::Scenario> choose(std::vector<lab::Scenario> all, const RunCommand& command,
                                  const std::string& folder, Console& console) {
  const lab::Selection selection{command.filter, command.tags};
  std::erase_if(all, [&](const lab::Scenario& each) { return !selection.wants(each); });
  if (!command.only_failed) return all;
  const auto failed = read_not_passed(folder);
  if (failed.empty()) {
    console.err("squall: no scenario is noted as not passed; running all\n");
    return all;
  }
  std::erase_if(all, [&](const lab::Scenario& each) { return !failed.contains(each.file); });
  return all;
}

bool has_faults(const lab::Scenario& scenario) { return scenario.faults.has_value(); }

Exit refuse(std::string_view code, const std::string& message, const RunCommand& command,
            Console& console) {
  return refuse_run(code, std::string(kPrefix) + message, command.reports, console);
}

}  // namespace

Exit run_scenarios(const RunCommand& command, Console& console) {
  auto loaded = lab::load_scenarios(command.scenarios);
  if (!loaded) return refuse("scenario_load_failed", loaded.error().message, command, console);
  lab::SuiteOptions options = options_of(command, console);
  use_profile(*loaded, command, console);
  const auto scenarios = choose(*std::move(loaded), command, options.cases.folder, console);
  if (scenarios.empty()) {
    return refuse("scenario_load_failed", "no scenario was chosen", command, console);
  }
  if (command.list) {
    list(scenarios, console);
    return Exit::passed;
  }
  std::vector<fault::SeedSource> seeds = options.seeds;
  if (options.sweep) seeds = {{"--seeds", std::to_string(options.sweep->first)}};
  for (const lab::Scenario& scenario : scenarios) {
    if (const auto faults = lab::load_faults(scenario, seeds); !faults) {
      return refuse("scenario_load_failed", faults.error().message, command, console);
    }
  }
  if (options.sweep && std::ranges::none_of(scenarios, has_faults)) {
    return refuse("invalid_arguments", "no scenario has faults, so --seeds would change nothing",
                  command, console);
  }
  if (lab::count_runs(scenarios, options) == 0) {
    console.err("squall: there are fewer pieces of work than shards; none falls to this one\n");
    return Exit::passed;
  }
  const lab::AdapterRegistry registry;
  if (const auto good = lab::check_targets(scenarios, registry, options); !good) {
    return refuse("target_load_failed", good.error().message, command, console);
  }
  report::RunReport report;
  report.tool = options.cases.tool;
  report.started = base::utc_text(runtime::SystemLoop::make()->wall_time());
  options.cases.started = report.started;
  // Of a simple scenario alone, stderr says nothing: so its users' scripts expect it.
  if (!command.quiet && !std::ranges::all_of(scenarios, &lab::Scenario::simple)) {
    const auto line = running_line(scenarios, registry, options);
    if (!line) return refuse("scenario_load_failed", line.error().message, command, console);
    console.err(*line + "\n");
  }
  const auto played = play(scenarios, registry, options, command.quiet, console);
  note_not_passed(options.cases.folder, played);
  const bool timeline = wants_html(command);
  for (const lab::Played& each : played) {
    report.scenarios.push_back(to_report(each, timeline, options.sweep));
    report.scenarios.back().repeat =
        repeat_command(command, *each.scenario, options.sweep ? each.seed : std::nullopt);
  }
  if (const auto written = write_reports(report, command.reports, console); !written) {
    return refuse("scenario_execution_failed", written.error().message, command, console);
  }
  if (command.open) {
    const auto opened = open_page(page_of(command.reports), console);
    if (!opened) console.err("squall: " + opened.error().message + "\n");
  }
  const auto variables = console.environment();
  const auto github = variables.find("GITHUB_ACTIONS");
  // On stderr, which GitHub reads too: stdout may carry a document.
  if (github != variables.end() && github->second == "true") {
    console.err(report::to_github(report));
  }
  return exit_of(report);
}

Exit refuse_run(std::span<const char* const> words, const Error& error, Console& console) {
  std::vector<std::string> reports;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    std::string wish;
    if (word == "--report" && i + 1 < words.size()) wish = words[i + 1];
    if (word.starts_with("--report=")) wish = word.substr(std::string_view("--report=").size());
    if (!wish.empty() && judge_report_wish(wish).empty()) reports.push_back(std::move(wish));
  }
  return refuse_run("invalid_arguments", error.message, reports, console);
}

}  // namespace squall::cli
