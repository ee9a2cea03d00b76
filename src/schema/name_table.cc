#include "name_table.h"

#include <algorithm>
#include <numeric>

namespace squall::schema {
namespace {

bool comes_before(std::string_view a, std::string_view b) noexcept {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

NameTable::NameTable(std::vector<std::string> names) : names_(std::move(names)) {
  if (names_.size() <= kScanMax) return;
  sorted_.resize(names_.size());
  std::iota(sorted_.begin(), sorted_.end(), 0U);
  std::ranges::sort(sorted_, [this](std::uint32_t a, std::uint32_t b) {
    return comes_before(names_[a], names_[b]);
  });
}

std::size_t NameTable::search(std::string_view name) const noexcept {
  const auto found = std::ranges::lower_bound(
      sorted_, name, comes_before,
      [this](std::uint32_t index) { return std::string_view(names_[index]); });
  return found != sorted_.end() && names_[*found] == name ? *found : npos;
}

}  // namespace squall::schema
