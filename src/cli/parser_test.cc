#include "parser.h"

#include <gmock/gmock.h>

namespace squall::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Result<Command> parse(std::initializer_list<const char*> words) {
  return parse_command({words.begin(), words.size()});
}

std::string error_of(std::initializer_list<const char*> words) {
  const auto parsed = parse(words);
  return parsed ? "" : parsed.error().message;
}

/// The `serve` that the words come to; a plain one, and a failed test, when they don't.
ServeCommand serve_of(std::initializer_list<const char*> words) {
  const auto parsed = parse(words);
  EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().message);
  const auto* serve = parsed ? std::get_if<ServeCommand>(&*parsed) : nullptr;
  EXPECT_NE(serve, nullptr);
  return serve == nullptr ? ServeCommand{} : *serve;
}

TEST(ParseCommand, GivesServeItsDefaults) {
  const ServeCommand serve = serve_of({"serve"});
  EXPECT_FALSE(serve.http);
  EXPECT_EQ(serve.http_options.host, "127.0.0.1");
  EXPECT_EQ(serve.http_options.port, 3000);
  EXPECT_EQ(serve.http_options.path, "/mcp");
  EXPECT_EQ(serve.http_options.threads, 1u);
  EXPECT_EQ(serve.engine.legacy, server::Legacy::both);
  EXPECT_FALSE(serve.engine.resume.enabled);
  EXPECT_EQ(serve.ready_fd, -1);
  EXPECT_EQ(serve.port_file, "");
  EXPECT_EQ(serve.log_format, server::LogFormat::json);
  EXPECT_EQ(serve.log_level, server::Severity::info);
  EXPECT_EQ(serve.http_options.http.body_bytes_max, 4u << 20);
  EXPECT_EQ(serve.http_options.stop_within, std::chrono::seconds(5));
}

TEST(ParseCommand, ReadsEveryOptionOfServe) {
  const ServeCommand serve = serve_of({"serve",
                                       "--transport",
                                       "http",
                                       "--host",
                                       "::1",
                                       "--port",
                                       "0",
                                       "--path",
                                       "/x",
                                       "--allow-host",
                                       "a.example",
                                       "--allow-host",
                                       "b.example",
                                       "--allow-origin",
                                       "https://c.example",
                                       "--legacy",
                                       "sessions",
                                       "--resume",
                                       "--threads",
                                       "2",
                                       "--ready-fd",
                                       "7",
                                       "--port-file",
                                       "port",
                                       "-v"});
  EXPECT_TRUE(serve.http);
  EXPECT_EQ(serve.http_options.host, "::1");
  EXPECT_EQ(serve.http_options.port, 0);
  EXPECT_EQ(serve.http_options.path, "/x");
  EXPECT_THAT(serve.http_options.allow_hosts, ElementsAre("a.example", "b.example"));
  EXPECT_THAT(serve.http_options.allow_origins, ElementsAre("https://c.example"));
  EXPECT_EQ(serve.http_options.threads, 2u);
  EXPECT_EQ(serve.engine.legacy, server::Legacy::sessions);
  EXPECT_TRUE(serve.engine.resume.enabled);
  EXPECT_EQ(serve.ready_fd, 7);
  EXPECT_EQ(serve.port_file, "port");
  EXPECT_EQ(serve.log_level, server::Severity::debug);
}

