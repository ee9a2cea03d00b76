// What the HTTP, stdio and memory benchmarks measure: one tool that gives its text back, with every
// check of the library on.
#include <charconv>
#include <cstdio>
#include <string_view>

#include "squall/server/serve.h"

using namespace squall;
using namespace squall::server;

namespace {

struct Options {
  bool http = false;
  HttpOptions http_options;
  EngineOptions engine;
};

bool read_number(std::string_view text, std::size_t& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

bool read_option(std::string_view name, std::string_view value, Options& options) {
  std::size_t number = 0;
  if (!read_number(value, number)) return false;
  if (name == "--port") {
    options.http = true;
    options.http_options.port = static_cast<std::uint16_t>(number);
  } else if (name == "--sessions") {
    options.engine.sessions_max = number;
  } else if (name == "--listens") {
    options.engine.listens_max = number;
  } else if (name == "--body") {
    options.http_options.http.body_bytes_max = number;
  } else if (name == "--resume") {
    options.engine.resume.enabled = number != 0;
  } else {
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc || !read_option(argv[i], argv[i + 1], options)) {
      std::fprintf(stderr, "usage: echo_server [--port|--sessions|--listens|--body|--resume N]\n");
      return 2;
    }
  }
  Registry registry({.name = "echo-server", .version = "1.0.0"});
  registry.tool("echo")
      .describe("Gives its text back.")
      .input(R"({"type": "object", "properties": {"text": {"type": "string"}},
                 "required": ["text"], "additionalProperties": false})")
      .handle([](Context& context) { return ToolResult::text(context.text("text")); });
  const auto pipeline = registry.compile();
  if (!pipeline) {
    std::fprintf(stderr, "%s\n", pipeline.error().message.c_str());
    return 1;
  }
  Engine engine(*pipeline, options.engine);
  const auto served = options.http ? serve_http(engine, options.http_options, [](std::uint16_t) {})
                                   : serve_stdio(engine);
  if (!served) std::fprintf(stderr, "%s\n", served.error().message.c_str());
  return served ? 0 : 1;
}
