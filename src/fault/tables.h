#pragma once

#include <array>
#include <cstdint>

/// @file The integer tables of squall-draw-1, which stand in for logarithms and for the normal
/// distribution. They are part of the scheme and never change.

namespace squall::fault {

extern const std::array<std::uint64_t, 129> kLog2;     ///< round(2^32 log2(1 + i/128))
extern const std::array<std::uint64_t, 257> kExp2;     ///< round(2^32 * 2^(i/256))
extern const std::array<std::uint64_t, 2017> kNormal;  ///< see normal_bits in distribution.cc

}  // namespace squall::fault
