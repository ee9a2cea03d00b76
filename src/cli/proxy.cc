#include "proxy.h"

#include <array>
#include <memory>
#include <utility>

#include <sys/utsname.h>

#include "squall/base/crypto.h"
#include "squall/base/text.h"
#include "squall/base/time_text.h"
#include "squall/fault/draw.h"
#include "squall/proxy/http_proxy.h"
#include "squall/proxy/stdio_proxy.h"
#include "squall/recording/case_writer.h"

#include "fail.h"
#include "forced.h"
#include "profile_file.h"
#include "ready.h"
#include "serve_rules.h"
#include "text.h"
#include "version.h"

namespace squall::cli {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

/// The faults of a run, and where they came from.
struct Faults {
  fault::Profile profile;
  json::Value schedule;  // null, or what stands in for a profile
  fault::Seed seed;
  std::string seed_from;
  std::string profile_from;
};

std::string or_else(const std::string& given, const Variables& variables, std::string_view name) {
  if (!given.empty()) return given;
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

/// A seed that nobody chose: said on the first line, so that the run can be repeated.
std::string drawn_seed() {
  std::array<unsigned char, sizeof(std::uint64_t)> bytes{};
  base::random_bytes(bytes);
  std::uint64_t bits = 0;
  for (const unsigned char byte : bytes) bits = bits << 8 | byte;
  return std::to_string(bits);
}

Result<Faults> load_faults(const ProxyCommand& command, const Variables& variables) {
  Faults out;
  out.profile_from = or_else(command.profile, variables, "SQUALL_PROFILE");
  if (out.profile_from.empty()) out.profile_from = "off";
  SQUALL_TRY(LoadedProfile loaded, load_profile_or_schedule(out.profile_from));
  out.profile = std::move(loaded.profile);
  out.schedule = std::move(loaded.schedule);
  if (!command.force.empty()) {
    SQUALL_TRY(out.profile, force(out.profile, command.force, command.probability));
  }
  std::vector<fault::SeedSource> sources;
  // A schedule has the seed of its run: the values that faults make up come out the same.
  if (!out.schedule.is_null() && out.profile.seed) {
    sources.push_back({"the profile", out.profile.seed->decimal()});
  }
  if (!command.seed.empty()) sources.push_back({"--seed", command.seed});
  if (const auto found = variables.find("SQUALL_SEED"); found != variables.end()) {
    sources.push_back({"SQUALL_SEED", found->second});
  }
  if (out.profile.seed) sources.push_back({"the profile", out.profile.seed->decimal()});
  if (sources.empty() && out.profile.draws()) sources.push_back({"random", drawn_seed()});
  SQUALL_TRY(const fault::ChosenSeed chosen, fault::choose_seed(out.profile, sources));
  out.seed = chosen.seed;
  out.seed_from = chosen.from;
  return out;
}

/// Values of the environment that nobody may read in a case, by the names of their variables.
std::shared_ptr<const recording::Redactor> secrets_of(const Variables& variables) {
  std::vector<recording::Secret> secrets;
  for (const auto& [name, value] : variables) {
    const std::string lower = base::to_lower(name);
    bool secret = false;
    for (const std::string_view word : {"token", "secret", "password", "passwd", "api_key",
                                        "apikey", "auth", "credential", "private"}) {
      secret = secret || lower.contains(word);
    }
    // A socket's path and the like are no secrets, and would take ordinary words with them.
    if (secret && value.size() >= recording::Redactor::kAnywhereMin && !value.starts_with('/')) {
      secrets.push_back({name, value});
    }
  }
  return std::make_shared<recording::Redactor>(secrets);
}

std::string platform() {
  utsname names{};
  if (::uname(&names) != 0) return "unknown";
  return base::to_lower(names.sysname) + " " + names.machine;
}

/// A URL's query may be a secret.
std::string shown_url(const std::string& url) {
  const std::size_t query = url.find('?');
  return query == std::string::npos ? url : url.substr(0, query) + "?...";
}

json::Value target_of(const ProxyCommand& command) {
  if (!command.url.empty()) {
    return json::Value::object({{"transport", "http"}, {"url", shown_url(command.url)}});
  }
  json::Value words = json::Value::array();
  for (const std::string& word : command.command) words.push_back(json::Value(word));
  json::Value out = json::Value::object();
  out.set("transport", "stdio").set("command", std::move(words));
  return out;
}

Result<std::unique_ptr<recording::CaseWriter>> open_case(const ProxyCommand& command,
                                                         const Faults& faults,
                                                         const std::string& folder,
                                                         runtime::Loop& loop,
                                                         const Variables& variables) {
  recording::Header header;
  header.tool = "squall " + std::string(kVersion);
  header.scheme = fault::kScheme;
  header.started = base::utc_text(loop.wall_time());
  header.platform = platform();
  if (faults.schedule.is_null()) {
    header.profile = fault::to_json(faults.profile);
  } else {
    header.schedule = faults.schedule;
  }
  if (!faults.seed_from.empty()) {
    header.seed = faults.seed.value;
    header.seed_source = faults.seed_from;
  }
  header.scope = fault::name_of(faults.profile.scope);
  header.target = target_of(command);
  header.name = "proxy";
  header.repeat = "squall proxy --profile " + shell_word(faults.profile_from);
  if (header.seed) header.repeat += " --seed " + faults.seed.decimal();
  if (command.http) header.repeat += " --transport http";
  if (!command.url.empty())
    header.repeat += " --upstream-url " + shell_word(shown_url(command.url));
  if (!command.command.empty()) header.repeat += " --";
  for (const std::string& word : command.command) header.repeat += " " + shell_word(word);
  const auto redactor = secrets_of(variables);
  redactor->redact(header.repeat);
  redactor->redact(header.target);
  return recording::CaseWriter::create(folder, std::move(header), redactor);
}

/// The first line, for people and scripts.
std::string first_line(const Faults& faults, const ProxyCommand& command,
                       const std::string& address, const std::string& run_id) {
  std::string line =
      "squall " + std::string(kVersion) + " proxy on " + address + ", server " +
      (command.url.empty() ? base::show_name(command.command.front()) : shown_url(command.url));
  line += " profile=" + faults.profile.name + " sha256=" + fault::hash_of(faults.profile);
  if (!faults.seed_from.empty()) {
    line += " seed=" + faults.seed.decimal() + " (" + faults.seed.hex() + ") from=" +
            std::string(faults.seed_from.starts_with("the ") ? "profile" : faults.seed_from);
  }
  line += " scheme=" + std::string(fault::kScheme);
  if (!run_id.empty()) line += " run=" + run_id;
  return line;
}

std::string summary(const inject::Injector& injector) {
  std::string out;
  for (const auto& [rule, times] : injector.fired()) {
    out += (out.empty() ? "" : ", ") + rule + " " + std::to_string(times);
  }
  return out.empty() ? "no fault struck" : "struck: " + out;
}

/// What both kinds of proxies are told and tell.
struct Run {
  const ProxyCommand& command;
  Console& console;
  Variables variables;
  Faults faults;
  std::unique_ptr<runtime::SystemLoop> loop = runtime::SystemLoop::make();
  std::unique_ptr<inject::Injector> injector{};
  std::unique_ptr<recording::CaseWriter> record{};
  runtime::TimePoint began = loop->now();

  template <typename Options>
  void set_up(Options& options) {
    options.relay.recorder = record.get();
    options.relay.prefix = command.prefix;
    options.relay.hide_output_schema = command.hide_output_schema;
    options.tell = [this](std::string_view line) {
      console.err("squall: " + std::string(line) + "\n");
    };
    if (command.verbose) options.detail = options.tell;
    if (!record) return;
    options.on_learned = [this](const json::Value& server, const std::string& tools) {
      static_cast<void>(record->learn(server, tools));
    };
  }
  [[nodiscard]] runtime::ProcessOptions process() const {
    runtime::ProcessOptions out;
    out.command = command.command;
    // The client has set the environment up for the server: it gets all of ours.
    for (const auto& [name, value] : variables) {
      if (!name.starts_with("SQUALL_")) out.environment.emplace_back(name, value);
    }
    return out;
  }
  [[nodiscard]] Result<void> announce(const std::string& address) {
    if (!command.quiet) {
      console.err(first_line(faults, command, address, record ? record->id() : "") + "\n");
    }
    if (command.ready_fd >= 0) return announce_on(command.ready_fd, address);
    return {};
  }
  void finish(const std::string& why) {
    if (!command.quiet) console.err("squall: " + summary(*injector) + "\n");
    if (!record) return;
    const auto finished = record->finish(loop->now() - began, why);
    if (!finished) console.err("squall: " + finished.error().message + "\n");
    if (!command.quiet) console.err("squall: recorded " + record->folder().string() + "\n");
  }
};

Result<int> run_on_stdio(Run& run) {
  proxy::StdioOptions options;
  options.server = run.process();
  run.set_up(options);
  SQUALL_TRY(proxy::StdioStreams streams, proxy::take_standard_streams(*run.loop));
  SQUALL_CHECK(run.announce("stdio"));
  SQUALL_TRY(
      const proxy::StdioEnd end,
      proxy::run_stdio_proxy(*run.loop, *run.injector, std::move(streams), std::move(options)));
  run.finish(end.why);
  return end.exit_code;
}

Result<int> run_on_http(Run& run) {
  const ProxyCommand& command = run.command;
  proxy::HttpOptions options;
  options.host = command.host;
  options.port = command.port;
  options.path = command.path;
  options.allow_hosts = command.allow_hosts;
  options.allow_origins = command.allow_origins;
  // Whoever listens on a name of its own wants to be called by it. A wildcard is no name.
  const bool ipv6 = command.host.contains(':');
  const std::string own = ipv6 ? "[" + command.host + "]" : command.host;
  if (!is_wildcard(command.host)) options.allow_hosts.push_back(own);
  options.url = command.url;
  options.command = run.process();
  for (const std::string& header : command.headers) {
    const std::size_t colon = header.find(':');
    options.headers.emplace_back(header.substr(0, colon), base::trim(header.substr(colon + 1)));
  }
  options.refuse_authorization = command.authorization == "refuse";
  run.set_up(options);
  options.on_stderr = [&run](std::string_view bytes) { run.console.err(bytes); };
  options.on_ready = [&](std::uint16_t port) -> Result<void> {
    if (!command.port_file.empty()) SQUALL_CHECK(write_port_file(command.port_file, port));
    return run.announce("http://" + own + ":" + std::to_string(port) + command.path);
  };
  SQUALL_TRY(const std::string why,
             proxy::run_http_proxy(*run.loop, *run.injector, std::move(options)));
  run.finish(why);
  return 0;
}

Result<int> run_proxy(const ProxyCommand& command, Console& console) {
  const Variables variables = console.environment();
  SQUALL_TRY(Faults faults, load_faults(command, variables));
  if (command.ready_fd >= 0) SQUALL_CHECK(check_descriptor(command.ready_fd));
  Run run{command, console, variables, std::move(faults)};
  const std::string folder = or_else(command.record, variables, "SQUALL_RECORD");
  inject::InjectorOptions options;
  options.record = !folder.empty();
  options.surroundings.transport = command.http ? fault::Transport::http : fault::Transport::stdio;
  SQUALL_TRY(run.injector, inject::Injector::make(run.faults.profile, run.faults.seed, options));
  if (!folder.empty()) {
    SQUALL_TRY(run.record, open_case(command, run.faults, folder, *run.loop, variables));
  }
  return command.http ? run_on_http(run) : run_on_stdio(run);
}

}  // namespace

Exit proxy(const ProxyCommand& command, Console& console) {
  const auto code = run_proxy(command, console);
  return code ? static_cast<Exit>(*code) : complain(console, code.error());
}

}  // namespace squall::cli
