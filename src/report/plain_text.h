#pragma once

#include <string>
#include <string_view>

namespace squall::report {

/// `text` in one line without control characters, which a terminal would obey; at most `bytes_max`.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t bytes_max = 400);

/// Text and attributes of XML: escaped, and what XML can't hold as U+FFFD. `attribute` also keeps
/// line breaks and tabs from being read as spaces.
[[nodiscard]] std::string xml_escaped(std::string_view text, bool attribute);

}  // namespace squall::report
