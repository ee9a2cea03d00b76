#pragma once

#include <cstdint>

namespace squall::fault {

/// -log2((bits+1) / 2^64) in units of 2^-32, by repeated squaring: the smallest of these, divided
/// by its option's weight, wins a weighted choice.
[[nodiscard]] std::uint64_t rendezvous_exponent(std::uint64_t bits) noexcept;

}  // namespace squall::fault
