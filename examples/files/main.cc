// The text files of a folder of its own as resources; the tool `notes` writes and removes them, and
// whoever has subscribed to a file hears when it changes.
#include <cstdio>

#include "../serve_example.h"
#include "files.h"

using namespace squall::server;

int main(int argc, char** argv) {
  const examples::Arguments arguments = examples::read_arguments(argc, argv);
  const auto folder = files::Folder::make_temporary();
  if (!folder) {
    std::fprintf(stderr, "%s\n", folder.error().message.c_str());
    return 1;
  }
  Registry registry({.name = "files", .version = "1.0.0"});
  files::declare(registry, **folder);
  const auto pipeline = registry.compile();
  if (!pipeline) {
    std::fprintf(stderr, "%s\n", pipeline.error().message.c_str());
    return 1;
  }
  Engine engine(*pipeline);
  return examples::serve(engine, arguments);
}
