#include "duplicates.h"

#include <algorithm>
#include <string_view>

#include "squall/json/write.h"

namespace squall::json {

namespace {

constexpr std::size_t kFewMax = 24;
constexpr std::size_t kMessageBytesMax = 40;  // of the input

std::optional<std::size_t> find_among_few(std::span<const Member> members) noexcept {
  std::uint64_t bins = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string_view name = members[i].name();
    const std::uint64_t bin = bin_of(name);
    if ((bins & bin) != 0) {
      for (std::size_t j = 0; j < i; ++j) {
        if (members[j].name() == name) return i;
      }
    }
    bins |= bin;
  }
  return std::nullopt;
}

/// FNV-1a. Not a defence: names that collide on purpose are sorted as strings.
std::uint64_t hash_of(std::string_view name) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

}  // namespace

std::optional<std::size_t> find_duplicate(std::span<const Member> members,
                                          std::vector<NameEntry>& scratch) {
  if (members.size() <= kFewMax) return find_among_few(members);
  scratch.clear();
  scratch.reserve(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    scratch.push_back({hash_of(members[i].name()), i});
  }
  const auto name = [members](const NameEntry& entry) { return members[entry.index].name(); };
  std::ranges::sort(scratch, [&name](const NameEntry& a, const NameEntry& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    const int order = name(a).compare(name(b));
    return order != 0 ? order < 0 : a.index < b.index;
  });
  std::optional<std::size_t> first;
  for (std::size_t i = 1; i < scratch.size(); ++i) {
    if (scratch[i].hash != scratch[i - 1].hash || name(scratch[i]) != name(scratch[i - 1])) {
      continue;
    }
    first = std::min(first.value_or(scratch[i].index), scratch[i].index);
  }
  return first;
}

std::string describe_duplicate(std::string_view name) {
  std::size_t size = std::min(name.size(), kMessageBytesMax);
  const auto continues = [name](std::size_t i) {
    return (static_cast<unsigned char>(name[i]) & 0xC0U) == 0x80U;
  };
  while (size != 0 && size < name.size() && continues(size)) --size;
  std::string message = "the name ";
  write_string(message, name.substr(0, size));
  return message + (size < name.size() ? "... stands twice" : " stands twice");
}

}  // namespace squall::json
