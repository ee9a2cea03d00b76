// Invoices as one tool with actions, or with --flat as a tool for each action. On stdio, or with
// --port N over HTTP.
#include <cstdio>

#include "../serve_example.h"
#include "invoices.h"

using namespace squall::server;

int main(int argc, char** argv) {
  const examples::Arguments arguments = examples::read_arguments(argc, argv);
  Registry registry({.name = "invoices", .version = "1.0.0"});
  invoices::Store store = invoices::sample_store();
  EngineOptions engine_options;
  if (arguments.state != nullptr) {
    auto state = ServerState::open(make_file_store(arguments.state));
    if (!state) {
      std::fprintf(stderr, "%s\n", state.error().message.c_str());
      return 1;
    }
    engine_options.state = *state;
  }
  invoices::declare(registry, store, engine_options.state);

  CompileOptions options;
  if (arguments.flat) options.exposition = Exposition::flat;
  const auto pipeline = registry.compile(options);
  if (!pipeline) {
    std::fprintf(stderr, "%s\n", pipeline.error().message.c_str());
    return 1;
  }
  Engine engine(*pipeline, engine_options);
  return examples::serve(engine, arguments);
}
