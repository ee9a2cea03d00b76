#include "serve.h"

#include <filesystem>
#include <memory>
#include <system_error>

#include <unistd.h>

#include "squall/inject/example_tools.h"
#include "squall/inject/fault_tools.h"
#include "squall/server/engine.h"

#include "builtin_tools.h"
#include "fail.h"
#include "proxy.h"
#include "ready.h"
#include "serve_rules.h"
#include "trace.h"
#include "version.h"

namespace squall::cli {
namespace {

std::string_view name_of(server::Legacy legacy) {
  switch (legacy) {
    case server::Legacy::sessions:
      return "sessions";
    case server::Legacy::stateless:
      return "stateless";
    case server::Legacy::both:
      break;
  }
  return "both";
}

/// A host as it stands in a URL: an IPv6 address gets its brackets.
std::string in_url(const std::string& host) {
  return host.find(':') != std::string::npos ? "[" + host + "]" : host;
}

void log_listening(const ServeCommand& command, std::string_view address) {
  command.engine.log->write(server::Severity::info, "listening",
                            {{"version", kVersion},
                             {"url", address},
                             {"transport", command.http ? "http" : "stdio"},
                             {"legacy", name_of(command.engine.legacy)},
                             {"resume", command.engine.resume.enabled ? "on" : "off"},
                             {"threads", static_cast<std::int64_t>(command.http_options.threads)}});
}

/// Tells everyone who asked that the server can be reached at `address`.
Result<void> announce(const ServeCommand& command, Console& console, std::string_view address) {
  if (command.engine.log->wants(server::Severity::info)) {
    if (command.log_format == server::LogFormat::text) {
      console.err(listening_line(command, address) + "\n");
    } else {
      log_listening(command, address);
    }
  }
  if (command.ready_fd < 0) return {};
  return announce_on(command.ready_fd, address);
}

Result<void> serve_over_http(const ServeCommand& command, server::Engine& engine,
                             Console& console) {
  server::HttpOptions http = command.http_options;
  // Whoever listens on a name of its own wants to be called by it. A wildcard is no name.
  const std::string own = in_url(http.host);
  if (!is_wildcard(http.host) && server::is_host_and_port(own)) http.allow_hosts.push_back(own);
  // Without it nobody would learn where to call.
  const auto on_ready = [&](std::uint16_t port) -> Result<void> {
    if (!command.port_file.empty()) SQUALL_CHECK(write_port_file(command.port_file, port));
    return announce(command, console, endpoint_url(http, port));
  };
  return server::serve_http(engine, http, on_ready);
}

Result<void> serve_over_stdio(const ServeCommand& command, server::Engine& engine,
                              Console& console) {
  const auto on_ready = [&] { return announce(command, console, "stdio"); };
  server::StdioOptions stdio;
  stdio.stop_within = command.http_options.stop_within;
  return server::serve_stdio(engine, on_ready, stdio);
}

inject::FaultToolOptions fault_tools(bool http) {
  using Transport = inject::FaultToolOptions::Transport;
  inject::FaultToolOptions options;
  options.transport = http ? Transport::http : Transport::stdio;
  options.recorder = inject::make_liveness_log(STDERR_FILENO);
  // As a crash would: nothing is flushed, nobody is told.
  options.exit_process = [](int code) { ::_exit(code); };
  return options;
}

Result<void> serve_with(ServeCommand command, Console& console) {
  command.engine.log = server::make_log(command.log_format, command.log_level, STDERR_FILENO);
  if (command.ready_fd >= 0) SQUALL_CHECK(check_descriptor(command.ready_fd));
  server::Registry registry = make_builtin_registry();
  if (command.fault_tools) inject::add_fault_tools(registry, fault_tools(command.http));
  if (command.examples) inject::add_example_tools(registry);
  if (command.engine.log->wants(server::Severity::debug)) {
    registry.use(std::make_shared<TraceStage>(command.engine.log));
  }
  SQUALL_TRY(auto pipeline, registry.compile());
  server::Engine engine(std::move(pipeline), command.engine);
  return command.http ? serve_over_http(command, engine, console)
                      : serve_over_stdio(command, engine, console);
}

/// Whether faults are wanted, or a record of what was said: both stand between server and client.
bool wants_faults(const ServeCommand& command, const Console& console) {
  if (!command.profile.empty() || !command.force.empty() || !command.record.empty()) return true;
  const auto variables = console.environment();
  return variables.contains("SQUALL_PROFILE") || variables.contains("SQUALL_RECORD");
}

/// The same server without faults as our child, and the faults between it and the client: so they
/// are those of `squall proxy`, process faults included.
Exit serve_behind_faults(const ServeCommand& command, Console& console) {
  if (command.http) {
    return complain(
        console, {ErrorKind::invalid, "serve puts faults in front of its tools over stdio alone"});
  }
  std::error_code error;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return complain(console, {ErrorKind::unavailable, "our own program isn't found"});
  ProxyCommand proxied;
  proxied.command = {own.string(), "serve"};
  proxied.command.insert(proxied.command.end(), command.plain.begin(), command.plain.end());
  proxied.profile = command.profile;
  proxied.seed = command.seed;
  proxied.force = command.force;
  proxied.probability = command.probability;
  proxied.record = command.record;
  proxied.ready_fd = command.ready_fd;
  proxied.verbose = command.log_level == server::Severity::debug;
  proxied.quiet = command.quiet;
  return proxy(proxied, console);
}

}  // namespace

std::string endpoint_url(const server::HttpOptions& http, std::uint16_t port) {
  const std::string scheme = http.tls_certificate.empty() ? "http" : "https";
  return scheme + "://" + in_url(http.host) + ":" + std::to_string(port) + http.path;
}

std::string listening_line(const ServeCommand& command, std::string_view address) {
  std::string line = "squall " + std::string(kVersion) + " listening on " + std::string(address);
  line += command.http ? " transport=http" : " transport=stdio";
  line += " legacy=" + std::string(name_of(command.engine.legacy));
  line += command.engine.resume.enabled ? " resume=on" : " resume=off";
  return line + " threads=" + std::to_string(command.http_options.threads);
}

Exit serve(const ServeCommand& command, Console& console) {
  if (wants_faults(command, console)) return serve_behind_faults(command, console);
  const auto served = serve_with(command, console);
  return served ? Exit::passed : complain(console, served.error());
}

}  // namespace squall::cli
