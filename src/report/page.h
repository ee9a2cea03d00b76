#pragma once

#include <string_view>

namespace squall::report {

/// The front end (web/report, built to one file), with kDataMark where a report's data goes.
[[nodiscard]] std::string_view page();

inline constexpr std::string_view kDataMark = "@squall-data@";

}  // namespace squall::report
