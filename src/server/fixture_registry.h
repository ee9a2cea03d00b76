#pragma once

#include "squall/server/registry.h"

namespace squall::server::test {

/// A server with one of everything, for the tests: tools of every behaviour, resources, a template,
/// prompts, completers.
[[nodiscard]] Registry fixture_registry();

/// Adds tools whose calls become tasks.
void add_task_tools(Registry& registry);

}  // namespace squall::server::test
