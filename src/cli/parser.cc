#include "parser.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "squall/base/units.h"

#include "case_paths.h"
#include "options.h"
#include "proxy_options.h"
#include "remote_options.h"
#include "run_options.h"
#include "serve_options.h"
#include "text.h"
#include "words.h"

namespace squall::cli {
namespace {

/// The only place that knows CLI11. Its options write into the members below.
struct Parser {
  CLI::App app{"Squall serves the Model Context Protocol."};
  bool help = false;
  bool version = false;
  DemoCommand demo;
  ServeCommand serve;
  ServeWords serve_words;
  ProxyCommand proxy;
  std::string proxy_transport = "stdio";
  RunWords run;
  FaultsCommand faults;
  ProfileCommand profile;
  PlanCommand plan;
  ReportCommand report;
  bool report_as_json = false;
  CaseCommand manage;
  std::string case_action;
  VerifyCommand verify;
  ExplainCommand explain;
  PinCommand pin;
  DiffCommand diff;
  ReplayCommand replay;
  ShrinkCommand shrink;
  std::string shrink_timeout;
  SchemaCommand schema;
  RemoteWords remote;
  std::string shell;
  std::string help_topic;

  /// Knows every command, and the options of `only`, or of all where there is no such command:
  /// starting a server should not cost the reading of what other commands can be told.
  explicit Parser(std::string_view only);
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  void add_demo(CLI::App& command);
  void add_serve(CLI::App& command);
  void add_proxy(CLI::App& command);
  void add_run(CLI::App& command);
  void add_faults(CLI::App& command);
  void add_profile(CLI::App& command);
  void add_plan(CLI::App& command);
  void add_report(CLI::App& command);
  void add_case(CLI::App& command);
  void add_verify(CLI::App& command);
  void add_explain(CLI::App& command);
  void add_pin(CLI::App& command);
  void add_diff(CLI::App& command);
  void add_replay(CLI::App& command);
  void add_shrink(CLI::App& command);
  void add_schema(CLI::App& command);
  void add_remote(CLI::App& command);
  void add_completion(CLI::App& command);
  void add_help(CLI::App& command);
};

void Parser::add_demo(CLI::App& command) {
  command.add_flag("--json", demo.json, "Report as one JSON document");
}

void Parser::add_serve(CLI::App& command) { add_serve_options(command, serve, serve_words); }

void Parser::add_proxy(CLI::App& command) { add_proxy_options(command, proxy, proxy_transport); }

void Parser::add_run(CLI::App& command) { add_run_options(command, run); }

void Parser::add_faults(CLI::App& command) {
  command.add_option("KIND", faults.kind, "The kind to explain")->type_name("KIND");
  command.add_flag("--json", faults.json, "Print one JSON document");
}

void Parser::add_profile(CLI::App& command) {
  add_choice(command, "ACTION", profile.action, "list|show|check|fmt|import", "What to do");
  command.add_option("PROFILE", profile.profile, "A built-in profile's name, or a file")
      ->type_name("FILE");
  command.add_flag("--json", profile.json, "Print one JSON document");
}

void Parser::add_plan(CLI::App& command) {
  command.add_option("--profile", plan.profile, "A built-in profile's name, or a file")
      ->type_name("FILE");
  command.add_option("--seed", plan.seed, "The seed, decimal or 0x; wins over the profile's")
      ->type_name("N");
  command
      .add_option("--sites", plan.sites,
                  "The calls: {\"tool\": .., \"arguments\": {..}} a line, or a case")
      ->type_name("FILE");
  command.add_flag("--json", plan.json, "Print one JSON document");
}

void Parser::add_report(CLI::App& command) {
  command.add_option("DIR", report.paths, "A case, or a folder that holds some")
      ->type_name("DIR")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  obey(
      command.add_option("--report", report.reports, "console, json, junit, github or html; =FILE")
          ->type_name("REPORT")
          ->default_str("console")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll),
      judge_report_wish);
  command.add_flag("--json", report_as_json, "The same as --report json");
  command.add_flag("--open", report.open, "Show the HTML report (in squall-report.html, if none)");
}

void Parser::add_case(CLI::App& command) {
  add_choice(command, "ACTION", case_action, "list|show|prune", "What to do");
  command.add_option("DIR", manage.path, "The folder that holds cases, or one case to show")
      ->type_name("DIR");
  add_number<std::size_t>(command, "--keep", manage.keep, 0, 1'000'000,
                          "How many of the newest 'prune' leaves")
      ->default_str("100");
}

void Parser::add_verify(CLI::App& command) {
  command.add_option("CASE", verify.path, "The case's folder")->type_name("DIR");
  command.add_flag("--json", verify.json, "Print one JSON document");
}

void Parser::add_explain(CLI::App& command) {
  command.add_option("CASE", explain.path, "The case's folder")->type_name("DIR");
  command
      .add_option("WHERE", explain.where,
                  "A site, or the number of an event; without one: all that struck")
      ->type_name("SITE");
  command.add_flag("--json", explain.json, "Print one JSON document");
}

void Parser::add_pin(CLI::App& command) {
  command.add_option("CASE", pin.path, "The case's folder")->type_name("DIR");
  command.add_flag("--json", pin.json, "Print it as JSON");
}

void Parser::add_diff(CLI::App& command) {
  command.add_option("LEFT", diff.left, "A case, a profile or a schedule")->type_name("FILE");
  command.add_option("RIGHT", diff.right, "The other one")->type_name("FILE");
  command
      .add_option("--sites", diff.sites,
                  "The calls at which profiles are decided: a file as of plan, or a case")
      ->type_name("FILE");
  command.add_option("--seed", diff.seed, "The seed of the profiles; wins over their own")
      ->type_name("N");
  command.add_flag("--json", diff.json, "Print one JSON document");
}

void Parser::add_replay(CLI::App& command) {
  command.add_option("CASE", replay.path, "The case's folder")->type_name("DIR");
  add_choice(command, "--mode", replay.mode, "decide|pinned|sealed",
             "Decide again, repeat the strikes, or go without a server")
      ->default_str("decide");
  command.add_option("--target", replay.target, "A target file, in place of the case's target")
      ->type_name("FILE");
  add_choice(command, "--unrecorded", replay.unrecorded, "error|pass",
             "Sealed: the unrecorded gets an error, or asks the target")
      ->default_str("error");
  command.add_flag("--strict", replay.strict, "Let times count, on real clocks too");
  command.add_flag("--json", replay.json, "Print one JSON document");
}

void Parser::add_shrink(CLI::App& command) {
  command
      .add_option("CASE", shrink.path,
                  "The case's folder; behind it '-- COMMAND', or nothing: its scenario")
      ->type_name("DIR");
  command.add_option("--target", shrink.target, "A target file, in place of the case's target")
      ->type_name("FILE");
  add_number<std::uint32_t>(command, "--repeat", shrink.repeat, 1, 1000,
                            "Runs of each candidate, for what fails by chance")
      ->default_str("1");
  add_number<std::uint64_t>(command, "--runs", shrink.runs_max, 1, 1'000'000,
                            "How many runs at most")
      ->default_str("1000");
  command
      .add_option("--timeout", shrink_timeout,
                  "A command that takes longer is ended, and has failed")
      ->type_name("TIME")
      ->default_str("10m");
  command.add_flag("--json", shrink.json, "Print one JSON document");
}

void Parser::add_schema(CLI::App& command) {
  add_choice(command, "NAME", schema.name, "profile|report", "The format");
}

void Parser::add_remote(CLI::App& command) { add_remote_options(command, remote); }

void Parser::add_completion(CLI::App& command) {
  add_choice(command, "SHELL", shell, "bash|zsh|fish", "The shell that will read them");
}

void Parser::add_help(CLI::App& command) {
  std::string names;
  for (const CLI::App* other : app.get_subcommands({})) {
    names += (names.empty() ? "" : "|") + other->get_name();
  }
  add_choice(command, "COMMAND", help_topic, names, "The command to explain");
}

OptionModel describe(const CLI::Option& option) {
  OptionModel out;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  if (option.get_positional()) out.names.push_back(option.get_name(true));
  out.description = option.get_description();
  if (option.get_items_expected_max() > 0) out.value = option.get_type_name();
  out.default_text = option.get_default_str();
  out.repeats = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return out;
}

CommandModel describe(const CLI::App& app) {
  CommandModel out;
  out.name = app.get_name();
  out.description = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? out.positionals : out.options).push_back(describe(*option));
  }
  // Nesting is as deep as the code above makes it.
  for (const CLI::App* command : app.get_subcommands({})) {
    out.commands.push_back(describe(*command));
  }
  return out;
}

