#include "squall/server/log.h"

#include <cstdio>

#include "squall/base/time_text.h"
#include "squall/json/write.h"
#include "squall/runtime/line_writer.h"

namespace squall::server {

namespace {

/// Of a value once it is printable. Twelve fields fit into a line.
constexpr std::size_t kValueBytesMax = 300;
constexpr std::size_t kLineBytesMax = 4'000;

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::debug:
      return "debug";
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return {};
}

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

std::string printable(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    if (out.size() >= kValueBytesMax) return out + "...";
    if (is_printable(c)) {
      out += c;
    } else {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(c));
      out += escaped;
    }
  }
  return out;
}

bool needs_quotes(std::string_view text) {
  return text.empty() || text.find_first_of(" \"=\\") != std::string_view::npos;
}

std::string number_text(double number) {
  char text[64];
  std::snprintf(text, sizeof text, "%.2f", number);
  return text;
}

std::string value_text(const LogField& field, LogFormat format) {
  if (const auto* whole = std::get_if<std::int64_t>(&field.value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&field.value)) return number_text(*number);
  std::string text = printable(std::get<std::string_view>(field.value));
  if (format == LogFormat::text && !needs_quotes(text)) return text;
  std::string quoted;
  json::write_string(quoted, text);
  return quoted;
}

class LineLog final : public Log {
 public:
  LineLog(LogFormat format, Severity least, int descriptor)
      : Log(least), format_(format), writer_(descriptor, [format](std::uint64_t lost) {
          return log_line(format, runtime::wall_time(), Severity::warning, "log_lines_lost",
                          {{"count", static_cast<std::int64_t>(lost)}});
        }) {}

 private:
  void take(Severity severity, std::string_view event,
            std::initializer_list<LogField> fields) override {
    writer_.write(log_line(format_, runtime::wall_time(), severity, event, fields));
  }

  LogFormat format_;
  runtime::LineWriter writer_;
};

}  // namespace

std::string log_line(LogFormat format, std::chrono::system_clock::time_point time,
                     Severity severity, std::string_view event,
                     std::initializer_list<LogField> fields) {
  const bool json = format == LogFormat::json;
  std::string line = json ? "{\"ts\":\"" : "";
  line += base::utc_text(time);
  line += json ? "\",\"level\":\"" : " ";
  line += name_of(severity);
  line += json ? "\",\"event\":\"" : " ";
  line += event;
  if (json) line += '"';
  for (const LogField& field : fields) {
    const std::string value = value_text(field, format);
    if (line.size() + field.name.size() + value.size() + 8 > kLineBytesMax) break;
    line += json ? ",\"" : " ";
    line += field.name;
    line += json ? "\":" : "=";
    line += value;
  }
  if (json) line += '}';
  return line;
}

std::shared_ptr<Log> make_log(LogFormat format, Severity least, int descriptor) {
  return std::make_shared<LineLog>(format, least, descriptor);
}

}  // namespace squall::server
