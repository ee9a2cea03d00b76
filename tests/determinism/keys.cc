// Prints what keys.py computes, a line a key, by the library. Built for other processors too.
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "squall/base/assert.h"
#include "squall/fault/draw.h"
#include "squall/json/write.h"

namespace squall::fault {
namespace {

constexpr std::uint64_t kCount = 10'000;
constexpr std::int64_t kMax = 600'000;

Probability percent(std::uint64_t hundredths) {
  const auto probability = Probability::parse(std::to_string(hundredths) + "/100");
  SQUALL_ASSERT(probability.has_value());
  return *probability;
}

void print_key(std::uint64_t n) {
  const std::array<std::string, 5> tools = {"search", "get_account_balance", "read_file",
                                            "w\u00fc\u6771\U0001F600", "a.b/c-d"};
  const std::array<std::string, 6> purposes = {
      "fire", "delay", "length", "target", "mutate:/balance_minor", "operator:/a~1b"};
  const Seed seed{n % 3 != 0 ? n * 0x9E3779B97F4A7C15U + n / 7 : n};
  const std::string rule = "rule-" + std::to_string(n % 41);
  const std::string& tool = tools[n % tools.size()];
  const std::string& purpose = purposes[n % purposes.size()];
  const std::uint64_t lane = n % 8;
  std::string site = "[\"call\",";
  json::write_string(site, tool);
  site += "," + std::to_string(n / 5 + 1) + "]";

  const Draws draws{seed, rule, site};
  const std::uint64_t bits = draws.bits(purpose, lane);
  const std::vector<Option> options = {{"one", n % 4}, {"two", 1}, {"three", 1 + n % 1000}};
  const auto scale = static_cast<std::int64_t>(1 + n % 5000);
  const auto signed_n = static_cast<std::int64_t>(n);
  const Burst burst{percent(n % 30), 1 + n % 3, 4};
  std::printf("%016llx %d %lld %s %lld %lld %lld %d\n", static_cast<unsigned long long>(bits),
              strikes(bits, percent(n % 101)) ? 1 : 0,
              static_cast<long long>(integer_in(bits, -(signed_n % 500), signed_n)),
              options[draws.pick(purpose, options, lane)].name.c_str(),
              static_cast<long long>(sample(Exponential{scale, kMax}, bits)),
              static_cast<long long>(sample(Pareto{scale, {1 + n % 40, 10}, kMax}, bits)),
              static_cast<long long>(sample(Lognormal{scale, {n % 30, 10}, kMax}, bits)),
              burst_is_on(seed, rule, burst, tool, n / 5 + 1) ? 1 : 0);
}

}  // namespace
}  // namespace squall::fault

int main() {
  for (std::uint64_t n = 0; n < squall::fault::kCount; ++n) squall::fault::print_key(n);
}
