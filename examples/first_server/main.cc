// The smallest server: one tool, on stdio or, with a port, over HTTP.
#include <charconv>
#include <cstdio>
#include <string_view>

#include "squall/server/serve.h"

using namespace squall;
using namespace squall::server;

namespace {

bool read_port(std::string_view text, std::uint16_t& port) {
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, port);
  return error == std::errc() && end == last;
}

}  // namespace

int main(int argc, char** argv) {
  Registry registry({.name = "first-server", .version = "1.0.0"});
  registry.tool("greet")
      .describe("Greets somebody.")
      .input(R"({"type": "object",
                 "properties": {"name": {"type": "string", "minLength": 1}},
                 "required": ["name"]})")
      .handle([](Context& context) {
        return ToolResult::text("Hello, " + std::string(context.text("name")) + "!");
      });

  const auto pipeline = registry.compile();  // every mistake of the lines above, at once
  if (!pipeline) {
    std::fprintf(stderr, "%s\n", pipeline.error().message.c_str());
    return 1;
  }
  Engine engine(*pipeline);

  Result<void> served;
  if (argc > 1) {
    HttpOptions options;
    if (!read_port(argv[1], options.port)) {
      std::fprintf(stderr, "usage: first_server [PORT]\n");
      return 2;
    }
    served = serve_http(engine, options, [](std::uint16_t port) {
      std::fprintf(stderr, "http://127.0.0.1:%d/mcp\n", port);
    });
  } else {
    served = serve_stdio(engine);
  }
  if (!served) std::fprintf(stderr, "%s\n", served.error().message.c_str());
  return served ? 0 : 1;
}
