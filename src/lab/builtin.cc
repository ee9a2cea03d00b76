#include "squall/lab/builtin.h"

#include <utility>

#include "squall/inject/example_tools.h"
#include "squall/inject/fault_tools.h"
#include "squall/json/strict.h"
#include "squall/server/engine.h"
#include "squall/server/serve.h"
#include "squall/transport/channel.h"
#include "squall/transport/http.h"

#include "client_subject.h"

namespace squall::lab {

namespace {

using Pipeline = std::shared_ptr<const server::Pipeline>;

/// What the liveness tool finds, told to the run under way.
class LivenessNotes final : public inject::LivenessRecorder {
 public:
  void record(const inject::LivenessEvent& event) override {
    if (wire_ == nullptr) return;
    wire_->on_note("protocol_ping_liveness", "ping " + std::string(event.ping) + ", transport " +
                                                 std::string(event.transport));
  }
  void tell(Wire* wire) { wire_ = wire; }

 private:
  Wire* wire_ = nullptr;
};

Result<Pipeline> compile(const BuiltinTools& tools, inject::FaultToolOptions::Transport transport,
                         std::shared_ptr<inject::LivenessRecorder> recorder) {
  mcp::Implementation info;
  info.name = "squall";
  info.version = "1";
  server::Registry registry(std::move(info));
  inject::FaultToolOptions options;
  options.transport = transport;
  options.recorder = std::move(recorder);
  if (tools.fault) inject::add_fault_tools(registry, options);
  if (tools.examples) {
    inject::add_example_tools(registry);
    registry.resource("example://readme", "readme")
        .describe("What the example tools are for.")
        .mime_type("text/plain")
        .handle([](server::Context&) {
          return server::ResourceResult(server::ResourceContents::of_text(
              "text/plain", "Three tools: any other answer is a fault's."));
        });
  }
  return registry.compile();
}

/// Virtual time belongs to one thread, and on another there is nothing that would block.
server::EngineOptions engine_options() {
  server::EngineOptions options;
  options.blocking.threads = 0;
  return options;
}

/// A server over HTTP: real sockets on the machine's loop, memory on a simulated one.
class HttpPath final : public Path {
 public:
  HttpPath(const Place& place, Pipeline pipeline, LivenessNotes& notes)
      : place_(place), notes_(notes), engine_(std::move(pipeline), engine_options()) {
    endpoint_ = server::make_http_endpoint(*place_.loop, engine_, server::HttpOptions());
    http_ = std::make_unique<transport::HttpServer>(*place_.loop, *endpoint_);
  }
  ~HttpPath() override { notes_.tell(nullptr); }

  Result<void> listen() { return http_->listen({}); }
  void tell(Wire& wire) override { notes_.tell(&wire); }

  std::unique_ptr<Subject> connect(Wire& wire) override {
    ClientSubjectOptions options;
    options.transport = "http";
    options.peer = "127.0.0.1";
    options.client.negotiation = negotiation_of(place_.protocol);
    options.learns_tools = false;  // none of the fault tools has headers or an output schema
    options.make_link = [this]() -> Result<std::unique_ptr<client::Link>> {
      SQUALL_TRY(auto link,
                 client::over_http(*place_.loop,
                                   "http://127.0.0.1:" + std::to_string(http_->port()) + "/mcp"));
      if (place_.wrap) return place_.wrap(std::move(link));
      return link;
    };
    return make_client_subject(*place_.loop, wire, std::move(options));
  }

 private:
  Place place_;
  LivenessNotes& notes_;
  server::Engine engine_;
  std::unique_ptr<server::HttpEndpoint> endpoint_;
  std::unique_ptr<transport::HttpServer> http_;
};

/// A server on the other end of a pair of channels, one for each connection.
class ChannelPath final : public Path {
 public:
  ChannelPath(const Place& place, Pipeline pipeline, LivenessNotes& notes)
      : place_(place), notes_(notes), engine_(std::move(pipeline), engine_options()) {}
  ~ChannelPath() override { notes_.tell(nullptr); }

  void tell(Wire& wire) override { notes_.tell(&wire); }

  std::unique_ptr<Subject> connect(Wire& wire) override {
    ClientSubjectOptions options;
    options.transport = "in_process";
    options.peer = "squall";
    options.client.negotiation = negotiation_of(place_.protocol);
    options.make_link = [this]() -> Result<std::unique_ptr<client::Link>> {
      auto [near, far] = transport::make_channel_pair(*place_.loop);
      endpoints_.push_back(server::make_channel_endpoint(*place_.loop, engine_, std::move(far)));
      auto link = client::over_channel(*place_.loop, std::move(near));
      if (place_.wrap) return place_.wrap(std::move(link));
      return link;
    };
    return make_client_subject(*place_.loop, wire, std::move(options));
  }

 private:
  Place place_;
  LivenessNotes& notes_;
  server::Engine engine_;
  std::vector<std::unique_ptr<server::ChannelEndpoint>> endpoints_;
};

class BuiltinTarget final : public Target {
 public:
  explicit BuiltinTarget(const BuiltinTools& tools) : tools_(tools) {}

  [[nodiscard]] std::string_view adapter() const override { return "builtin"; }
  [[nodiscard]] bool external() const override { return false; }
  [[nodiscard]] std::string describe() const override { return "built-in"; }
  [[nodiscard]] json::Value to_json() const override {
    if (tools_.fault && !tools_.examples) return {};
    json::Value names = json::Value::array();
    if (tools_.fault) names.push_back("fault");
    if (tools_.examples) names.push_back("examples");
    json::Value config = json::Value::object();
    config.set("tools", std::move(names));
    return json::Value::object({{"adapter", "builtin"}, {"config", std::move(config)}});
  }

  Result<std::unique_ptr<Path>> open(const Place& place) override {
    using Transport = inject::FaultToolOptions::Transport;
    if (place.protocol == Protocol::legacy) {
      if (!in_process_) {
        SQUALL_TRY(in_process_, compile(tools_, Transport::in_process, notes_));
      }
      return std::make_unique<ChannelPath>(place, in_process_, *notes_);
    }
    if (!http_) {
      SQUALL_TRY(http_, compile(tools_, Transport::http, notes_));
    }
    auto path = std::make_unique<HttpPath>(place, http_, *notes_);
    SQUALL_CHECK(path->listen());
    return path;
  }

 private:
  const BuiltinTools tools_;
  // Shared with the tools, which outlive their call by nobody's promise.
  std::shared_ptr<LivenessNotes> notes_ = std::make_shared<LivenessNotes>();
  Pipeline http_;
  Pipeline in_process_;
};

}  // namespace

std::unique_ptr<Target> make_builtin_target(const BuiltinTools& tools) {
  return std::make_unique<BuiltinTarget>(tools);
}

Result<std::unique_ptr<Target>> read_builtin_target(const std::string& file,
                                                    const std::string& text) {
  SQUALL_TRY(auto strict, json::StrictFile::parse(file, text));
  json::StrictObject object(strict.root());
  static_cast<void>(object.find("adapter"));
  BuiltinTools tools;
  if (const auto config = object.find("config")) {
    json::StrictObject inner(*config);
    if (const auto names = inner.find("tools")) {
      tools = {false, false};
      for (const json::StrictNode& name : names->elements()) {
        (name.choice({"fault", "examples"}) == 0 ? tools.fault : tools.examples) = true;
      }
    }
    inner.finish();
  }
  object.finish();
  SQUALL_CHECK(strict.verdict());
  return make_builtin_target(tools);
}

}  // namespace squall::lab
