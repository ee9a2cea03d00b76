#include "squall/fault/draw.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <numeric>

#include "squall/base/assert.h"
#include "squall/base/crypto.h"
#include "squall/json/write.h"

#include "rendezvous.h"
#include "wide.h"

namespace squall::fault {

namespace {

constexpr std::size_t kUsualBytesMax = 1024;  // of what is hashed for one draw
constexpr std::size_t kNumberBytesMax = 20;
constexpr std::size_t kOverheadBytes = 5 * (kNumberBytesMax + 2) + 2 * kNumberBytesMax + 32;

/// Puts texts behind each other into memory that is known to suffice.
class Netstrings {
 public:
  explicit Netstrings(char* out) : begin_(out), out_(out) {}
  void add(std::string_view text) {
    add_digits(text.size());
    *out_++ = ':';
    if (!text.empty()) std::memcpy(out_, text.data(), text.size());
    out_ += text.size();
    *out_++ = ',';
  }
  void add_number(std::uint64_t number) {
    std::array<char, kNumberBytesMax> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    add({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  [[nodiscard]] std::string_view text() const {
    return {begin_, static_cast<std::size_t>(out_ - begin_)};
  }

 private:
  void add_digits(std::uint64_t number) {
    out_ = std::to_chars(out_, out_ + kNumberBytesMax, number).ptr;
  }
  char* begin_;
  char* out_;
};

std::uint64_t first_eight_bytes(const base::Sha256& digest) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i) bits = bits << 8U | digest[i];
  return bits;
}

}  // namespace

std::uint64_t rendezvous_exponent(std::uint64_t bits) noexcept {
  if (bits == ~std::uint64_t{0}) return 0;
  const std::uint64_t x = bits + 1;
  const auto k = static_cast<std::uint64_t>(std::countl_zero(x));
  std::uint64_t m = x << k;
  std::uint64_t r = 0;
  for (int round = 0; round < 32; ++round) {
    const Wide p = static_cast<Wide>(m) * m;
    const bool carried = (p >> 127U) != 0;
    r = 2 * r + (carried ? 1 : 0);
    m = static_cast<std::uint64_t>(p >> (carried ? 64U : 63U));
  }
  return ((k + 1) << 32U) - r;
}

std::uint64_t draw(Seed seed, std::string_view rule, std::string_view site,
                   std::string_view purpose, std::uint64_t lane) {
  const std::size_t bytes_max = rule.size() + site.size() + purpose.size() + kOverheadBytes;
  std::array<char, kUsualBytesMax> usual;
  std::string large;
  if (bytes_max > usual.size()) large.resize(bytes_max);
  Netstrings message(large.empty() ? usual.data() : large.data());
  message.add(kScheme);
  message.add_number(seed.value);
  message.add(rule);
  message.add(site);
  message.add(purpose);
  message.add_number(lane);
  return first_eight_bytes(base::sha256(message.text()));
}

bool strikes(std::uint64_t bits, const Probability& probability) noexcept {
  return static_cast<Wide>(bits) * probability.denominator() <
         static_cast<Wide>(probability.numerator()) << 64U;
}

std::int64_t integer_in(std::uint64_t bits, std::int64_t least, std::int64_t most) noexcept {
  // The width of the whole range of int64 is 2^64: hence 128 bits before adding one.
  const Wide width =
      static_cast<Wide>(static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least)) + 1;
  const auto offset = static_cast<std::uint64_t>(static_cast<Wide>(bits) * width >> 64U);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + offset);
}

bool Draws::coin(const Probability& probability) const {
  return strikes(bits("fire"), probability);
}

std::int64_t Draws::integer(std::string_view purpose, std::int64_t least, std::int64_t most,
                            std::uint64_t lane) const {
  return integer_in(bits(purpose, lane), least, most);
}

std::size_t Draws::pick(std::string_view purpose, std::span<const Option> options,
                        std::uint64_t lane) const {
  std::size_t best = options.size();
  std::uint64_t best_exponent = 0;
  std::string named;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Option& option = options[i];
    if (option.weight == 0) continue;
    named = "pick:";
    named.append(option.name).append(":").append(purpose);
    const std::uint64_t exponent = rendezvous_exponent(bits(named, lane));
    if (best < options.size()) {
      const Wide mine = static_cast<Wide>(exponent) * options[best].weight;
      const Wide its = static_cast<Wide>(best_exponent) * option.weight;
      if (mine > its || (mine == its && option.name > options[best].name)) continue;
    }
    best = i;
    best_exponent = exponent;
  }
  SQUALL_ASSERT(best < options.size());
  return best;
}

std::int64_t Draws::delay(const Distribution& distribution) const {
  return sample(distribution, bits("delay"));
}

std::vector<std::size_t> Draws::order(std::string_view purpose, std::size_t count) const {
  std::vector<std::uint64_t> keys;
  keys.reserve(count);
  for (std::size_t i = 0; i < count; ++i) keys.push_back(bits(purpose, i));
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&keys](std::size_t i) { return keys[i]; });
  if (count > 1 && std::ranges::is_sorted(order)) std::swap(order[0], order[1]);
  return order;
}

bool burst_is_on(Seed seed, std::string_view rule, const Burst& burst,
                 std::optional<std::string_view> tool, std::uint64_t ordinal) {
  std::string site = "[\"burst\",";
  if (tool) {
    json::write_string(site, *tool);
  } else {
    site += "null";
  }
  site += ',';
  const std::size_t stem = site.size();
  const std::uint64_t first = ordinal >= burst.longest ? ordinal - burst.longest + 1 : 1;
  for (std::uint64_t start = first; start <= ordinal; ++start) {
    site.resize(stem);
    site.append(std::to_string(start)).append("]");
    const Draws draws{seed, rule, site};
    if (!draws.coin(burst.start)) continue;
    const auto length = draws.integer("length", static_cast<std::int64_t>(burst.shortest),
                                      static_cast<std::int64_t>(burst.longest));
    if (static_cast<std::uint64_t>(length) > ordinal - start) return true;
  }
  return false;
}

}  // namespace squall::fault
