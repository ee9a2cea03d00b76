#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "squall/base/result.h"

namespace squall::schema {

/// A regular expression as `pattern` means it: ECMA-262 with the `u` flag, searched anywhere.
class Regex {
 public:
  /// Fails on what is no such expression, or more than the machinery below can do: lookbehind of
  /// unbounded length, repeats beyond 65,535, 250 nested groups.
  [[nodiscard]] static Result<Regex> compile(std::string_view pattern, std::uint32_t steps);
  /// Whether some part of `text` matches; nothing when a limit was reached. Thread-safe.
  [[nodiscard]] std::optional<bool> matches(std::string_view text) const;
  /// The memory its code takes.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  struct Code;
  explicit Regex(std::shared_ptr<const Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const Code> code_;  // copies of an expression share its immutable code
};

}  // namespace squall::schema
