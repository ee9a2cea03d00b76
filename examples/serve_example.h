#pragma once

#include "squall/server/engine.h"

/// @file What the small examples share: a few arguments, and serving as they say.

namespace examples {

struct Arguments {
  bool http = false;                ///< over HTTP; else over stdin and stdout
  const char* state = nullptr;      ///< where to keep what outlives the process
  bool flat = false;                ///< a tool for each action
  unsigned port = 0;                ///< 0: a free one
  const char* port_file = nullptr;  ///< where to write the port once it is open
};

/// Reads `[--transport stdio|http] [--port N] [--port-file FILE] [--state FILE] [--flat]`; ends the
/// process with a message where it can't.
[[nodiscard]] Arguments read_arguments(int argc, char** argv);

/// Serves until stdin ends or a signal arrives; gives the exit code.
[[nodiscard]] int serve(squall::server::Engine& engine, const Arguments& arguments);

}  // namespace examples
