#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "squall/json/value.h"

namespace squall::json {

/// Appends `text` as a JSON string: quotes, the short escapes, lower-case \u00xx for the other
/// controls, everything else as it is. `text` must be UTF-8; other bytes become U+FFFD.
void write_string(std::string& out, std::string_view text);

/// Appends `value` in the shortest form, members in order, numbers as they were written.
void write(std::string& out, const Value& value);
[[nodiscard]] std::string to_string(const Value& value);
/// The same with line breaks and two spaces a level, for people.
[[nodiscard]] std::string to_pretty_string(const Value& value);

/// Writes JSON text straight into a string, putting the commas where they belong.
///
/// The caller keeps the shape right: one value where one is due, `key` before each member's value.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}
  Writer& begin_object() { return open('{'); }
  Writer& end_object() { return close('}'); }
  Writer& begin_array() { return open('['); }
  Writer& end_array() { return close(']'); }
  Writer& key(std::string_view name);
  Writer& string(std::string_view text);
  Writer& number(std::int64_t value);
  Writer& number(std::uint64_t value);
  Writer& number(int value) { return number(static_cast<std::int64_t>(value)); }
  Writer& number(double value);  ///< shortest text that reads back; null when not finite
  Writer& boolean(bool value) { return raw(value ? "true" : "false"); }
  Writer& null() { return raw("null"); }
  Writer& value(const Value& value);
  /// JSON text that is known to be one valid value.
  Writer& raw(std::string_view json);

 private:
  Writer& open(char bracket);
  Writer& close(char bracket);
  void separate();
  std::string& out_;
  bool comma_ = false;
};

}  // namespace squall::json
