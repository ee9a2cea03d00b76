#include "serve_options.h"

#include <algorithm>
#include <limits>

#include "squall/base/units.h"

#include "model.h"
#include "options.h"
#include "serve_rules.h"

namespace squall::cli {

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

namespace {

constexpr std::size_t kCountMax = 1'000'000;

/// Those that make no sense over stdin and stdout.
constexpr const char* kHttpOnly[] = {
    "--host",         "--port",         "--path",           "--allow-host",   "--allow-origin",
    "--threads",      "--port-file",    "--tls-cert",       "--tls-key",      "--legacy",
    "--resume",       "--max-body",     "--max-sessions",   "--session-idle", "--max-connections",
    "--idle-timeout", "--body-timeout", "--header-timeout",
};
constexpr const char* kOneSession = ": over stdio the connection is the session";
/// What makes no sense over HTTP.
constexpr const char* kStdioOnly = "--strict";

void add_time(CLI::App& app, const std::string& name, std::chrono::milliseconds& target,
              const std::string& shown, const std::string& description) {
  const auto store = [&target](const std::string& text) {
    const auto read = base::parse_duration(text);
    if (read) target = std::chrono::ceil<std::chrono::milliseconds>(*read);
  };
  obey(app.add_option_function<std::string>(name, store, description)
           ->type_name("TIME")
           ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
           ->default_str(shown),
       check_duration);
}

void add_size(CLI::App& app, const std::string& name, std::size_t& target, const std::string& shown,
              const std::string& description) {
  const auto store = [&target](const std::string& text) {
    target = static_cast<std::size_t>(base::parse_size(text).value_or(target));
  };
  obey(app.add_option_function<std::string>(name, store, description)
           ->type_name("SIZE")
           ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
           ->default_str(shown),
       check_size);
}

void add_count(CLI::App& app, const std::string& name, std::size_t& target,
               const std::string& description) {
  const std::string shown = std::to_string(target);
  add_number<std::size_t>(app, name, target, 1, kCountMax, description)->default_str(shown);
}

void add_listening(CLI::App& command, server::HttpOptions& http) {
  http.port = 3000;
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
  command.add_option("--tls-cert", http.tls_certificate, "Serve TLS with this PEM certificate")
      ->type_name("FILE");
  command.add_option("--tls-key", http.tls_key, "The key of that certificate, PEM")
      ->type_name("FILE");
  add_number<unsigned>(command, "--threads", http.threads, 1, kThreadsMax, "Event loops to run")
      ->default_str("1");
}

void add_limits(CLI::App& command, ServeCommand& serve) {
  transport::HttpServerOptions& http = serve.http_options.http;
  add_size(command, "--max-body", http.body_bytes_max, "4mib", "Refuse larger request bodies");
  add_count(command, "--max-connections", http.connections_max,
            "Accept no more connections at once");
  add_count(command, "--max-sessions", serve.engine.sessions_max,
            "Keep no more sessions; the longest idle goes");
  add_time(command, "--session-idle", serve.engine.session_idle, "30m",
           "End sessions idle for so long");
  add_count(command, "--max-streams", serve.engine.listens_max, "Keep no more subscriptions open");
  add_time(command, "--header-timeout", http.header_timeout, "10s",
           "Time for a handshake, and for a request's header");
  add_time(command, "--body-timeout", http.body_idle_timeout, "30s",
           "Time between two pieces of a body");
  add_time(command, "--idle-timeout", http.keep_alive_timeout, "60s",
           "Time between two requests on a connection");
  add_time(command, "--stop-within", serve.http_options.stop_within, "5s",
           "Time for open calls after SIGTERM; a second one ends all");
}

/// Options about faults, each with a value.
constexpr const char* kAboutFaults[] = {"--profile", "--seed", "--force", "--probability",
                                        "--record"};

void add_faults(CLI::App& command, ServeCommand& serve, ServeWords& words) {
  obey(command.add_option("--tools", words.tools, "Which tools, by commas: fault, examples")
           ->type_name("TOOLS")
           ->default_str("fault"),
       check_tools);
  command
      .add_option("--profile", serve.profile,
                  "Faults in front of them: a built-in profile, or a file")
      ->type_name("FILE");
  command.add_option("--seed", serve.seed, "The seed of faults, decimal or 0x")->type_name("N");
  command.add_option("--force", serve.force, "A kind of fault that strikes before all others")
      ->type_name("KIND");
  command
      .add_option("--probability", serve.probability, "How often --force strikes: 0.1, 1/10, 10%")
      ->type_name("P");
  command.add_option("--record", serve.record, "Write a case of the run into this folder")
      ->type_name("DIR");
}

void add_logging(CLI::App& command, ServeWords& words) {
  add_choice(command, "--log-format", words.log_format, "text|json", "How stderr tells events")
      ->default_str("json over stdio, text over HTTP");
  add_choice(command, "--log-level", words.log_level, "debug|info|warning|error",
             "The least severe events told")
      ->default_str("info");
  command.add_flag("-v,--verbose", words.verbose, "Tell each message; --log-level debug");
  command.add_flag("--quiet", words.quiet, "Tell errors alone; --log-level error");
}

server::Severity severity_of(const std::string& word) {
  if (word == "debug") return server::Severity::debug;
  if (word == "warning") return server::Severity::warning;
  return word == "error" ? server::Severity::error : server::Severity::info;
}

/// Over stdio stderr is the client's to collect, and over HTTP a person's to read.
server::LogFormat format_of(const ServeWords& words, bool http) {
  if (words.log_format.empty()) return http ? server::LogFormat::text : server::LogFormat::json;
  return words.log_format == "json" ? server::LogFormat::json : server::LogFormat::text;
}

/// Whether an option has a meaning over stdio, and can't change anything there.
bool about_sessions(std::string_view name) {
  return name == "--legacy" || name == "--resume" || name == "--max-sessions" ||
         name == "--session-idle";
}

void mark(CLI::App& command, const char* name, const char* transport) {
  CLI::Option* option = command.get_option(name);
  option->description(option->get_description() + " (" + transport + ")");
}

Result<void> check_transport(const CLI::App& command, bool http) {
  const auto given = [&command](const char* name) {
    return command.get_option(name)->count() != 0;
  };
  if (http) {
    if (!given(kStdioOnly)) return {};
    return fail(ErrorKind::invalid, std::string(kStdioOnly) +
                                        " needs --transport stdio: over HTTP --legacy sessions "
                                        "refuses calls without a session");
  }
  for (const char* name : kHttpOnly) {
    if (!given(name)) continue;
    return fail(ErrorKind::invalid, std::string(name) + " needs --transport http" +
                                        (about_sessions(name) ? kOneSession : ""));
  }
  return {};
}

Result<server::Severity> chosen_level(const CLI::App& command, const ServeWords& words) {
  if (words.quiet && words.verbose) {
    return fail(ErrorKind::invalid, "--quiet and --verbose exclude each other");
  }
  if ((words.quiet || words.verbose) && command.get_option("--log-level")->count() != 0) {
    return fail(ErrorKind::invalid, "--log-level and its short forms exclude each other");
  }
  return words.quiet     ? server::Severity::error
         : words.verbose ? server::Severity::debug
                         : severity_of(words.log_level);
}

}  // namespace

std::vector<std::string> without_faults(std::span<const char* const> words) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const auto is = [word](std::string_view name) {
      return word == name || (word.starts_with(name) && word[name.size()] == '=');
    };
    const bool dropped =
        std::any_of(std::begin(kAboutFaults), std::end(kAboutFaults), is) || is("--ready-fd");
    if (!dropped) {
      out.emplace_back(word);
    } else if (word.find('=') == std::string_view::npos) {
      ++i;  // its value
    }
  }
  return out;
}

