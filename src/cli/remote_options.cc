#include "remote_options.h"

#include <algorithm>
#include <utility>

#include "squall/base/units.h"

#include "options.h"
#include "serve_rules.h"

namespace squall::cli {
namespace {

using What = RemoteCommand::What;

struct Kind {
  What what;
  const char* name;
  const char* subject;  ///< what follows the target; "": nothing
};

constexpr Kind kKinds[] = {
    {What::inspect, "inspect", ""},   {What::call, "call", "TOOL"}, {What::read, "read", "URI"},
    {What::prompt, "prompt", "NAME"}, {What::listen, "listen", ""},
};

const Kind* find_kind(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                         [&](const Kind& kind) { return kind.name == name; });
  return found == std::end(kKinds) ? nullptr : found;
}

void add_server_options(CLI::App& app, RemoteWords& words) {
  TargetWords& target = words.command.target;
  app.add_option("--config", target.config_file, "TARGET is an entry of this mcpServers file")
      ->type_name("FILE");
  app.add_option("--header", target.headers, "Sent with each request: 'NAME: VALUE'")
      ->type_name("HEADER")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1);
  app.add_option("--env", target.variables, "A variable for the server's command: NAME=VALUE")
      ->type_name("VARIABLE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1);
  obey(app.add_option("--timeout", words.timeout, "For an answer")
           ->type_name("TIME")
           ->default_str("60s"),
       check_duration);
  app.add_option("--ca", target.ca_file, "Trust these certificate authorities alone (PEM)")
      ->type_name("FILE");
  app.add_flag("--insecure", target.insecure, "Trust any certificate");
  add_choice(app, "--protocol", target.protocol, "auto|2025-11-25|2026-07-28",
             "Which revision to speak")
      ->default_str("auto");
  app.add_option("--client-id", words.command.client_id,
                 "Our account where the server makes one log in")
      ->type_name("ID");
  app.add_flag("--no-browser", words.command.no_browser,
               "Print the address to log in at; open no browser");
  app.add_flag("--raw", words.command.raw, "Show each message on stderr");
  app.add_flag("-v,--verbose", words.command.verbose,
               "Show progress, log messages and oddities on stderr");
}

}  // namespace

void add_remote_options(CLI::App& command, RemoteWords& words) {
  const Kind& kind = *find_kind(command.get_name());
  std::string what = "URL or target file; none with '-- COMMAND' last";
  if (*kind.subject != '\0') what += std::string("; then ") + kind.subject;
  const bool takes_arguments = kind.what == What::call || kind.what == What::prompt;
  if (takes_arguments) what += " and key=value ...";
  if (kind.what == What::listen) what += "; then URIs";
  command.add_option("TARGET", words.places, what)
      ->type_name("TARGET")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  if (takes_arguments) {
    command.add_option("--args", words.command.args, "Arguments as a JSON object")
        ->type_name("JSON");
  }
  if (kind.what == What::listen) {
    add_choice(command, "--log-level", words.log_level,
               "debug|info|notice|warning|error|critical|alert|emergency",
               "The mildest log messages to ask for")
        ->default_str("info");
  }
  command.add_flag(
      "--json", words.command.json,
      kind.what == What::listen ? "Print JSON, a line each" : "Print one JSON document");
  add_server_options(command, words);
}

bool is_remote_command(std::string_view name) { return find_kind(name) != nullptr; }

std::span<const char* const> take_server_command(std::span<const char* const> words,
                                                 RemoteWords& kept,
                                                 std::vector<std::string>& proxied) {
  if (words.empty()) return words;
  const bool proxy = std::string_view(words.front()) == "proxy";
  if (!proxy && !is_remote_command(words.front())) return words;
  const auto mark = std::find_if(words.begin(), words.end(),
                                 [](const char* word) { return std::string_view(word) == "--"; });
  if (mark == words.end() || mark + 1 == words.end()) return words;
  (proxy ? proxied : kept.command.target.command).assign(mark + 1, words.end());
  return words.first(static_cast<std::size_t>(mark - words.begin()));
}

Result<Command> finish_remote_command(const std::string& name, RemoteWords& words) {
  const Kind& kind = *find_kind(name);
  RemoteCommand& command = words.command;
  command.what = kind.what;
  auto next = words.places.begin();
  const auto end = words.places.end();
  if (!command.target.command.empty() && !command.target.config_file.empty()) {
    return fail(ErrorKind::invalid, "name a server by --config or by '-- COMMAND', not by both");
  }
  if (command.target.command.empty()) {
    if (next == end) {
      return fail(ErrorKind::invalid, name +
                                          " needs a server: a URL, a target file, '-- COMMAND' at "
                                          "the end, or --config FILE NAME");
    }
    command.target.name = *next++;
  }
  if (*kind.subject != '\0') {
    if (next == end) {
      return fail(ErrorKind::invalid, name + " needs " + kind.subject + " behind the server");
    }
    command.subject = *next++;
  }
  command.words.assign(next, end);
  const bool takes_arguments = kind.what == What::call || kind.what == What::prompt;
  const bool takes_words = takes_arguments || kind.what == What::listen;
  if (!takes_words && !command.words.empty()) {
    return fail(ErrorKind::invalid, name + " has no place for " + quote(command.words.front()));
  }
  if (const auto level = mcp::log_level_from(words.log_level)) command.log_level = *level;
  if (!words.timeout.empty()) {
    SQUALL_TRY(const auto timeout, base::parse_duration(words.timeout));
    command.target.timeout = std::chrono::ceil<std::chrono::milliseconds>(timeout);
  }
  return command;
}

}  // namespace squall::cli
