#include "golden_bench.h"

#include <charconv>

#include "squall/base/assert.h"
#include "squall/base/text.h"

#include "fixture_registry.h"

namespace squall::server::golden {

namespace {

using std::chrono::milliseconds;

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::size_t count(std::string_view text) { return static_cast<std::size_t>(number(text)); }

using Setter = std::function<void(BenchOptions&, const std::string&)>;

const std::map<std::string_view, Setter>& setters() {
  static const std::map<std::string_view, Setter> all{
      {"resume", [](auto& o, auto&) { o.engine.resume.enabled = true; }},
      {"resume-events", [](auto& o, auto& v) { o.engine.resume.events_max = count(v); }},
      {"resume-bytes", [](auto& o, auto& v) { o.engine.resume.bytes_max = count(v); }},
      {"resume-keep", [](auto& o, auto& v) { o.engine.resume.keep = milliseconds(number(v)); }},
      {"retry", [](auto& o, auto& v) { o.engine.resume.retry = milliseconds(number(v)); }},
      {"legacy",
       [](auto& o, auto& v) {
         o.engine.legacy = v == "sessions"    ? Legacy::sessions
                           : v == "stateless" ? Legacy::stateless
                                              : Legacy::both;
       }},
      {"strict", [](auto& o, auto&) { o.engine.strict = true; }},
      {"sessions-max", [](auto& o, auto& v) { o.engine.sessions_max = count(v); }},
      {"session-idle", [](auto& o, auto& v) { o.engine.session_idle = milliseconds(number(v)); }},
      {"listens-max", [](auto& o, auto& v) { o.engine.listens_max = count(v); }},
      {"subscriptions-max", [](auto& o, auto& v) { o.engine.subscriptions_max = count(v); }},
      {"requests-max", [](auto& o, auto& v) { o.engine.requests_max = count(v); }},
      {"state-ttl", [](auto& o, auto& v) { o.engine.state_ttl = std::chrono::seconds(number(v)); }},
      {"page-size", [](auto& o, auto& v) { o.compile.page_size = count(v); }},
      {"ttl-ms", [](auto& o, auto& v) { o.compile.ttl_ms = number(v); }},
      {"public", [](auto& o, auto&) { o.compile.cache_public = true; }},
      {"no-list-changed", [](auto& o, auto&) { o.compile.list_changed = false; }},
      {"no-subscribe", [](auto& o, auto&) { o.compile.subscribe = false; }},
      {"no-logging", [](auto& o, auto&) { o.compile.logging = false; }},
      {"allow-host", [](auto& o, auto& v) { o.http.allow_hosts.push_back(v); }},
      {"allow-origin", [](auto& o, auto& v) { o.http.allow_origins.push_back(v); }},
      {"body-max", [](auto& o, auto& v) { o.http.http.body_bytes_max = count(v); }},
      {"line-max", [](auto& o, auto& v) { o.lines.line_bytes_max = count(v); }},
      {"headers", [](auto& o, auto&) { o.all_headers = true; }},
      {"tasks", [](auto& o, auto&) { o.tasks = true; }},
      {"tasks-max", [](auto& o, auto& v) { o.engine.tasks.tasks_max = count(v); }},
      {"task-ttl", [](auto& o, auto& v) { o.engine.tasks.ttl = milliseconds(number(v)); }},
      {"bare", [](auto& o, auto&) { o.bare = true; }}};
  return all;
}

Registry bare_registry() {
  mcp::Implementation info;
  info.name = "bare";
  info.version = "1";
  Registry registry(info);
  registry.tool("one").describe("The only one").handle([](Context&) {
    return ToolResult::text("one");
  });
  return registry;
}

std::shared_ptr<const Pipeline> compiled(const BenchOptions& options) {
  Registry registry = options.bare ? bare_registry() : test::fixture_registry();
  if (options.tasks) test::add_task_tools(registry);
  auto pipeline = registry.compile(options.compile);
  SQUALL_ASSERT(pipeline.has_value());
  return *pipeline;
}

}  // namespace

Result<BenchOptions> read_options(const Script::Pairs& options) {
  BenchOptions out;
  for (const auto& [name, value] : options) {
    const auto it = setters().find(name);
    if (it == setters().end()) return fail(ErrorKind::invalid, "no option \"" + name + "\"");
    it->second(out, value);
  }
  return out;
}

Bench::Bench(BenchOptions options)
    : options_(std::move(options)),
      loop_(runtime::SimulatedLoop::make()),
      engine_(std::make_unique<Engine>(compiled(options_), options_.engine)),
      endpoint_(make_http_endpoint(*loop_, *engine_, options_.http)),
      server_(std::make_unique<transport::HttpServer>(*loop_, *endpoint_, options_.http.http)) {}

Bench::~Bench() = default;

Lane* Bench::find(const std::string& name) {
  for (const auto& lane : lanes_) {
    if (lane->name == name) return lane.get();
  }
  return nullptr;
}

LineLane& Bench::line_lane(const std::string& name) {
  if (Lane* lane = find(name)) return dynamic_cast<LineLane&>(*lane);
  auto [near, far] = runtime::make_stream_pair(*loop_);
  auto& channel = channels_[name];
  channel = make_channel_endpoint(*loop_, *engine_,
                                  transport::make_line_channel(std::move(near), options_.lines));
  channel->on_done([this, name] { facts_.push_back((name.empty() ? name : name + " ") + "done"); });
  auto lane = std::make_unique<LineLane>(name);
  lane->connect(std::move(far));
  LineLane& made = *lane;
  lanes_.push_back(std::move(lane));
  return made;
}

HttpLane& Bench::http_lane(const std::string& name) {
  Lane* known = find(name);
  if (known == nullptr) {
    lanes_.push_back(std::make_unique<HttpLane>(name, options_.all_headers));
    known = lanes_.back().get();
  }
  auto& lane = dynamic_cast<HttpLane&>(*known);
  if (!lane.connected()) {
    auto [near, far] = runtime::make_stream_pair(*loop_);
    server_->accept(std::move(near));
    lane.reset();
    lane.connect(std::move(far));
  }
  return lane;
}

void Bench::settle() {
  while (loop_->run_ready()) {
  }
}

bool Bench::change(std::string_view what) {
  if (what == "tools changed") {
    engine_->tools_changed();
  } else if (what == "prompts changed") {
    engine_->prompts_changed();
  } else if (what == "resources changed") {
    engine_->resources_changed();
  } else if (what.starts_with("updated ")) {
    engine_->resource_updated(what.substr(8));
  } else {
    return false;
  }
  return true;
}

bool Bench::run(std::string_view command, std::vector<std::string>& facts) {
  const std::size_t blank = command.find(' ');
  const std::string_view verb = command.substr(0, blank);
  const std::string name(blank == std::string_view::npos ? "" : command.substr(blank + 1));
  Lane* lane = find(name);
  bool known = true;
  if (verb == "wait") {
    loop_->advance(milliseconds(number(name)));
  } else if (command == "end streams") {
    engine_->end_streams();
  } else if (verb == "stop") {
    engine_->end_streams();
    settle();
    endpoint_->stop(name == "all");
  } else if (verb == "sessions") {
    facts.push_back("sessions " + std::to_string(engine_->session_count()));
  } else if (verb == "close" && lane != nullptr) {
    lane->close();
  } else if (verb == "finish" && lane != nullptr) {
    lane->finish();
  } else if (verb == "end" && channels_.contains(name)) {
    channels_[name]->end();
  } else {
    known = change(command);
  }
  settle();
  facts.insert(facts.end(), facts_.begin(), facts_.end());
  facts_.clear();
  return known;
}

}  // namespace squall::server::golden
