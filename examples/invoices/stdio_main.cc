// The invoices on stdio and nothing else: what docs/guides/first-server.md ends with.
#include <cstdio>

#include "squall/server/serve.h"

#include "invoices.h"

using namespace squall::server;

int main() {
  Registry registry({.name = "invoices", .version = "1.0.0"});
  invoices::Store store = invoices::sample_store();
  invoices::declare(registry, store);

  const auto pipeline = registry.compile();  // every mistake, with file and line
  if (!pipeline) {
    std::fprintf(stderr, "%s\n", pipeline.error().message.c_str());
    return 1;
  }
  Engine engine(*pipeline);
  const squall::Result<void> served = serve_stdio(engine);
  if (!served) std::fprintf(stderr, "%s\n", served.error().message.c_str());
  return served ? 0 : 1;
}
