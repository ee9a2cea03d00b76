#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace squall::schema {

/// Names and their numbers. Finds without hashing, so no choice of names makes it slow: few names
/// are scanned, many are searched by halves, both by length first.
class NameTable {
 public:
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  NameTable() = default;
  /// The names must differ.
  explicit NameTable(std::vector<std::string> names);

  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  [[nodiscard]] const std::string& name(std::size_t index) const noexcept { return names_[index]; }

  /// The number of `name`, or npos. `hint` is tried first: members mostly come in schema order.
  [[nodiscard]] std::size_t find(std::string_view name, std::size_t hint) const noexcept {
    if (hint < names_.size() && names_[hint] == name) return hint;
    return names_.size() <= kScanMax ? scan(name) : search(name);
  }

 private:
  static constexpr std::size_t kScanMax = 8;

  [[nodiscard]] std::size_t scan(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return i;  // compares the lengths before the bytes
    }
    return npos;
  }
  [[nodiscard]] std::size_t search(std::string_view name) const noexcept;

  std::vector<std::string> names_;
  std::vector<std::uint32_t> sorted_;
};

}  // namespace squall::schema
