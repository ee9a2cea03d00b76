#pragma once

#include <memory>
#include <string>

#include "squall/base/result.h"
#include "squall/lab/adapter.h"

namespace squall::lab {

/// The adapter "mcp".
[[nodiscard]] Result<std::unique_ptr<Target>> read_mcp_target(const std::string& file,
                                                              const std::string& text);

}  // namespace squall::lab
