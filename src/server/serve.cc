#include "squall/server/serve.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "logging.h"

namespace squall::server {

namespace {

constexpr int kFirstPrivateFd = 3;
/// What the last frames get to leave in when the time to stop is over.
constexpr std::chrono::milliseconds kLastFrames{100};

/// The first signal begins an orderly end; the second ends us here.
void begin_to_stop(const Engine& engine, int signal, bool& stopping) {
  if (std::exchange(stopping, true)) _exit(1);
  if (Log* log = log_of(engine, Severity::info)) {
    log->write(Severity::info, "stopping", {{"signal", std::int64_t{signal}}});
  }
}

void log_stopped(const Engine& engine) {
  if (Log* log = log_of(engine, Severity::info)) log->write(Severity::info, "stopped");
}

/// Takes standard input and output for MCP alone: what else writes to stdout goes to stderr from
/// here on, and what else reads stdin finds it empty.
Result<std::pair<int, int>> take_standard_streams() {
  const auto failed = [](const char* what) {
    return fail(ErrorKind::unavailable, std::string(what) + ": " + std::strerror(errno));
  };
  const int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, kFirstPrivateFd);
  if (in < 0) return failed("cannot use standard input");
  const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kFirstPrivateFd);
  if (out < 0) return failed("cannot use standard output");
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0) return failed("cannot open /dev/null");
  dup2(null, STDIN_FILENO);
  close(null);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return std::pair(in, out);
}

/// One loop with its server, on a thread of its own or the caller's.
struct Worker {
  std::unique_ptr<runtime::SystemLoop> loop = runtime::SystemLoop::make();
  std::unique_ptr<HttpEndpoint> endpoint;
  std::unique_ptr<transport::HttpServer> server;
  std::thread thread;

  ~Worker() {
    if (thread.joinable()) thread.join();
    server = nullptr;
    endpoint = nullptr;
  }
};

class HttpService {
 public:
  HttpService(Engine& engine, const HttpOptions& options) : engine_(engine), options_(options) {}

  Result<std::uint16_t> listen() {
    SQUALL_CHECK(check_allowed());
    SQUALL_CHECK(load_certificate());
    const unsigned threads = std::max(1U, options_.threads);
    std::size_t& connections = options_.http.connections_max;
    connections = std::max<std::size_t>(1, (connections + threads - 1) / threads);
    using runtime::PortUse;
    runtime::ListenOptions listen{options_.host, options_.port,
                                  threads > 1 ? PortUse::first : PortUse::alone};
    if (Log* log = log_of(engine_, Severity::warning)) {
      listen.on_exhausted = [log](const std::string& why) {
        log->write(Severity::warning, "cannot_accept", {{"why", why}});
      };
    }
    for (unsigned i = 0; i < threads; ++i) {
      Worker& worker = *workers_.emplace_back(std::make_unique<Worker>());
      worker.endpoint = make_http_endpoint(*worker.loop, engine_, options_);
      worker.server =
          std::make_unique<transport::HttpServer>(*worker.loop, *worker.endpoint, options_.http);
      SQUALL_CHECK(worker.server->listen(listen));
      listen.port = worker.server->port();
      listen.port_use = PortUse::joins;
    }
    return listen.port;
  }

  Result<void> watch_signals() {
    for (const int signal : {SIGTERM, SIGINT}) {
      SQUALL_CHECK(workers_[0]->loop->on_signal(signal, [this, signal] { stop(signal); }));
    }
    return {};
  }

  void run() {
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      workers_[i]->thread = std::thread([loop = workers_[i]->loop.get()] { loop->run(); });
    }
    workers_[0]->loop->run();
    for (const auto& worker : workers_) worker->loop->stop();
    for (const auto& worker : workers_) {
      if (worker->thread.joinable()) worker->thread.join();
    }
  }

 private:
  /// What could match nothing is a mistake, which nobody would notice but those who are refused.
  Result<void> check_allowed() const {
    for (const std::string& host : options_.allow_hosts) {
      if (is_host_and_port(host)) continue;
      return fail(ErrorKind::invalid, "cannot allow the host '" + host + "': no Host is like that");
    }
    for (const std::string& origin : options_.allow_origins) {
      if (is_origin(origin)) continue;
      return fail(ErrorKind::invalid,
                  "cannot allow the origin '" + origin + "': no Origin is like that");
    }
    return {};
  }

  Result<void> load_certificate() {
    if (options_.tls_certificate.empty()) return {};
    SQUALL_TRY(options_.http.tls,
               transport::TlsContext::load(options_.tls_certificate, options_.tls_key));
    return {};
  }

  void stop(int signal) {
    begin_to_stop(engine_, signal, stopping_);
    draining_ = workers_.size();
    engine_.end_streams();
    for (const auto& owned : workers_) {
      Worker* worker = owned.get();
      worker->loop->post([this, worker] {
        worker->endpoint->stop(false);
        worker->server->drain([this] {
          if (draining_.fetch_sub(1) == 1) workers_[0]->loop->stop();
        });
        worker->loop->call_after(options_.stop_within, [this, worker] {
          worker->endpoint->stop(true);
          worker->loop->call_after(kLastFrames, [this] { workers_[0]->loop->stop(); });
        });
      });
    }
  }

  Engine& engine_;
  HttpOptions options_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<std::size_t> draining_ = 0;
  bool stopping_ = false;
};

Result<void> save_state(const Engine& engine) {
  const auto& state = engine.options().state;
  return state ? state->save() : Result<void>();
}

}  // namespace

Result<void> serve_stdio(Engine& engine, const ReadyHandler<>& on_ready,
                         const StdioOptions& options) {
  SQUALL_TRY(const auto streams, take_standard_streams());
  const auto loop = runtime::SystemLoop::make();
  bool stopping = false;
  auto stream = loop->adopt(streams.first, streams.second, "stdio");
  const runtime::ByteStream& pipes = *stream;  // lives as long as the endpoint
  auto endpoint = make_channel_endpoint(
      *loop, engine, transport::make_line_channel(std::move(stream), options.lines));
  for (const int signal : {SIGTERM, SIGINT}) {
    SQUALL_CHECK(loop->on_signal(signal, [&, signal] {
      begin_to_stop(engine, signal, stopping);
      engine.end_streams();
      // Behind the final results of the listens, which the line above has posted.
      loop->post([&] { endpoint->stop(false); });
      loop->call_after(options.stop_within, [&] {
        endpoint->stop(true);
        loop->call_after(kLastFrames, [&] { loop->stop(); });
      });
    }));
  }
  endpoint->on_done([&] { loop->stop(); });
  SQUALL_CHECK(on_ready());
  loop->run();
  log_stopped(engine);
  SQUALL_CHECK(save_state(engine));
  if (const std::string why = pipes.what_broke(); !why.empty()) {
    return fail(ErrorKind::unavailable, "standard input and output: " + why);
  }
  return {};
}

Result<void> serve_http(Engine& engine, const HttpOptions& options,
                        const ReadyHandler<std::uint16_t>& on_ready) {
  HttpService service(engine, options);
  SQUALL_TRY(const std::uint16_t port, service.listen());
  // First the signals: whoever is told that we are ready may send one at once.
  SQUALL_CHECK(service.watch_signals());
  SQUALL_CHECK(on_ready(port));
  service.run();
  log_stopped(engine);
  return save_state(engine);
}

}  // namespace squall::server