Result<Command> finish_serve(Parser& parser) {
  SQUALL_CHECK(
      finish_serve_options(*parser.app.get_subcommand("serve"), parser.serve, parser.serve_words));
  return parser.serve;
}

Result<Command> finish_proxy(Parser& parser) {
  SQUALL_CHECK(finish_proxy_options(*parser.app.get_subcommand("proxy"), parser.proxy,
                                    parser.proxy_transport));
  return parser.proxy;
}

Result<Command> finish_profile(Parser& parser) {
  if (parser.profile.action.empty()) {
    return fail(ErrorKind::invalid, "profile needs an action: list, show, check, fmt or import");
  }
  if (parser.profile.action != "list" && parser.profile.profile.empty()) {
    return fail(ErrorKind::invalid, "profile " + parser.profile.action +
                                        " needs a profile: a built-in name, or a file");
  }
  return parser.profile;
}

Result<Command> finish_plan(Parser& parser) {
  if (parser.plan.profile.empty() || parser.plan.sites.empty()) {
    return fail(ErrorKind::invalid, "plan needs --profile and --sites");
  }
  return parser.plan;
}

Result<Command> finish_report(Parser& parser) {
  if (parser.report.paths.empty()) {
    return fail(ErrorKind::invalid, "report needs a case, or a folder that holds some");
  }
  if (parser.report_as_json) parser.report.reports.emplace_back("json");
  complete_wishes(parser.report.reports, parser.report.open);
  return parser.report;
}

