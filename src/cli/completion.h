#pragma once

#include <string>

#include "command.h"
#include "model.h"

namespace squall::cli {

/// A script that makes `shell` complete what `model` describes.
[[nodiscard]] std::string completion_script(const CommandModel& model, Shell shell);

}  // namespace squall::cli
