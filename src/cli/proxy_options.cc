#include "proxy_options.h"

#include <algorithm>
#include <limits>

#include "squall/transport/url.h"

#include "options.h"
#include "serve_rules.h"

namespace squall::cli {
namespace {

constexpr std::size_t kPrefixMax = 64;

std::string check_prefix(const std::string& text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  if (!text.empty() && text.size() <= kPrefixMax && std::all_of(text.begin(), text.end(), fits)) {
    return {};
  }
  return "must be 1 to 64 letters, digits, '_', '-' or '.', as names of tools are";
}

std::string check_url(const std::string& text) {
  const auto url = transport::Url::parse(text);
  return url ? "" : url.error().message;
}

std::string check_header(const std::string& text) {
  const std::size_t colon = text.find(':');
  return colon == std::string::npos || colon == 0 ? "must be like 'NAME: VALUE'" : "";
}

/// What has a meaning for clients on HTTP alone.
constexpr const char* kHttpOnly[] = {"--host",       "--port",         "--path",
                                     "--allow-host", "--allow-origin", "--port-file"};

void add_listening(CLI::App& command, ProxyCommand& proxy, std::string& transport) {
  add_choice(command, "--transport", transport, "stdio|http", "How clients reach the proxy")
      ->default_str("stdio");
  obey(command.add_option("--host", proxy.host, "Address or name to listen on (HTTP)")
           ->type_name("HOST")
           ->default_str(proxy.host),
       check_host);
  add_number<std::uint16_t>(command, "--port", proxy.port, 0, 65535,
                            "Port to listen on; 0 takes a free one (HTTP)")
      ->default_str("3000");
  obey(command.add_option("--path", proxy.path, "Path of the endpoint (HTTP)")
           ->type_name("PATH")
           ->default_str(proxy.path),
       check_path);
  obey(command.add_option("--allow-host", proxy.allow_hosts, "Serve requests to this name (HTTP)")
           ->type_name("HOST")
           ->expected(1)
           ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll),
       check_allowed_host);
  obey(command
           .add_option("--allow-origin", proxy.allow_origins, "Serve pages of this origin (HTTP)")
           ->type_name("ORIGIN")
           ->expected(1)
           ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll),
       check_allowed_origin);
  command.add_option("--port-file", proxy.port_file, "Write the port to this file (HTTP)")
      ->type_name("FILE");
}

void add_upstream(CLI::App& command, ProxyCommand& proxy) {
  obey(command
           .add_option("--upstream-url", proxy.url,
                       "The server, used to the letter; else '-- COMMAND' last")
           ->type_name("URL"),
       check_url);
  obey(command.add_option("--header", proxy.headers, "Sent to that URL: 'NAME: VALUE'")
           ->type_name("HEADER")
           ->expected(1)
           ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll),
       check_header);
  add_choice(command, "--auth", proxy.authorization, "pass|refuse",
             "What becomes of requests with credentials (HTTP)")
      ->default_str("pass");
}

}  // namespace

void add_proxy_options(CLI::App& command, ProxyCommand& proxy, std::string& transport) {
  add_listening(command, proxy, transport);
  add_upstream(command, proxy);
  command
      .add_option("--profile", proxy.profile,
                  "The faults: a built-in profile's name, a profile or a schedule")
      ->type_name("FILE")
      ->default_str("off");
  command.add_option("--seed", proxy.seed, "The seed, decimal or 0x; wins over the profile's")
      ->type_name("N");
  command.add_option("--force", proxy.force, "A kind of fault that strikes before all others")
      ->type_name("KIND");
  command
      .add_option("--probability", proxy.probability, "How often --force strikes: 0.1, 1/10, 10%")
      ->type_name("P");
  command.add_option("--record", proxy.record, "Write a case of the run into this folder")
      ->type_name("DIR");
  obey(command.add_option("--prefix", proxy.prefix, "Put this in front of the names of tools")
           ->type_name("TEXT"),
       check_prefix);
  command.add_flag("--hide-output-schema", proxy.hide_output_schema,
                   "Leave the output schemas out of the lists of tools");
  add_number<int>(command, "--ready-fd", proxy.ready_fd, 3, std::numeric_limits<int>::max(),
                  "Write a line to this descriptor once ready, and close it");
  command.add_flag("-v,--verbose", proxy.verbose, "Tell each strike on stderr");
  command.add_flag("--quiet", proxy.quiet, "Tell errors alone");
}

Result<void> finish_proxy_options(const CLI::App& command, ProxyCommand& proxy,
                                  const std::string& transport) {
  proxy.http = transport == "http";
  if (proxy.command.empty() && proxy.url.empty()) {
    return fail(ErrorKind::invalid,
                "proxy needs a server: '-- COMMAND' at the end, or --upstream-url");
  }
  if (!proxy.command.empty() && !proxy.url.empty()) {
    return fail(ErrorKind::invalid, "--upstream-url and '-- COMMAND' exclude each other");
  }
  if (!proxy.url.empty() && !proxy.http) {
    return fail(ErrorKind::invalid, "--upstream-url needs --transport http");
  }
  for (const char* name : kHttpOnly) {
    if (proxy.http || command.get_option(name)->count() == 0) continue;
    return fail(ErrorKind::invalid, std::string(name) + " needs --transport http");
  }
  if (!proxy.headers.empty() && proxy.url.empty()) {
    return fail(ErrorKind::invalid, "--header needs --upstream-url");
  }
  if (proxy.http && is_wildcard(proxy.host) && proxy.allow_hosts.empty()) {
    return fail(ErrorKind::invalid, "--host " + proxy.host +
                                        " opens every interface: say with --allow-host which "
                                        "names clients may use");
  }
  if (!proxy.probability.empty() && proxy.force.empty()) {
    return fail(ErrorKind::invalid, "--probability needs --force");
  }
  if (proxy.quiet && proxy.verbose) {
    return fail(ErrorKind::invalid, "--quiet and --verbose exclude each other");
  }
  return {};
}

}  // namespace squall::cli