Result<Command> finish_case(Parser& parser) {
  if (parser.case_action.empty() || parser.manage.path.empty()) {
    return fail(ErrorKind::invalid, "case needs what to do (list, show or prune) and a folder");
  }
  parser.manage.action = parser.case_action == "list"   ? CaseAction::list
                         : parser.case_action == "show" ? CaseAction::show
                                                        : CaseAction::prune;
  return parser.manage;
}

Result<Command> finish_verify(Parser& parser) {
  if (!parser.verify.path.empty()) return parser.verify;
  return fail(ErrorKind::invalid, "verify needs the folder of a case");
}

Result<Command> finish_explain(Parser& parser) {
  if (!parser.explain.path.empty()) return parser.explain;
  return fail(ErrorKind::invalid, "explain needs the folder of a case");
}

Result<Command> finish_pin(Parser& parser) {
  if (!parser.pin.path.empty()) return parser.pin;
  return fail(ErrorKind::invalid, "pin needs the folder of a case");
}

Result<Command> finish_diff(Parser& parser) {
  if (!parser.diff.right.empty()) return parser.diff;
  return fail(ErrorKind::invalid, "diff needs two cases, profiles or schedules");
}

Result<Command> finish_replay(Parser& parser) {
  if (!parser.replay.path.empty()) return parser.replay;
  return fail(ErrorKind::invalid, "replay needs the folder of a case");
}

Result<Command> finish_shrink(Parser& parser) {
  if (parser.shrink.path.empty()) {
    return fail(ErrorKind::invalid, "shrink needs the folder of a case");
  }
  if (!parser.shrink_timeout.empty()) {
    SQUALL_TRY(parser.shrink.timeout, base::parse_duration(parser.shrink_timeout));
  }
  return parser.shrink;
}

Result<Command> finish_schema(Parser& parser) {
  // CLI11 takes the format for a second command where one has its name.
  const auto chosen = parser.app.get_subcommands();
  if (chosen.size() > 1) parser.schema.name = chosen.back()->get_name();
  if (parser.schema.name != "profile" && parser.schema.name != "report") {
    return fail(ErrorKind::invalid, "schema needs the name of a format: profile or report");
  }
  return parser.schema;
}

Result<Command> finish_remote(Parser& parser) {
  return finish_remote_command(parser.app.get_subcommands().front()->get_name(), parser.remote);
}

Result<Command> finish_completion(Parser& parser) {
  if (parser.shell.empty()) {
    return fail(ErrorKind::invalid, "completion needs a shell: bash, zsh or fish");
  }
  return CompletionCommand{parser.shell == "bash"  ? Shell::bash
                           : parser.shell == "zsh" ? Shell::zsh
                                                   : Shell::fish};
}

Result<Command> finish_help(Parser& parser) {
  // CLI11 takes the topic for a second command, except where that would be `help` twice.
  const auto chosen = parser.app.get_subcommands();
  if (chosen.size() > 1) return HelpCommand{{chosen.back()->get_name()}};
  if (parser.help_topic.empty()) return HelpCommand{};
  return HelpCommand{{parser.help_topic}};
}

/// A command: what help calls it, its options, and what they make once all are read.
struct Kind {
  const char* name;
  const char* description;
  void (Parser::*add)(CLI::App& command);
  Result<Command> (*finish)(Parser& parser);
};

