#pragma once

namespace squall::cli {

/// "0.1.0", as CMakeLists.txt says.
inline constexpr const char* kVersion = SQUALL_VERSION;

}  // namespace squall::cli
