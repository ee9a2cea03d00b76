#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/inject/injector.h"
#include "squall/proxy/relay.h"
#include "squall/runtime/process.h"
#include "squall/transport/http.h"
#include "squall/transport/http_pool.h"

/// @file A proxy that clients reach over HTTP, in front of a server on HTTP or of commands.

namespace squall::proxy {

struct HttpOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: a free one
  std::string path = "/mcp";
  std::vector<std::string> allow_hosts;    ///< besides loopback names
  std::vector<std::string> allow_origins;  ///< besides loopback origins
  transport::HttpServerOptions http{};

  /// The server: a URL, which is used to the letter, or else a command. Of a command, each session
  /// gets a process of its own, and all clients without sessions (2026-07-28) share one.
  std::string url{};
  runtime::ProcessOptions command{};
  transport::HttpClientOptions client{};
  std::vector<std::pair<std::string, std::string>> headers{};  ///< sent to the URL with everything
  bool refuse_authorization = false;  ///< requests with credentials get 403; else they pass

  RelayOptions relay{};
  std::size_t message_bytes_max = std::size_t{64} << 20;
  std::size_t sessions_max = 10'000;  ///< beyond it the oldest are forgotten
  std::size_t processes_max = 256;    ///< beyond it, no new session
  std::chrono::milliseconds stop_step{2'000};
  std::chrono::milliseconds stop_within{5'000};
  bool watch_signals = true;  ///< SIGTERM, SIGINT: the end; SIGUSR1: faults off and on
  std::function<void(std::string_view line)> tell{};
  std::function<void(std::string_view line)> detail{};
  std::function<void(const json::Value& server, const std::string& tools_sha256)> on_learned{};
  /// Told the port once clients may come; an error ends the run.
  std::function<Result<void>(std::uint16_t port)> on_ready{};
  std::function<void(std::string_view bytes)> on_stderr{};  ///< of commands
};

/// Relays until a signal comes or the loop is stopped; "interrupted", or "". Fails when the address
/// can't be had or the URL is none.
[[nodiscard]] Result<std::string> run_http_proxy(runtime::SystemLoop& loop,
                                                 inject::Injector& injector, HttpOptions options);

}  // namespace squall::proxy
