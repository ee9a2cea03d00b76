#pragma once

#include <span>
#include <string>

#include "squall/base/result.h"
#include "squall/server/engine.h"
#include "squall/server/serve.h"

namespace everything {

struct Options {
  bool help = false;  ///< say how to call it, and nothing else
  bool http = false;  ///< serve over HTTP; else over stdin and stdout
  squall::server::HttpOptions http_options;
  squall::server::EngineOptions engine;
  std::string port_file;  ///< where to write the port once it is open; "" nowhere
};

inline constexpr const char* kUsage =
    "usage: everything [--transport stdio|http] [--host HOST] [--port PORT] [--path PATH]\n"
    "                  [--threads N] [--port-file FILE] [--resume|--no-resume]\n"
    "                  [--legacy both|sessions|stateless]\n"
    "                  [--tls-cert FILE --tls-key FILE]\n";

[[nodiscard]] squall::Result<Options> read_options(std::span<const char* const> words);

}  // namespace everything
