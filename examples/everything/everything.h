#pragma once

#include "squall/server/registry.h"

/// @file The parts of the server that `main` puts together.

namespace everything {

/// Tools that only give: text, images, sound, logs, progress.
void add_content_tools(squall::server::Registry& registry);
/// Tools that act on the connection or on what the server offers.
void add_connection_tools(squall::server::Registry& registry);
/// Tools that ask the client's user, model or host first.
void add_input_tools(squall::server::Registry& registry);
/// Tools that need several answers, or several rounds of them.
void add_round_tools(squall::server::Registry& registry);
/// Tools whose calls become tasks.
void add_task_tools(squall::server::Registry& registry);
void add_resources(squall::server::Registry& registry);
void add_prompts(squall::server::Registry& registry);

}  // namespace everything
