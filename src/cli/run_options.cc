#include "run_options.h"

#include "squall/base/text.h"

#include "case_paths.h"
#include "options.h"

namespace squall::cli {
namespace {

constexpr std::size_t kRepeatMax = 1'000'000;
constexpr std::size_t kJobsMax = 256;

}  // namespace

void add_run_options(CLI::App& command, RunWords& words) {
  RunCommand& run = words.command;
  command.add_option("SCENARIO", run.scenarios, "Scenario files, folders of them, or patterns")
      ->type_name("SCENARIO")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--target", run.target, "A target file; wins over the scenario's own")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  add_choice(command, "--protocol", run.protocol, "auto|2026-07-28|2025-11-25",
             "The revision to speak; wins over the scenario's");
  command
      .add_option("--profile", run.profile,
                  "Faults in place of the scenarios': a profile, or a schedule")
      ->type_name("FILE");
  command.add_option("--seed", run.seed, "The seed of faults, decimal or 0x; wins over the others")
      ->type_name("N");
  command.add_option("--seeds", words.seeds, "Run under each of these seeds of faults: 1..1000")
      ->type_name("A..B");
  command.add_option("--shard", words.shard, "Run the I-th of N shares of the work: 1/4")
      ->type_name("I/N");
  add_number<std::size_t>(command, "--repeat", run.repeat, 1, kRepeatMax,
                          "Runs of each scenario; tells how often it doesn't pass")
      ->default_str("1");
  add_number<std::size_t>(command, "--jobs", run.jobs, 1, kJobsMax, "Threads that run scenarios")
      ->default_str("1");
  command.add_option("--filter", run.filter, "Run those whose name or file holds or fits this")
      ->type_name("TEXT");
  command.add_option("--tags", words.tags, "Run those with one of these tags, by commas")
      ->type_name("TAGS");
  command.add_flag("--only-failed", run.only_failed, "Run those that didn't pass the last time");
  command.add_flag("--fail-fast", run.fail_fast, "Skip what comes behind the first failure");
  command.add_flag("--list", run.list, "Name the scenarios, and run none");
  command
      .add_option("--record", run.record,
                  "A folder for the cases of all runs, not of failures alone")
      ->type_name("DIR");
  command.add_flag("--real-time", run.real_time, "Wait for real, in process too");
  obey(command.add_option("--report", run.reports, "json, junit, github or html; =FILE")
           ->type_name("REPORT")
           ->default_str("console")
           ->expected(1)
           ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll),
       judge_report_wish);
  command.add_flag("--quiet", run.quiet, "Say nothing but reports and errors");
  command.add_flag("--open", run.open, "Show the HTML report (in squall-report.html, if none)");
}

Result<Command> finish_run_options(RunWords& words) {
  RunCommand& run = words.command;
  if (run.scenarios.empty()) {
    return fail(ErrorKind::invalid, "run needs a scenario: a file, a folder or a pattern");
  }
  if (!words.seeds.empty()) {
    if (!run.seed.empty()) return fail(ErrorKind::invalid, "give --seed or --seeds, not both");
    SQUALL_TRY(run.seeds, lab::read_seed_range(words.seeds));
  }
  if (!words.shard.empty()) {
    SQUALL_TRY(run.shard, lab::read_shard(words.shard));
  }
  std::string_view rest = words.tags;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view tag = base::trim(rest.substr(0, comma));
    if (!tag.empty()) run.tags.emplace_back(tag);
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  }
  complete_wishes(run.reports, run.open);
  return run;
}

}  // namespace squall::cli