void add_serve_options(CLI::App& command, ServeCommand& serve, ServeWords& words) {
  add_choice(command, "--transport", words.transport, "stdio|http", "How clients reach the server")
      ->default_str("stdio");
  add_listening(command, serve.http_options);
  add_choice(command, "--legacy", words.legacy, "both|sessions|stateless",
             "How clients before 2026-07-28 are served")
      ->default_str("both");
  command.add_flag("--resume", serve.engine.resume.enabled,
                   "Keep events, so that broken streams can be resumed");
  command.add_flag("--strict", serve.engine.strict, "Refuse legacy calls before the handshake");
  add_limits(command, serve);
  add_number<int>(command, "--ready-fd", serve.ready_fd, 3, std::numeric_limits<int>::max(),
                  "Write a line to this descriptor once ready, and close it");
  command.add_option("--port-file", serve.port_file, "Write the port to this file once it is open")
      ->type_name("FILE");
  add_faults(command, serve, words);
  add_logging(command, words);
  for (const char* name : kHttpOnly) mark(command, name, "HTTP");
  mark(command, kStdioOnly, "stdio");
}

Result<void> finish_serve_options(const CLI::App& command, ServeCommand& serve,
                                  const ServeWords& words) {
  serve.http = words.transport == "http";
  serve.engine.legacy = words.legacy == "sessions"    ? server::Legacy::sessions
                        : words.legacy == "stateless" ? server::Legacy::stateless
                                                      : server::Legacy::both;
  serve.log_format = format_of(words, serve.http);
  serve.quiet = words.quiet;
  serve.fault_tools = words.tools.find("fault") != std::string::npos;
  serve.examples = words.tools.find("examples") != std::string::npos;
  if (!serve.probability.empty() && serve.force.empty()) {
    return fail(ErrorKind::invalid, "--probability needs --force");
  }
  SQUALL_TRY(serve.log_level, chosen_level(command, words));
  SQUALL_CHECK(check_transport(command, serve.http));
  return check_together(serve);
}

}  // namespace squall::cli
