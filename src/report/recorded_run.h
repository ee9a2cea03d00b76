#pragma once

#include <memory>
#include <string>

#include "squall/recording/case_reader.h"
#include "squall/report/run_report.h"

/// @file A conversation with our own server, in process and recorded, for tests and pictures.

namespace squall::report {

/// What a tool of that server answers: everything that a report must not take for its own.
inline constexpr const char* kHostileText =
    "</script><script>document.title='owned'</script><img src=x onerror=alert(1)> &amp; <!-- "
    "\x1b[31m";

/// Books an order twice because the first response is lost; the first `reads` are healthy. The
/// requests, answers and times are the server's own, on virtual time.
[[nodiscard]] std::shared_ptr<const recording::Case> record_double_write(int reads = 2,
                                                                         std::uint64_t seed = 7);
/// A few scenarios of it: one failed, one passed, one inconclusive.
[[nodiscard]] RunReport sample_report();
/// The same with kHostileText as its every name, file, reason and value.
[[nodiscard]] RunReport hostile_report();

}  // namespace squall::report
