#pragma once

#include <cstddef>
#include <string_view>

namespace squall::json {

/// A positive whole number: the digits of both parts, then `zeros` zeros.
struct WholeNumber {
  std::string_view first;
  std::string_view second;
  std::size_t zeros = 0;
};

/// Whether `value` is a multiple of `divisor` (not zero). Linear in the digits for divisors of up
/// to 18 of them, else at most the product of both lengths over 81.
[[nodiscard]] bool divides(const WholeNumber& divisor, const WholeNumber& value);

}  // namespace squall::json
