#pragma once

#include <string>
#include <string_view>

#include "squall/base/result.h"

namespace squall::report {

/// `bytes` in the zlib format, as small as it goes; a browser's DecompressionStream("deflate")
/// reads it.
[[nodiscard]] Result<std::string> deflate(std::string_view bytes);

}  // namespace squall::report
