#include "builtin_tools.h"

#include "version.h"

namespace squall::cli {

server::Registry make_builtin_registry() {
  mcp::Implementation info;
  info.name = "squall";
  info.version = kVersion;
  info.title = "Squall";
  return server::Registry(std::move(info));
}

}  // namespace squall::cli