TEST(ParseCommand, ReadsTheLimitsOfServe) {
  using namespace std::chrono_literals;
  const ServeCommand serve = serve_of(
      {"serve", "--transport",    "http",    "--max-body",        "64kib", "--max-sessions",
       "7",     "--max-streams",  "8",       "--session-idle",    "2m",    "--header-timeout",
       "1.5s",  "--body-timeout", "250ms",   "--idle-timeout",    "3s",    "--stop-within",
       "100ms", "--tls-cert",     "c.pem",   "--tls-key",         "k.pem", "--log-format",
       "json",  "--log-level",    "warning", "--max-connections", "9"});
  const transport::HttpServerOptions& http = serve.http_options.http;
  EXPECT_EQ(http.body_bytes_max, 65'536u);
  EXPECT_EQ(http.connections_max, 9u);
  EXPECT_EQ(http.header_timeout, 1500ms);
  EXPECT_EQ(http.body_idle_timeout, 250ms);
  EXPECT_EQ(http.keep_alive_timeout, 3s);
  EXPECT_EQ(serve.engine.sessions_max, 7u);
  EXPECT_EQ(serve.engine.session_idle, 2min);
  EXPECT_EQ(serve.engine.listens_max, 8u);
  EXPECT_EQ(serve.http_options.stop_within, 100ms);
  EXPECT_EQ(serve.http_options.tls_certificate, "c.pem");
  EXPECT_EQ(serve.http_options.tls_key, "k.pem");
  EXPECT_EQ(serve.log_format, server::LogFormat::json);
  EXPECT_EQ(serve.log_level, server::Severity::warning);
}

TEST(ParseCommand, KeepsLimitsToTheirUnitsAndTransports) {
  EXPECT_THAT(error_of({"serve", "--stop-within", "5"}), testing::HasSubstr("unit"));
  EXPECT_THAT(error_of({"serve", "--transport", "http", "--max-body", "1gb"}),
              testing::HasSubstr("unit"));
  EXPECT_THAT(error_of({"serve", "--max-body", "1mb"}), testing::HasSubstr("needs --transport"));
  for (const char* option : {"--resume", "--legacy=both", "--max-sessions=2"}) {
    EXPECT_THAT(error_of({"serve", option}), testing::HasSubstr("needs --transport http: over"));
  }
  EXPECT_THAT(error_of({"serve", "--transport", "http", "--strict"}),
              testing::HasSubstr("needs --transport stdio: over"));
  EXPECT_TRUE(serve_of({"serve", "--strict"}).engine.strict);
  EXPECT_THAT(error_of({"serve", "--transport", "http", "--tls-cert", "c.pem"}),
              testing::HasSubstr("need each other"));
}

TEST(ParseCommand, LogsAsTheTransportHasIt) {
  using server::LogFormat;
  EXPECT_EQ(serve_of({"serve"}).log_format, LogFormat::json);
  EXPECT_EQ(serve_of({"serve", "--transport", "http"}).log_format, LogFormat::text);
  EXPECT_EQ(serve_of({"serve", "--log-format", "text"}).log_format, LogFormat::text);
  EXPECT_EQ(serve_of({"serve", "--transport", "http", "--log-format", "json"}).log_format,
            LogFormat::json);
}

TEST(CommandModel, MarksWhatBelongsToOneTransport) {
  const CommandModel model = command_model();
  const CommandModel* serve = model.find("serve");
  ASSERT_NE(serve, nullptr);
  const auto transport_of = [serve](std::string_view name) -> std::string {
    for (const OptionModel& option : serve->options) {
      if (option.names.back() != name) continue;
      const bool marked = option.description.ends_with(')');
      return marked ? option.description.substr(option.description.rfind('(')) : "both";
    }
    return "none";
  };
  for (const char* name : {"--port", "--resume", "--legacy", "--max-body", "--idle-timeout"}) {
    EXPECT_EQ(transport_of(name), "(HTTP)") << name;
  }
  for (const char* name : {"--log-format", "--stop-within", "--max-streams", "--ready-fd"}) {
    EXPECT_EQ(transport_of(name), "both") << name;
  }
  EXPECT_EQ(transport_of("--strict"), "(stdio)");
}

TEST(ParseCommand, TakesOneLogLevel) {
  EXPECT_EQ(serve_of({"serve", "--quiet"}).log_level, server::Severity::error);
  EXPECT_NE(error_of({"serve", "--quiet", "-v"}), "");
  EXPECT_NE(error_of({"serve", "-v", "--log-level", "info"}), "");
}

TEST(ParseCommand, LetsTheLastOfTwoWin) {
  EXPECT_EQ(serve_of({"serve", "--transport", "http", "--port", "1", "--port=2"}).http_options.port,
            2);
  EXPECT_FALSE(serve_of({"serve", "--transport", "http", "--transport", "stdio"}).http);
}

TEST(ParseCommand, ChecksValues) {
  EXPECT_EQ(error_of({"serve", "--transport", "tcp"}),
            "--transport: must be one of stdio|http, not 'tcp'");
  for (const char* port : {"65536", "-1", "0x50", " 80", "80 ", "8o", "1e3"}) {
    EXPECT_EQ(error_of({"serve", "--transport", "http", "--port", port}),
              "--port: must be a whole number from 0 to 65535, not '" + std::string(port) + "'");
  }
  EXPECT_EQ(error_of({"serve", "--ready-fd", "1"}),
            "--ready-fd: must be a whole number from 3 to 2147483647, not '1'");
  EXPECT_EQ(error_of({"serve", "--transport", "http", "--threads", "0"}),
            "--threads: must be a whole number from 1 to 256, not '0'");
  EXPECT_EQ(error_of({"serve", "--legacy", "none"}),
            "--legacy: must be one of both|sessions|stateless, not 'none'");
}

TEST(ParseCommand, KeepsHttpOptionsToHttp) {
  EXPECT_EQ(error_of({"serve", "--port", "80"}), "--port needs --transport http");
  EXPECT_EQ(error_of({"serve", "--host", "127.0.0.1"}), "--host needs --transport http");
  EXPECT_EQ(error_of({"serve", "--transport", "stdio", "--path", "/x"}),
            "--path needs --transport http");
  EXPECT_EQ(error_of({"serve", "--port-file", "f"}), "--port-file needs --transport http");
}

TEST(ParseCommand, TellsHelpAndVersionApart) {
  const auto topic = [](std::initializer_list<const char*> words) {
    const auto parsed = parse(words);
    const auto* help = parsed ? std::get_if<HelpCommand>(&*parsed) : nullptr;
    return help == nullptr ? std::vector<std::string>{"no help"} : help->path;
  };
  EXPECT_THAT(topic({}), IsEmpty());
  EXPECT_THAT(topic({"--help"}), IsEmpty());
  EXPECT_THAT(topic({"help"}), IsEmpty());
  EXPECT_THAT(topic({"help", "serve"}), ElementsAre("serve"));
  EXPECT_THAT(topic({"help", "help"}), ElementsAre("help"));
  EXPECT_THAT(topic({"help", "--help"}), ElementsAre("help"));
  EXPECT_THAT(topic({"serve", "-h"}), ElementsAre("serve"));
  EXPECT_THAT(topic({"completion", "--help"}), ElementsAre("completion"));
  EXPECT_TRUE(std::holds_alternative<VersionCommand>(parse({"-v"}).value()));
  EXPECT_TRUE(std::holds_alternative<VersionCommand>(parse({"--version"}).value()));
}

TEST(ParseCommand, ReadsTheSmallCommands) {
  EXPECT_TRUE(std::get<DemoCommand>(parse({"demo", "--json"}).value()).json);
  EXPECT_FALSE(std::get<DemoCommand>(parse({"demo"}).value()).json);
  EXPECT_EQ(std::get<CompletionCommand>(parse({"completion", "fish"}).value()).shell, Shell::fish);
  EXPECT_EQ(error_of({"completion"}), "completion needs a shell: bash, zsh or fish");
  EXPECT_EQ(error_of({"completion", "csh"}), "SHELL: must be one of bash|zsh|fish, not 'csh'");
}

TEST(CommandModel, DescribesWhatTheParserTakes) {
  const CommandModel model = command_model();
  ASSERT_NE(model.find("serve"), nullptr);
  ASSERT_NE(model.find("completion"), nullptr);
  const CommandModel& serve = *model.find("serve");
  const auto option = [&](std::string_view name) {
    for (const OptionModel& each : serve.options) {
      if (each.names.back() == name) return each;
    }
    ADD_FAILURE() << "no option " << name;
    return OptionModel{};
  };
  EXPECT_THAT(option("--transport").choices(), ElementsAre("stdio", "http"));
  EXPECT_EQ(option("--transport").default_text, "stdio");
  EXPECT_EQ(option("--port-file").value, "FILE");
  EXPECT_FALSE(option("--resume").takes_value());
  EXPECT_TRUE(option("--allow-host").repeats);
  EXPECT_FALSE(option("--host").repeats);
  EXPECT_THAT(option("--verbose").names, ElementsAre("-v", "--verbose"));
  ASSERT_EQ(model.find("completion")->positionals.size(), 1u);
  EXPECT_THAT(model.find("completion")->positionals[0].choices(),
              ElementsAre("bash", "zsh", "fish"));
}

TEST(ParseCommand, ReadsProxies) {
  const auto parsed = parse({"proxy", "--profile", "flaky", "--seed", "0x10", "--prefix", "p_",
                             "--hide-output-schema", "-v", "--force", "error", "--probability",
                             "10%", "--", "node", "--seed", "--"});
  ASSERT_TRUE(parsed.has_value());
  const auto& proxy = std::get<ProxyCommand>(*parsed);
  EXPECT_EQ(proxy.force, "error");
  EXPECT_EQ(proxy.probability, "10%");
  EXPECT_THAT(proxy.command, ElementsAre("node", "--seed", "--"));
  EXPECT_EQ(proxy.profile, "flaky");
  EXPECT_EQ(proxy.seed, "0x10");
  EXPECT_EQ(proxy.prefix, "p_");
  EXPECT_TRUE(proxy.hide_output_schema && proxy.verbose);
  EXPECT_THAT(error_of({"proxy"}), testing::HasSubstr("needs a server"));
  EXPECT_THAT(error_of({"proxy", "--"}), testing::HasSubstr("no place here"));
  const auto http = parse({"proxy", "--transport", "http", "--port", "0", "--upstream-url",
                           "http://localhost:1/mcp/?k=a%20b", "--auth", "refuse"});
  ASSERT_TRUE(http.has_value()) << http.error().message;
  EXPECT_EQ(std::get<ProxyCommand>(*http).url, "http://localhost:1/mcp/?k=a%20b");
  EXPECT_THAT(error_of({"proxy", "--upstream-url", "http://x/"}), testing::HasSubstr("needs"));
  EXPECT_THAT(error_of({"proxy", "--port", "0", "--", "x"}), testing::HasSubstr("needs"));
  EXPECT_THAT(error_of({"proxy", "--transport", "http", "--host", "0.0.0.0", "--", "x"}),
              testing::HasSubstr("every interface"));
  EXPECT_THAT(error_of({"proxy", "--prefix", "a b", "--", "x"}), testing::HasSubstr("letters"));
  EXPECT_THAT(error_of({"proxy", "-v", "--quiet", "--", "x"}), testing::HasSubstr("exclude"));
  EXPECT_THAT(error_of({"proxy", "--probability", "1/2", "--", "x"}),
              testing::HasSubstr("needs --force"));
  EXPECT_THAT(error_of({"proxy", "--sead", "1", "--", "x"}), testing::HasSubstr("--seed"));
}

TEST(ParseCommand, KeepsTheWordsOfTheServerWithoutFaults) {
  const ServeCommand serve =
      serve_of({"serve", "--tools", "examples", "--profile", "flaky", "--seed=7", "--strict",
                "--force", "error", "--probability", "1/2", "--record=cases", "--ready-fd", "7"});
  EXPECT_THAT(serve.plain, ElementsAre("--tools", "examples", "--strict"));
  EXPECT_TRUE(serve.examples);
  EXPECT_FALSE(serve.fault_tools);
  EXPECT_EQ(serve.profile, "flaky");
  EXPECT_EQ(serve.seed, "7");
  EXPECT_EQ(serve.force, "error");
  EXPECT_EQ(serve.probability, "1/2");
  EXPECT_EQ(serve.record, "cases");
  EXPECT_EQ(serve.ready_fd, 7);
  EXPECT_EQ(error_of({"serve", "--probability", "1/2"}), "--probability needs --force");
}

}  // namespace
}  // namespace squall::cli
