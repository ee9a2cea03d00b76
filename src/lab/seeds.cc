#include "squall/lab/seeds.h"

#include <charconv>
#include <optional>
#include <string>

#include "squall/fault/draw.h"

namespace squall::lab {

namespace {

constexpr std::uint64_t kShardsMax = 10'000;

std::unexpected<Error> not_a_range(const std::string& why) {
  return fail(ErrorKind::invalid, "seeds are A..B, as in 1..1000: " + why);
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

}  // namespace

Result<SeedRange> read_seed_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return not_a_range("there is no '..'");
  const auto first = fault::Seed::parse(text.substr(0, dots));
  const auto last = fault::Seed::parse(text.substr(dots + 2));
  if (!first) return not_a_range(first.error().message);
  if (!last) return not_a_range(last.error().message);
  if (last->value < first->value) return not_a_range("the last is less than the first");
  if (last->value - first->value >= kSweptSeedsMax) {
    return not_a_range("these are more than " + std::to_string(kSweptSeedsMax));
  }
  return SeedRange{first->value, last->value - first->value + 1};
}

Result<Shard> read_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto number = number_of(text.substr(0, slash));
  const auto of =
      slash == std::string_view::npos ? std::nullopt : number_of(text.substr(slash + 1));
  if (!number || !of || *number < 1 || *number > *of || *of > kShardsMax) {
    return fail(ErrorKind::invalid, "a shard is I/N, as in 1/4, with I from 1 to N and N at most " +
                                        std::to_string(kShardsMax));
  }
  return Shard{*number, *of};
}

}  // namespace squall::lab
