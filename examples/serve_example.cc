#include "serve_example.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "squall/server/serve.h"

namespace examples {

namespace {

/// Writes the port in one step: whoever finds the file finds all of it.
void write_port_file(const std::filesystem::path& file, std::uint16_t port) {
  const std::filesystem::path unfinished = file.string() + ".part";
  std::ofstream(unfinished) << port << '\n';
  std::error_code failed;
  std::filesystem::rename(unfinished, file, failed);
  if (failed) std::fprintf(stderr, "cannot write %s\n", file.c_str());
}

[[noreturn]] void usage(const char* program) {
  std::fprintf(stderr,
               "usage: %s [--transport stdio|http] [--host 127.0.0.1] [--port N] [--path /mcp]\n"
               "          [--port-file FILE] [--state FILE] [--flat]\n",
               program);
  std::exit(2);
}

}  // namespace

Arguments read_arguments(int argc, char** argv) {
  Arguments out;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--flat") {
      out.flat = true;
      continue;
    }
    if (i + 1 == argc) usage(argv[0]);
    const char* value = argv[++i];
    if (name == "--transport") {
      out.http = std::string_view(value) == "http";
    } else if (name == "--port") {
      out.port = static_cast<unsigned>(std::atoi(value));
    } else if (name == "--port-file") {
      out.port_file = value;
    } else if (name == "--state") {
      out.state = value;
    } else if (!(name == "--host" && std::string_view(value) == "127.0.0.1") &&
               !(name == "--path" && std::string_view(value) == "/mcp")) {
      usage(argv[0]);
    }
  }
  return out;
}

int serve(squall::server::Engine& engine, const Arguments& arguments) {
  squall::Result<void> served;
  if (arguments.http) {
    squall::server::HttpOptions options;
    options.port = static_cast<std::uint16_t>(arguments.port);
    served = squall::server::serve_http(engine, options, [&](std::uint16_t port) {
      std::fprintf(stderr, "http://127.0.0.1:%u/mcp\n", unsigned{port});
      if (arguments.port_file != nullptr) write_port_file(arguments.port_file, port);
    });
  } else {
    served = squall::server::serve_stdio(engine);
  }
  if (served) return 0;
  std::fprintf(stderr, "%s\n", served.error().message.c_str());
  return 1;
}

}  // namespace examples
