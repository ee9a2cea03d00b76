#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "squall/inject/injector.h"
#include "squall/proxy/relay.h"
#include "squall/runtime/process.h"

/// @file A proxy between a client on our standard streams and a server that is our child.

namespace squall::proxy {

/// What a client sees of a server's process.
struct StdioStreams {
  std::unique_ptr<runtime::ByteStream> input;
  std::unique_ptr<runtime::ByteStream> output;
  std::unique_ptr<runtime::ByteStream> errors;  ///< may be null
  int output_fd = -1;  ///< of the same, for a grandchild that keeps them open; -1: none does
  int errors_fd = -1;
};

/// Takes standard input and output for MCP alone: what else writes to stdout goes to stderr from
/// here on, and what else reads stdin finds it empty.
[[nodiscard]] Result<StdioStreams> take_standard_streams(runtime::SystemLoop& loop);

struct StdioOptions {
  runtime::ProcessOptions server{};
  RelayOptions relay{};
  std::size_t message_bytes_max = std::size_t{64} << 20;  ///< longer lines are skipped, and told
  /// Between closed stdin, SIGTERM and SIGKILL, when the server is to end.
  std::chrono::milliseconds stop_step{2'000};
  /// What delayed messages get when one side has ended.
  std::chrono::milliseconds stop_within{5'000};
  /// SIGTERM and SIGINT end the run (the second one at once), SIGUSR1 turns faults off and on.
  bool watch_signals = true;
  std::function<void(std::string_view line)> tell{};    ///< what a person should know
  std::function<void(std::string_view line)> detail{};  ///< each message and strike; may be null
  /// The server has said who it is, or which tools it has.
  std::function<void(const json::Value& server, const std::string& tools_sha256)> on_learned{};
};

/// How a run ended.
struct StdioEnd {
  int exit_code = 0;  ///< the server's own; 128 and its signal; or what a fault made of it
  std::string why;    ///< "interrupted", or ""
};

/// Relays until the client or the server has gone. Fails when the server can't be started.
[[nodiscard]] Result<StdioEnd> run_stdio_proxy(runtime::SystemLoop& loop,
                                               inject::Injector& injector, StdioStreams streams,
                                               StdioOptions options);

}  // namespace squall::proxy
