#include "parser.h"

#include <memory>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "case_paths.h"
#include "options.h"
#include "remote_options.h"
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
  FaultsCommand faults;
  ProfileCommand profile;
  PlanCommand plan;
  ReportCommand report;
  CaseCommand manage;
  std::string case_action;
  SchemaCommand schema;
  RemoteWords remote;
  std::string shell;
  std::string help_topic;

  Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

 private:
  CLI::App& add_command(const std::string& name, const std::string& description);
  void add_demo();
  void add_serve();
  void add_faults();
  void add_profile();
  void add_plan();
  void add_report();
  void add_case();
  void add_schema();
  void add_completion();
  void add_help();
};

CLI::App& Parser::add_command(const std::string& name, const std::string& description) {
  CLI::App& command = *app.add_subcommand(name, description);
  command.add_flag("-h,--help", help, "Show this help");
  return command;
}

Parser::Parser() {
  app.name("squall");
  app.set_help_flag();
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_flag("-h,--help", help, "Show this help");
  app.add_flag("-v,--version", version, "Show the version");
  add_demo();
  add_serve();
  add_faults();
  add_profile();
  add_plan();
  add_report();
  add_case();
  add_schema();
  add_remote_commands(app, help, remote);
  add_completion();
  add_help();
}

void Parser::add_demo() {
  CLI::App& command =
      add_command("demo", "Run a server and a client against it, in about a second");
  command.add_flag("--json", demo.json, "Report as one JSON document");
}

void Parser::add_serve() {
  add_serve_options(add_command("serve", "Serve the built-in tools"), serve, serve_words);
}

void Parser::add_faults() {
  CLI::App& command = add_command("faults", "Print the kinds of faults, or one with its settings");
  command.add_option("KIND", faults.kind, "The kind to explain")->type_name("KIND");
  command.add_flag("--json", faults.json, "Print one JSON document");
}

void Parser::add_profile() {
  CLI::App& command = add_command("profile", "List, show, check and convert profiles of faults");
  add_choice(command, "ACTION", profile.action, "list|show|check|fmt|import", "What to do");
  command.add_option("PROFILE", profile.profile, "A built-in profile's name, or a file")
      ->type_name("FILE");
  command.add_flag("--json", profile.json, "Print one JSON document");
}

void Parser::add_plan() {
  CLI::App& command = add_command("plan", "Tell what would strike at given calls, without a run");
  command.add_option("--profile", plan.profile, "A built-in profile's name, or a file")
      ->type_name("FILE");
  command.add_option("--seed", plan.seed, "The seed, decimal or 0x; wins over the profile's")
      ->type_name("N");
  command
      .add_option("--sites", plan.sites, "The calls: {\"tool\": .., \"arguments\": {..}} a line")
      ->type_name("FILE");
  command.add_flag("--json", plan.json, "Print one JSON document");
}

void Parser::add_report() {
  CLI::App& command = add_command("report", "Make reports of recorded cases");
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
}

void Parser::add_case() {
  CLI::App& command = add_command("case", "List, show or remove recorded cases");
  add_choice(command, "ACTION", case_action, "list|show|prune", "What to do");
  command.add_option("DIR", manage.path, "The folder that holds cases, or one case to show")
      ->type_name("DIR");
  add_number<std::size_t>(command, "--keep", manage.keep, 0, 1'000'000,
                          "How many of the newest 'prune' leaves")
      ->default_str("100");
}

void Parser::add_schema() {
  CLI::App& command = add_command("schema", "Print the JSON Schema of a format, for editors");
  command.add_option("NAME", schema.name, "The format: profile")->type_name("NAME");
}

void Parser::add_completion() {
  CLI::App& command = add_command("completion", "Print the completions for a shell");
  add_choice(command, "SHELL", shell, "bash|zsh|fish", "The shell that will read them");
}

void Parser::add_help() {
  CLI::App& command = add_command("help", "Show what a command does");
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
  if (parser.report.reports.empty()) parser.report.reports = {"console"};
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

Result<Command> finish(Parser& parser) {
  if (parser.version) return VersionCommand{};
  const auto chosen = parser.app.get_subcommands();
  if (chosen.empty()) return HelpCommand{};
  const std::string name = chosen.front()->get_name();
  if (parser.help) return HelpCommand{{name}};
  if (name == "demo") return parser.demo;
  if (name == "serve") return finish_serve(parser);
  if (name == "faults") return parser.faults;
  if (name == "profile") return finish_profile(parser);
  if (name == "plan") return finish_plan(parser);
  if (name == "report") return finish_report(parser);
  if (name == "case") return finish_case(parser);
  if (name == "schema") {
    // CLI11 takes the format for a second command where one has its name.
    if (chosen.size() > 1) parser.schema.name = chosen.back()->get_name();
    if (parser.schema.name != "profile") {
      return fail(ErrorKind::invalid, "schema needs the name of a format, and knows one: profile");
    }
    return parser.schema;
  }
  if (is_remote_command(name)) return finish_remote_command(name, parser.remote);
  if (name == "completion") {
    if (parser.shell.empty()) {
      return fail(ErrorKind::invalid, "completion needs a shell: bash, zsh or fish");
    }
    return CompletionCommand{parser.shell == "bash"  ? Shell::bash
                             : parser.shell == "zsh" ? Shell::zsh
                                                     : Shell::fish};
  }
  // CLI11 takes the topic for a second command, except where that would be `help` twice.
  if (chosen.size() > 1) return HelpCommand{{chosen.back()->get_name()}};
  if (parser.help_topic.empty()) return HelpCommand{};
  return HelpCommand{{parser.help_topic}};
}

}  // namespace

CommandModel command_model() {
  const Parser parser;
  return describe(parser.app);
}

Result<Command> parse_command(std::span<const char* const> words) {
  Parser parser;
  words = take_server_command(words, parser.remote);
  SQUALL_CHECK(check_words(words, describe(parser.app)));
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // what CLI11 wants
  try {
    parser.app.parse(std::move(reversed));
  } catch (const CLI::Error& error) {
    return fail(ErrorKind::invalid, error.what());
  }
  return finish(parser);
}

}  // namespace squall::cli
