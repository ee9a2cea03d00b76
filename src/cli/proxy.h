#pragma once

#include "squall/cli/cli.h"

#include "command.h"

namespace squall::cli {

/// `squall proxy`: until the client or the server goes, or a signal comes. Ends as the server did.
[[nodiscard]] Exit proxy(const ProxyCommand& command, Console& console);

}  // namespace squall::cli
