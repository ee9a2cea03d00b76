#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

/// @file What a server tells those who run it. (What it tells its clients is `Context::log`.)

namespace squall::server {

enum class Severity : std::uint8_t { debug, info, warning, error };

struct LogField {
  std::string_view name;
  std::variant<std::string_view, std::int64_t, double> value;
};

/// Takes what happens, from any thread. Events are few words with underscores between them:
/// "session_ended". Header values, arguments and results are never among the fields, so that no
/// secret is; a session appears by the first characters of its id.
class Log {
 public:
  virtual ~Log() = default;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// Ask before making fields that cost something.
  [[nodiscard]] bool wants(Severity severity) const noexcept { return severity >= least_; }
  void write(Severity severity, std::string_view event,
             std::initializer_list<LogField> fields = {}) {
    if (wants(severity)) take(severity, event, fields);
  }

 protected:
  explicit Log(Severity least) : least_(least) {}
  virtual void take(Severity severity, std::string_view event,
                    std::initializer_list<LogField> fields) = 0;

 private:
  Severity least_;
};

enum class LogFormat : std::uint8_t {
  text,  ///< 2026-01-01T00:00:00.000Z info session_opened session=1b9d6bcd revision=2025-11-25
  json,  ///< {"ts":"2026-01-01T00:00:00.000Z","level":"info","event":"session_opened",...}
};

/// One entry as a line of at most 4,000 bytes, all printable ASCII: other bytes of a value appear
/// as "\x1b", and a long value is cut.
[[nodiscard]] std::string log_line(LogFormat format, std::chrono::system_clock::time_point time,
                                   Severity severity, std::string_view event,
                                   std::initializer_list<LogField> fields);

/// Logs lines to `descriptor`, which stays open for as long as the log lives. Never waits for
/// whoever reads them: lines that find no room are lost, and told as "log_lines_lost" with their
/// number in front of the next that does, or when the log ends.
[[nodiscard]] std::shared_ptr<Log> make_log(LogFormat format, Severity least, int descriptor);

}  // namespace squall::server
