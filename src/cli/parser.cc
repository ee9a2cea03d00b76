#include "parser.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "serve_rules.h"
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
  std::string transport = "stdio";
  std::string legacy = "both";
  std::string shell;
  std::string help_topic;

  Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

 private:
  CLI::App& add_command(const std::string& name, const std::string& description);
  void add_demo();
  void add_serve();
  void add_completion();
  void add_help();
};

/// Adds an option whose value is one of those in `choices`: "stdio|http".
CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& target,
                        const std::string& choices, const std::string& description) {
  const auto check = [choices](const std::string& value) -> std::string {
    const auto allowed = split_choices(choices);
    if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return {};
    return "must be one of " + choices + ", not " + quote(value);
  };
  return app.add_option(name, target, description)
      ->type_name(choices)
      ->check(CLI::Validator(check, ""));
}

/// Adds an option whose value is a decimal number from `min` to `max`.
template <typename T>
CLI::Option* add_number(CLI::App& app, const std::string& name, T& target, T min, T max,
                        const std::string& description) {
  const auto read = [min, max](const std::string& text) -> std::optional<T> {
    T number{};
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    if (error != std::errc() || end != last || number < min || number > max) return std::nullopt;
    return number;
  };
  const auto check = [read, min, max](const std::string& text) -> std::string {
    if (read(text)) return {};
    return "must be a whole number from " + std::to_string(min) + " to " + std::to_string(max) +
           ", not " + quote(text);
  };
  const auto store = [read, &target](const std::string& text) {
    target = read(text).value_or(T{});
  };
  return app.add_option_function<std::string>(name, store, description)
      ->type_name("N")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->check(CLI::Validator(check, ""));
}

/// Lets `rule`, which gives "" or a complaint, judge an option's value.
void obey(CLI::Option* option, std::string (*rule)(const std::string&)) {
  option->check(CLI::Validator(rule, ""));
}

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
  add_completion();
  add_help();
}

void Parser::add_demo() {
  CLI::App& command =
      add_command("demo", "Run a server and a client against it, in about a second");
  command.add_flag("--json", demo.json, "Report as one JSON document");
}

void Parser::add_serve() {
  CLI::App& command = add_command("serve", "Serve the built-in tools");
  auto& http = serve.http_options;
  http.port = 3000;
  add_choice(command, "--transport", transport, "stdio|http", "How clients reach the server")
      ->default_str("stdio");
  obey(command.add_option("--host", http.host, "Address or name to listen on")
           ->type_name("HOST")
           ->default_str(http.host),
       check_host);
  add_number<std::uint16_t>(command, "--port", http.port, 0, 65535,
                            "Port to listen on; 0 takes a free one")
      ->default_str("3000");
  obey(command.add_option("--path", http.path, "Path of the endpoint")
           ->type_name("PATH")
           ->default_str(http.path),
       check_path);
  obey(command.add_option("--allow-host", http.allow_hosts, "Serve requests to this name too")
           ->type_name("HOST")
           ->expected(1)
           ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll),
       check_allowed_host);
  obey(command.add_option("--allow-origin", http.allow_origins, "Serve pages of this origin too")
           ->type_name("ORIGIN")
           ->expected(1)
           ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll),
       check_allowed_origin);
  add_number<unsigned>(command, "--threads", http.threads, 1, kThreadsMax, "Event loops to run")
      ->default_str("1");
  add_choice(command, "--legacy", legacy, "both|sessions|stateless",
             "How clients before 2026-07-28 are served over HTTP")
      ->default_str("both");
  command.add_flag("--resume", serve.engine.resume.enabled,
                   "Keep events, so that broken streams of sessions can be resumed");
  add_number<int>(command, "--ready-fd", serve.ready_fd, 3, std::numeric_limits<int>::max(),
                  "Write a line to this descriptor once ready, and close it");
  command.add_option("--port-file", serve.port_file, "Write the port to this file once it is open")
      ->type_name("FILE");
  command.add_flag("-v,--verbose", serve.verbose, "Print a line for each tool call");
  command.add_flag("--quiet", serve.quiet, "Print nothing but errors");
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
  ServeCommand& serve = parser.serve;
  serve.http = parser.transport == "http";
  serve.engine.legacy = parser.legacy == "sessions"    ? server::Legacy::sessions
                        : parser.legacy == "stateless" ? server::Legacy::stateless
                                                       : server::Legacy::both;
  if (!serve.http) {
    const CLI::App& command = *parser.app.get_subcommand("serve");
    for (const char* name : {"--host", "--port", "--path", "--allow-host", "--allow-origin",
                             "--threads", "--port-file"}) {
      if (command.get_option(name)->count() != 0) {
        return fail(ErrorKind::invalid, std::string(name) + " needs --transport http");
      }
    }
  }
  SQUALL_CHECK(check_together(serve));
  return serve;
}

Result<Command> finish(Parser& parser) {
  if (parser.version) return VersionCommand{};
  const auto chosen = parser.app.get_subcommands();
  if (chosen.empty()) return HelpCommand{};
  const std::string name = chosen.front()->get_name();
  if (parser.help) return HelpCommand{{name}};
  if (name == "demo") return parser.demo;
  if (name == "serve") return finish_serve(parser);
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
