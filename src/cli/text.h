#pragma once

#include <string>
#include <string_view>

namespace squall::cli {

/// What somebody typed, for an error of one line: in quotes, cut at 60 bytes, nothing but printable
/// ASCII.
[[nodiscard]] std::string quote(std::string_view typed);

/// A word as a shell takes it back.
[[nodiscard]] std::string shell_word(const std::string& word);

}  // namespace squall::cli
