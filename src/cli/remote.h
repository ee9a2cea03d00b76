#pragma once

#include <string>
#include <vector>

#include "squall/cli/cli.h"
#include "squall/mcp/types.h"

#include "target.h"

/// @file The commands that look at somebody else's server.

namespace squall::cli {

/// `squall inspect`, `call`, `read`, `prompt` or `listen`
struct RemoteCommand {
  enum class What { inspect, call, read, prompt, listen };
  What what = What::inspect;
  TargetWords target;
  std::string subject;             ///< the tool, URI or prompt
  std::vector<std::string> words;  ///< "key=value"; of `listen`, resources
  std::string args;                ///< JSON; "": none
  bool json = false;
  bool raw = false;         ///< show each message on stderr
  bool verbose = false;     ///< and what is odd, progress, and what the server says by itself
  bool no_browser = false;  ///< print the address where a person has to go
  std::string client_id;    ///< the account at the authorization server; "": ours, or registered
  mcp::LogLevel log_level = mcp::LogLevel::info;  ///< of `listen`
};

/// Connects, does it, and prints what came of it: 0 a result, 2 a tool's error, 3 a protocol error
/// or a loss, 4 a timeout, 1 when it could not be started. A signal ends it politely: `listen` with
/// 0, the others with 3.
[[nodiscard]] Exit visit_server(const RemoteCommand& command, Console& console);

}  // namespace squall::cli
