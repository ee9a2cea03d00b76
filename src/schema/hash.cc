#include "hash.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include "squall/json/number.h"

namespace squall::schema {
namespace {

constexpr std::size_t kDepthHashedMax = 1'024;  // it recurses
constexpr std::size_t kBytesPerStep = 64;
constexpr std::size_t kFewItems = 32;
constexpr std::int64_t kExponentHashedMax = std::int64_t{1} << 56;

constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) noexcept {
  hash = (hash ^ value) * 0x9e37'79b9'7f4a'7c15U;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_bytes(std::uint64_t hash, std::string_view bytes) noexcept {
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    hash = mix(hash, word);
  }
  std::uint64_t rest = bytes.size() << 56U;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    rest |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return mix(hash, rest);
}

std::uint64_t hash_number(std::uint64_t hash, std::string_view text) noexcept {
  const json::Decimal number = json::Decimal::parse(text);
  if (number.is_zero()) return mix(hash, 0);
  hash = mix(hash, number.negative ? 2 : 1);
  // Digit by digit: equal numbers may have their decimal point in different places.
  for (const char digit : number.digits_before) hash = mix(hash, static_cast<unsigned char>(digit));
  for (const char digit : number.digits_after) hash = mix(hash, static_cast<unsigned char>(digit));
  const bool small = number.exponent < kExponentHashedMax && number.exponent > -kExponentHashedMax;
  return small ? mix(hash, static_cast<std::uint64_t>(number.exponent)) : hash;
}

class Hasher {
 public:
  explicit Hasher(std::size_t steps_max) : steps_max_(steps_max) {}

  std::uint64_t hash(const json::Value& value, std::size_t depth) noexcept {
    steps_ += 1 + (value.string().size() + value.number_text().size()) / kBytesPerStep;
    if (depth > kDepthHashedMax) overflow_ = true;
    if (overflow_ || steps_ > steps_max_) return 0;
    std::uint64_t result = mix(0, static_cast<std::uint64_t>(value.kind()) + 1);
    switch (value.kind()) {
      case json::Kind::null:
        break;
      case json::Kind::boolean:
        return mix(result, value.boolean() ? 1 : 0);
      case json::Kind::number:
        return hash_number(result, value.number_text());
      case json::Kind::string:
        return hash_bytes(result, value.string());
      case json::Kind::array:
        for (const json::Value& item : value.items()) result = mix(result, hash(item, depth + 1));
        break;
      case json::Kind::object: {
        std::uint64_t sum = 0;  // the order of members does not count
        for (const json::Member& member : value.members()) {
          sum += mix(hash_bytes(1, member.name()), hash(member.value, depth + 1));
        }
        return mix(result, sum);
      }
    }
    return result;
  }
  [[nodiscard]] std::size_t steps() const noexcept {
    return overflow_ ? static_cast<std::size_t>(-1) : steps_;
  }

 private:
  std::size_t steps_max_;
  std::size_t steps_ = 0;
  bool overflow_ = false;
};

struct Entry {
  std::uint64_t hash;
  std::size_t weight;
  std::size_t index;
};

}  // namespace

Hashed hash_value(const json::Value& value, std::size_t steps_max) {
  Hasher hasher(steps_max);
  const std::uint64_t hash = hasher.hash(value, 0);
  return {hash, hasher.steps()};
}

std::optional<Uniqueness> find_duplicate(std::span<const json::Value> items,
                                         std::size_t steps_max) {
  std::array<Entry, kFewItems> few;
  std::vector<Entry> many;
  if (items.size() > kFewItems) many.resize(std::min(items.size(), steps_max));
  const std::span<Entry> entries(items.size() > kFewItems ? many.data() : few.data(),
                                 std::min(items.size(), steps_max));
  Uniqueness result;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Hashed hashed = hash_value(items[i], steps_max - result.steps);
    if (hashed.steps > steps_max - result.steps) return std::nullopt;
    entries[i] = {hashed.hash, hashed.steps, i};
    result.steps += hashed.steps;
  }
  if (entries.size() < items.size()) return std::nullopt;
  std::ranges::sort(entries, {}, [](const Entry& at) { return std::pair(at.hash, at.index); });
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t j = i + 1; j < entries.size() && entries[j].hash == entries[i].hash; ++j) {
      if (entries[j].weight > steps_max - result.steps) return std::nullopt;
      result.steps += entries[j].weight;
      if (items[entries[i].index] != items[entries[j].index]) continue;
      result.unique = false;
      result.first = entries[i].index;
      result.second = entries[j].index;
      return result;
    }
  }
  return result;
}

}  // namespace squall::schema
