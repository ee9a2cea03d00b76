#pragma once

#include <string>

#include "squall/base/result.h"
#include "squall/cli/cli.h"

namespace squall::cli {

/// Shows a file in the person's browser: the command in BROWSER, or else xdg-open. Doesn't wait for
/// it. Fails when there is no such program.
[[nodiscard]] Result<void> open_page(const std::string& file, const Console& console);

}  // namespace squall::cli
