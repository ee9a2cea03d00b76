// A server that has one of everything: each kind of content, result, question and message of MCP.
// It is the fixture of the official conformance suite, so its names and texts are literal.

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "everything.h"
#include "options.h"

namespace {

/// Writes the port in one step: whoever finds the file finds all of it.
void write_port_file(const std::string& file, std::uint16_t port) {
  const std::string unfinished = file + ".part";
  std::ofstream(unfinished) << port << '\n';
  std::error_code failed;
  std::filesystem::rename(unfinished, file, failed);
  if (failed) std::fprintf(stderr, "everything: cannot write %s\n", file.c_str());
}

int fail(const squall::Error& error) {
  std::fprintf(stderr, "everything: %s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto words = std::span<const char* const>(argv, static_cast<std::size_t>(argc)).subspan(1);
  const auto options = everything::read_options(words);
  if (!options) {
    std::fputs(everything::kUsage, stderr);
    return fail(options.error());
  }
  if (options->help) {
    std::fputs(everything::kUsage, stdout);
    return 0;
  }

  squall::mcp::Implementation info;
  info.name = "everything";
  info.version = "0.1.0";
  info.title = "One of everything";
  squall::server::Registry registry(std::move(info));
  registry.instructions("Every tool says what it shows; none has side effects.");
  everything::add_content_tools(registry);
  everything::add_connection_tools(registry);
  everything::add_input_tools(registry);
  everything::add_round_tools(registry);
  everything::add_task_tools(registry);
  everything::add_resources(registry);
  everything::add_prompts(registry);

  const auto pipeline = registry.compile();
  if (!pipeline) return fail(pipeline.error());
  squall::server::Engine engine(*pipeline, options->engine);

  const auto on_ready = [&](std::uint16_t port) {
    const auto& http = options->http_options;
    std::fprintf(stderr, "everything: %s://%s:%u%s\n",
                 http.tls_certificate.empty() ? "http" : "https", http.host.c_str(), unsigned{port},
                 http.path.c_str());
    if (!options->port_file.empty()) write_port_file(options->port_file, port);
  };
  const auto served = options->http
                          ? squall::server::serve_http(engine, options->http_options, on_ready)
                          : squall::server::serve_stdio(engine);
  return served ? 0 : fail(served.error());
}
