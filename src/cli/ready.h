#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "squall/base/result.h"

/// @file Telling scripts that a server is ready.

namespace squall::cli {

/// Whether `descriptor` is open, so that a mistake shows before the server starts.
[[nodiscard]] Result<void> check_descriptor(int descriptor);
/// Writes "ready ADDRESS\n" to `descriptor` and closes it.
[[nodiscard]] Result<void> announce_on(int descriptor, std::string_view address);
/// Writes the port and a line feed to `file`, which appears whole or not at all.
[[nodiscard]] Result<void> write_port_file(const std::string& file, std::uint16_t port);

}  // namespace squall::cli
