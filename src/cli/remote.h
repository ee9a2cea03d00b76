#pragma once

#include <string>
#include <vector>

#include "squall/cli/cli.h"

#include "target.h"

/// @file The commands that look at somebody else's server.

namespace squall::cli {

/// `squall inspect`, `call`, `read` or `prompt`
struct RemoteCommand {
  enum class What { inspect, call, read, prompt };
  What what = What::inspect;
  TargetWords target;
  std::string subject;             ///< the tool, URI or prompt
  std::vector<std::string> words;  ///< "key=value"
  std::string args;                ///< JSON; "": none
  bool json = false;
  bool raw = false;  ///< show each message on stderr
};

/// Connects, does it, and prints what came of it: 0 a result, 2 a tool's error, 3 a protocol error
/// or a loss, 4 a timeout, 1 when it could not be started.
[[nodiscard]] Exit visit_server(const RemoteCommand& command, Console& console);

}  // namespace squall::cli
