#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace squall::schema {

/// The pattern that most ids, names and dates have: `^`, a row of ASCII characters, `\d`, `\w` and
/// classes, each with a repeat or none, and `$`; no alternative, no group, and what follows a
/// repeat never begins as the repeat goes on. Such a one is matched in one pass, without a stack, a
/// limit or a code to compile.
class PlainPattern {
 public:
  /// Nothing when `pattern` (ECMA-262, `u`) isn't such a one, or no expression at all.
  [[nodiscard]] static std::optional<PlainPattern> read(std::string_view pattern);
  [[nodiscard]] bool matches(std::string_view text) const noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept { return items_.capacity() * sizeof(Item); }

  /// ASCII characters, a bit each.
  struct Class {
    std::array<std::uint64_t, 2> bits{};
    void add(unsigned char first, unsigned char last) noexcept;
    void add(const Class& other) noexcept;
    [[nodiscard]] bool meets(const Class& other) const noexcept;
    [[nodiscard]] bool contains(unsigned char c) const noexcept {
      return c < 0x80 && (bits[c >> 6U] >> (c & 63U) & 1U) != 0;
    }
  };

 private:
  struct Item {
    Class characters;
    std::uint32_t min = 1;
    std::uint32_t max = 1;
  };
  class Reader;
  [[nodiscard]] bool is_decided() const noexcept;

  std::vector<Item> items_;
};

}  // namespace squall::schema
