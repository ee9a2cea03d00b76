#pragma once

#include "squall/cli/cli.h"

#include "command.h"

namespace squall::cli {

/// `squall serve`: until the client goes or a signal comes.
[[nodiscard]] Exit serve(const ServeCommand& command, Console& console);

/// The first line that `squall serve` prints, for people and scripts:
/// "squall 0.1.0 listening on ADDRESS transport=http legacy=both resume=off threads=1".
[[nodiscard]] std::string listening_line(const ServeCommand& command, std::string_view address);
/// "http://127.0.0.1:3000/mcp"; an IPv6 address gets its brackets.
[[nodiscard]] std::string endpoint_url(const server::HttpOptions& http, std::uint16_t port);

}  // namespace squall::cli
