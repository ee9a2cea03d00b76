#pragma once

#include <memory>

#include "request.h"

/// @file The three requests that run handlers and may ask the client for input.

namespace squall::server {

void call_tool(const std::shared_ptr<ServedRequest>& request);
void read_resource(const std::shared_ptr<ServedRequest>& request);
void get_prompt(const std::shared_ptr<ServedRequest>& request);

}  // namespace squall::server