constexpr Kind kKinds[] = {
    {"demo", "Run a server and a client against it, in about a second", &Parser::add_demo,
     [](Parser& parser) -> Result<Command> { return parser.demo; }},
    {"serve", "Serve the built-in tools", &Parser::add_serve, finish_serve},
    {"proxy", "Put faults between a client and a server", &Parser::add_proxy, finish_proxy},
    {"run", "Run scenarios, in process or against a target", &Parser::add_run,
     [](Parser& parser) -> Result<Command> { return finish_run_options(parser.run); }},
    {"faults", "Print the kinds of faults, or one with its settings", &Parser::add_faults,
     [](Parser& parser) -> Result<Command> { return parser.faults; }},
    {"profile", "List, show, check and convert profiles of faults", &Parser::add_profile,
     finish_profile},
    {"plan", "Tell what would strike at given calls, without a run", &Parser::add_plan,
     finish_plan},
    {"report", "Make reports of recorded cases", &Parser::add_report, finish_report},
    {"case", "List, show or remove recorded cases", &Parser::add_case, finish_case},
    {"verify", "Recompute every decision of a case", &Parser::add_verify, finish_verify},
    {"explain", "Tell why a call of a case got its faults", &Parser::add_explain, finish_explain},
    {"pin", "Print the strikes of a case as a schedule", &Parser::add_pin, finish_pin},
    {"diff", "Compare cases, profiles or schedules, site by site", &Parser::add_diff, finish_diff},
    {"replay", "Play a case again, and name what first differs", &Parser::add_replay,
     finish_replay},
    {"shrink", "Find the fewest and mildest strikes that still fail", &Parser::add_shrink,
     finish_shrink},
    {"schema", "Print the JSON Schema of a format, for editors", &Parser::add_schema,
     finish_schema},
    {"inspect", "Show what a server offers", &Parser::add_remote, finish_remote},
    {"call", "Call a tool", &Parser::add_remote, finish_remote},
    {"read", "Read a resource", &Parser::add_remote, finish_remote},
    {"prompt", "Get a prompt", &Parser::add_remote, finish_remote},
    {"listen", "Print what a server tells by itself, as it comes", &Parser::add_remote,
     finish_remote},
    {"completion", "Print the completions for a shell", &Parser::add_completion, finish_completion},
    {"help", "Show what a command does", &Parser::add_help, finish_help},
};

const Kind* find_kind(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                         [&](const Kind& kind) { return kind.name == name; });
  return found == std::end(kKinds) ? nullptr : found;
}

Parser::Parser(std::string_view only) {
  app.name("squall");
  app.set_help_flag();
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_flag("-h,--help", help, "Show this help");
  app.add_flag("-v,--version", version, "Show the version");
  const Kind* const chosen = find_kind(only);
  for (const Kind& kind : kKinds) {
    CLI::App& command = *app.add_subcommand(kind.name, kind.description);
    if (chosen != nullptr && chosen != &kind) continue;
    command.add_flag("-h,--help", help, "Show this help");
    (this->*kind.add)(command);
  }
}

Result<Command> finish(Parser& parser) {
  if (parser.version) return VersionCommand{};
  const auto chosen = parser.app.get_subcommands();
  if (chosen.empty()) return HelpCommand{};
  const std::string name = chosen.front()->get_name();
  if (parser.help) return HelpCommand{{name}};
  return find_kind(name)->finish(parser);
}

/// The words behind "--" of a command that runs others' commands.
std::span<const char* const> take_tail(std::span<const char* const> words,
                                       std::vector<std::string>& tail) {
  const auto mark =
      std::ranges::find_if(words, [](const char* word) { return std::string_view(word) == "--"; });
  if (mark == words.end()) return words;
  tail.assign(mark + 1, words.end());
  return words.first(static_cast<std::size_t>(mark - words.begin()));
}

}  // namespace

CommandModel command_model() {
  const Parser parser({});
  return describe(parser.app);
}

Result<Command> parse_command(std::span<const char* const> words) {
  Parser parser(words.empty() ? std::string_view() : words.front());
  words = take_server_command(words, parser.remote, parser.proxy.command);
  if (!words.empty() && std::string_view(words.front()) == "shrink") {
    words = take_tail(words, parser.shrink.command);
  }
  SQUALL_CHECK(check_words(words, describe(parser.app)));
  if (!words.empty() && std::string_view(words.front()) == "serve") {
    parser.serve.plain = without_faults(words.subspan(1));
  }
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // what CLI11 wants
  try {
    parser.app.parse(std::move(reversed));
  } catch (const CLI::Error& error) {
    return fail(ErrorKind::invalid, error.what());
  }
  return finish(parser);
}

}  // namespace squall::cli
