#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "squall/base/crypto.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

// Our own, for two reasons: a fault's draw hashes some 100 bytes, and OpenSSL's way to a digest
// takes longer than the digest; and what is decided by it must build where no OpenSSL is.

namespace squall::base {

namespace {

constexpr std::size_t kBlockBytes = 64;
using Words = std::array<std::uint32_t, 8>;

constexpr Words kInitial = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

alignas(16) constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t load_word(const unsigned char* bytes) {
  return static_cast<std::uint32_t>(bytes[0]) << 24U | static_cast<std::uint32_t>(bytes[1]) << 16U |
         static_cast<std::uint32_t>(bytes[2]) << 8U | static_cast<std::uint32_t>(bytes[3]);
}

/// FIPS 180-4, section 6.2.2.
void compress_portably(Words& state, const unsigned char* block, std::size_t count) {
  for (; count > 0; --count, block += kBlockBytes) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t t = 0; t < 16; ++t) w[t] = load_word(block + 4 * t);
    for (std::size_t t = 16; t < 64; ++t) {
      const std::uint32_t a = w[t - 15];
      const std::uint32_t b = w[t - 2];
      const std::uint32_t s0 = std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3U);
      const std::uint32_t s1 = std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10U);
      w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < 64; ++t) {
      const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[t] + w[t];
      const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
    }
    const Words worked = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state[i] += worked[i];
  }
}

#if defined(__x86_64__)

bool processor_hashes() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_SSE4_1) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

#define SQUALL_SHA __attribute__((target("sha,sse4.1"), always_inline)) inline

/// Rounds 4*step to 4*step+3, two an instruction, the state as {a,b,e,f} and {c,d,g,h}.
SQUALL_SHA void four_rounds(__m128i& abef, __m128i& cdgh, __m128i words, std::size_t step) {
  const auto* constants = reinterpret_cast<const __m128i*>(kRound.data());
  const __m128i sum = _mm_add_epi32(words, _mm_load_si128(constants + step));
  cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
  abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
}

/// The four words that come 16 behind those of `a`.
SQUALL_SHA void extend(__m128i& a, __m128i b, __m128i c, __m128i d) {
  const __m128i begun = _mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_alignr_epi8(d, c, 4));
  a = _mm_sha256msg2_epu32(begun, d);
}

SQUALL_SHA __m128i load_big_endian(const unsigned char* bytes) {
  const __m128i reversed = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)), reversed);
}

__attribute__((target("sha,sse4.1"))) void compress_by_processor(Words& words,
                                                                 const unsigned char* block,
                                                                 std::size_t count) {
  const auto* in = reinterpret_cast<const __m128i*>(words.data());
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(in), 0xB1);
  const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(in + 1), 0x1B);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);
  for (; count > 0; --count, block += kBlockBytes) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i w0 = load_big_endian(block);
    __m128i w1 = load_big_endian(block + 16);
    __m128i w2 = load_big_endian(block + 32);
    __m128i w3 = load_big_endian(block + 48);
    for (std::size_t step = 0; step < 12; step += 4) {
      four_rounds(abef, cdgh, w0, step);
      extend(w0, w1, w2, w3);
      four_rounds(abef, cdgh, w1, step + 1);
      extend(w1, w2, w3, w0);
      four_rounds(abef, cdgh, w2, step + 2);
      extend(w2, w3, w0, w1);
      four_rounds(abef, cdgh, w3, step + 3);
      extend(w3, w0, w1, w2);
    }
    four_rounds(abef, cdgh, w0, 12);
    four_rounds(abef, cdgh, w1, 13);
    four_rounds(abef, cdgh, w2, 14);
    four_rounds(abef, cdgh, w3, 15);
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  auto* out = reinterpret_cast<__m128i*>(words.data());
  _mm_storeu_si128(out, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(out + 1, _mm_alignr_epi8(dchg, feba, 8));
}

#undef SQUALL_SHA

#endif

void compress(Words& state, const unsigned char* block, std::size_t count) {
#if defined(__x86_64__)
  static const bool by_processor = processor_hashes();
  if (by_processor) return compress_by_processor(state, block, count);
#endif
  compress_portably(state, block, count);
}

using Compress = void (*)(Words&, const unsigned char*, std::size_t);

Sha256 digest(std::string_view bytes, Compress rounds) {
  Words state = kInitial;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / kBlockBytes;
  rounds(state, data, whole);

  const std::size_t rest = bytes.size() - whole * kBlockBytes;
  std::array<unsigned char, 2 * kBlockBytes> tail{};
  if (rest > 0) std::memcpy(tail.data(), data + whole * kBlockBytes, rest);
  tail[rest] = 0x80;
  const std::size_t blocks = rest + 9 <= kBlockBytes ? 1 : 2;
  const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  for (std::size_t i = 0; i < 8; ++i) {
    tail[blocks * kBlockBytes - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  }
  rounds(state, tail.data(), blocks);

  Sha256 out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<unsigned char>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return out;
}

}  // namespace

Sha256 sha256(std::string_view bytes) { return digest(bytes, compress); }

Sha256 sha256_portably(std::string_view bytes) { return digest(bytes, compress_portably); }

}  // namespace squall::base
