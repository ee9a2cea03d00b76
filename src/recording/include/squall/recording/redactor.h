#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "squall/json/value.h"

namespace squall::recording {

/// A value that must not be seen, and the name of the variable or file that it came from.
struct Secret {
  std::string name;
  std::string value;
};

/// Replaces secrets by `[redacted:NAME]`, found by their value wherever they stand.
///
/// A value of at least `kAnywhereMin` bytes is found inside any text: as it is, escaped as JSON or
/// percent-encoded, and in base64 (either alphabet) at any offset, also as part of what was
/// encoded ("user:secret"). A shorter one, which ordinary words could contain, is replaced where it
/// is a whole JSON string or a whole text. Names that aren't letters, digits, '_', '-' or '.' are
/// written with '_'. Safe to share between threads.
class Redactor {
 public:
  static constexpr std::size_t kAnywhereMin = 6;

  Redactor() = default;  ///< knows no secrets
  explicit Redactor(const std::vector<Secret>& secrets);

  [[nodiscard]] bool empty() const noexcept { return patterns_.empty(); }
  /// Whether something was replaced.
  bool redact(std::string& text) const;
  /// Keys and strings, at every depth.
  bool redact(json::Value& value) const;

 private:
  enum class Form : std::uint8_t { plain, base64, quoted };
  struct Pattern {
    std::string text;
    std::string mark;  // "[redacted:NAME]"
    Form form = Form::plain;
  };
  void add(std::string text, const std::string& mark, Form form);
  [[nodiscard]] const Pattern* match(std::string_view text) const;
  bool redact_flat(std::string& text) const;
  bool redact_string(json::Value& value) const;

  std::vector<Pattern> patterns_;  // longest first
  std::bitset<1 << 16> starts_;    // the first two bytes of each, so that most text is skipped
  std::unordered_map<std::uint16_t, std::vector<std::size_t>> by_start_;
  std::vector<Secret> short_;  // their `name` is the mark
};

}  // namespace squall::recording
