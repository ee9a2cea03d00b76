#include "remainder.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace squall::json {

namespace {

__extension__ using Wide = unsigned __int128;
using Limbs = std::vector<std::uint32_t>;  // base 2^32, lowest first, no zero on top

constexpr std::size_t kSmallDigitsMax = 18;
constexpr unsigned kLimbBits = 32;

template <typename Visit>
void for_each_digit(const WholeNumber& number, Visit visit) {
  for (const char c : number.first) visit(static_cast<unsigned>(c - '0'));
  for (const char c : number.second) visit(static_cast<unsigned>(c - '0'));
  for (std::size_t i = 0; i < number.zeros; ++i) visit(0U);
}

std::size_t digit_count(const WholeNumber& n) { return n.first.size() + n.second.size() + n.zeros; }

void multiply_add(Limbs& limbs, std::uint32_t factor, std::uint32_t addend) {
  std::uint64_t carry = addend;
  for (std::uint32_t& limb : limbs) {
    carry += std::uint64_t{limb} * factor;
    limb = static_cast<std::uint32_t>(carry);
    carry >>= kLimbBits;
  }
  if (carry != 0) limbs.push_back(static_cast<std::uint32_t>(carry));
}

Limbs to_limbs(const WholeNumber& number) {
  Limbs limbs;
  std::uint32_t chunk = 0;
  std::uint32_t scale = 1;
  for_each_digit(number, [&](unsigned digit) {
    chunk = chunk * 10 + digit;
    scale *= 10;
    if (scale == 1'000'000'000) {
      multiply_add(limbs, scale, chunk);
      chunk = 0;
      scale = 1;
    }
  });
  multiply_add(limbs, scale, chunk);
  return limbs;
}

void shift_left(Limbs& limbs, unsigned bits) {
  std::uint64_t carry = 0;
  for (std::uint32_t& limb : limbs) {
    carry |= std::uint64_t{limb} << bits;
    limb = static_cast<std::uint32_t>(carry);
    carry >>= kLimbBits;
  }
  limbs.push_back(static_cast<std::uint32_t>(carry));
}

/// Takes `quotient` times `d` from the limbs of `v` at `at`; whether that was once too often.
bool subtract_multiple(Limbs& v, std::size_t at, const Limbs& d, std::uint64_t quotient) {
  std::uint64_t carry = 0;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i <= d.size(); ++i) {
    carry += i < d.size() ? quotient * d[i] : 0;
    const std::uint64_t difference =
        std::uint64_t{v[at + i]} - static_cast<std::uint32_t>(carry) - borrow;
    v[at + i] = static_cast<std::uint32_t>(difference);
    borrow = difference >> kLimbBits != 0 ? 1 : 0;
    carry >>= kLimbBits;
  }
  return borrow != 0;
}

void add_back(Limbs& v, std::size_t at, const Limbs& d) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < d.size(); ++i) {
    carry += std::uint64_t{v[at + i]} + d[i];
    v[at + i] = static_cast<std::uint32_t>(carry);
    carry >>= kLimbBits;
  }
  v[at + d.size()] += static_cast<std::uint32_t>(carry);
}

/// Long division (Knuth, The Art of Computer Programming 4.3.1, algorithm D), remainder only.
bool divides_large(Limbs d, Limbs v) {
  if (v.size() < d.size()) return false;
  const auto bits = static_cast<unsigned>(std::countl_zero(d.back()));
  shift_left(d, bits);
  d.pop_back();  // the top limb had room for the shift
  shift_left(v, bits);
  const std::uint64_t top = d.back();
  const std::uint64_t below = d[d.size() - 2];
  for (std::size_t at = v.size() - d.size(); at-- > 0;) {
    const std::uint64_t head = std::uint64_t{v[at + d.size()]} << kLimbBits | v[at + d.size() - 1];
    std::uint64_t quotient = head / top;
    std::uint64_t rest = head % top;
    while (quotient >> kLimbBits != 0 ||
           quotient * below > (rest << kLimbBits | v[at + d.size() - 2])) {
      --quotient;
      rest += top;
      if (rest >> kLimbBits != 0) break;
    }
    if (subtract_multiple(v, at, d, quotient)) add_back(v, at, d);
  }
  return std::ranges::all_of(v, [](std::uint32_t limb) { return limb == 0; });
}

}  // namespace

bool divides(const WholeNumber& divisor, const WholeNumber& value) {
  if (digit_count(divisor) > kSmallDigitsMax) {
    return divides_large(to_limbs(divisor), to_limbs(value));
  }
  std::uint64_t d = 0;
  for_each_digit(divisor, [&d](unsigned digit) { d = d * 10 + digit; });
  std::uint64_t rest = 0;
  for_each_digit(value, [&](unsigned digit) {
    rest = static_cast<std::uint64_t>((Wide{rest} * 10 + digit) % d);
  });
  return rest == 0;
}

}  // namespace squall::json
