#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model.h"

namespace squall::cli {

/// The help of the command that `path` leads to; as far as it leads.
[[nodiscard]] std::string help_text(const CommandModel& model, std::span<const std::string> path);

}  // namespace squall::cli
