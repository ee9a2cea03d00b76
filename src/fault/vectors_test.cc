// The golden vectors of squall-draw-1. They also run on other processors (tests/determinism).
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "squall/base/units.h"
#include "squall/fault/draw.h"
#include "squall/json/canonical.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

#include "rendezvous.h"
#include "tables.h"

namespace squall::fault {
namespace {

json::Value load(const std::string& name) {
  std::ifstream file(std::string(SQUALL_SOURCE_DIR) + "/tests/data/" + name);
  std::stringstream text;
  text << file.rdbuf();
  auto value = json::parse(text.str());
  EXPECT_TRUE(value) << (value ? "" : value.error().text());
  return value ? *value : json::Value();
}

const json::Value& vectors() {
  static const json::Value all = load("decision-vectors.json");
  return all;
}

/// The entries of one kind; a file that lost some must not pass.
std::span<const json::Value> entries(std::string_view kind, std::size_t count) {
  const json::Value* list = vectors().find(kind);
  EXPECT_NE(list, nullptr);
  if (list == nullptr) return {};
  EXPECT_EQ(list->size(), count);
  return list->items();
}

std::string text_of(const json::Value& entry, std::string_view name) {
  const json::Value* member = entry.find(name);
  if (member == nullptr) return {};
  return std::string(member->is_string() ? member->string() : member->number_text());
}

std::uint64_t u64(const json::Value& entry, std::string_view name) {
  return std::stoull(text_of(entry, name));
}

std::uint64_t hex(const json::Value& entry, std::string_view name) {
  return std::stoull(text_of(entry, name), nullptr, 16);
}

Seed seed_of(const json::Value& entry) {
  const auto seed = Seed::parse(text_of(entry, "seed"));
  EXPECT_TRUE(seed);
  return seed.value_or(Seed{});
}

TEST(Vectors, Draws) {
  for (const json::Value& e : entries("draws", 2000)) {
    EXPECT_EQ(draw(seed_of(e), text_of(e, "rule"), text_of(e, "site"), text_of(e, "purpose"),
                   u64(e, "lane")),
              hex(e, "draw"))
        << json::to_string(e);
  }
}

TEST(Vectors, Seeds) {
  for (const json::Value& e : entries("seed", 120)) {
    const auto seed = Seed::parse(text_of(e, "in"));
    ASSERT_EQ(seed.has_value(), e.contains("out")) << json::to_string(e);
    if (!seed) continue;
    EXPECT_EQ(seed->decimal(), text_of(e, "out"));
  }
}

TEST(Vectors, Probabilities) {
  for (const json::Value& e : entries("probability", 200)) {
    const auto probability = Probability::parse(text_of(e, "in"));
    ASSERT_EQ(probability.has_value(), e.contains("num")) << json::to_string(e);
    if (!probability) continue;
    EXPECT_EQ(std::to_string(probability->numerator()), text_of(e, "num")) << json::to_string(e);
    EXPECT_EQ(std::to_string(probability->denominator()), text_of(e, "den"));
  }
}

TEST(Vectors, TimesAndSizes) {
  for (const json::Value& e : entries("quantity", 100)) {
    const std::string in = text_of(e, "in");
    // Older than the profile's format, which has these two units; docs/formats/profile.md.
    if (in == "1kib" || in == "1mib") continue;
    std::string out;
    if (text_of(e, "kind") == "duration") {
      if (const auto time = base::parse_duration(in)) out = std::to_string(time->count());
    } else if (const auto size = base::parse_size(in)) {
      out = std::to_string(*size);
    }
    EXPECT_EQ(out, text_of(e, "out")) << json::to_string(e);
  }
}

TEST(Vectors, Coins) {
  for (const json::Value& e : entries("coin", 44)) {
    const auto probability = Probability::parse(text_of(e, "probability"));
    ASSERT_TRUE(probability);
    EXPECT_EQ(strikes(hex(e, "draw"), *probability), e.find("strikes")->boolean())
        << json::to_string(e);
  }
}

TEST(Vectors, Ranges) {
  for (const json::Value& e : entries("range", 100)) {
    const std::int64_t least = std::stoll(text_of(e, "lo"));
    const std::int64_t most = std::stoll(text_of(e, "hi"));
    EXPECT_EQ(std::to_string(integer_in(hex(e, "draw"), least, most)), text_of(e, "value"));
    if (!e.contains("seed")) continue;
    const std::string rule = text_of(e, "rule");
    const std::string site = text_of(e, "site");
    const Draws draws{seed_of(e), rule, site};
    EXPECT_EQ(draws.integer(text_of(e, "purpose"), least, most, u64(e, "lane")),
              std::stoll(text_of(e, "value")));
  }
}

TEST(Vectors, Bursts) {
  for (const json::Value& e : entries("burst", 60)) {
    Burst burst;
    burst.start = Probability::parse(text_of(e, "start_probability")).value_or(Probability());
    burst.shortest = u64(e, "min");
    burst.longest = u64(e, "max");
    std::string on;
    const std::string expected = text_of(e, "on");
    const std::string tool = text_of(e, "name");
    const auto named =
        e.find("name")->is_null() ? std::nullopt : std::optional<std::string_view>(tool);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::uint64_t ordinal = u64(e, "first") + i;
      on += burst_is_on(seed_of(e), text_of(e, "rule"), burst, named, ordinal) ? '1' : '0';
    }
    EXPECT_EQ(on, expected) << json::to_string(e);
  }
}

TEST(Vectors, WeightedChoices) {
  for (const json::Value& e : entries("weighted", 60)) {
    std::vector<Option> options;
    for (const json::Value& option : e.find("options")->items()) {
      options.push_back({std::string(option.items()[0].string()), *option.items()[1].as_uint64()});
    }
    const std::string rule = text_of(e, "rule");
    const std::string site = text_of(e, "site");
    const Draws draws{seed_of(e), rule, site};
    const std::size_t won = draws.pick(text_of(e, "purpose"), options, u64(e, "lane"));
    EXPECT_EQ(options[won].name, text_of(e, "winner")) << json::to_string(e);
  }
}

TEST(Vectors, Distributions) {
  const Exponential exponential{.mean = 800, .max = 10'000};
  const Lognormal narrow{.median = 300, .sigma = {6, 10}, .max = 8000};
  const Lognormal wide{.median = 1000, .sigma = {2, 1}, .max = 2'000'000'000};
  const Pareto pareto{.scale = 50, .alpha = {15, 10}, .max = 60'000};
  for (const json::Value& e : entries("distribution", 40)) {
    const std::uint64_t bits = hex(e, "draw");
    EXPECT_EQ(std::to_string(rendezvous_exponent(bits)), text_of(e, "neglog2_bits"));
    const auto expect = [&](const Distribution& distribution, std::string_view name) {
      EXPECT_EQ(std::to_string(sample(distribution, bits)), text_of(e, name))
          << json::to_string(e) << name;
    };
    expect(exponential, "exponential(mean 800, max 10000)");
    expect(narrow, "lognormal(median 300, sigma 0.6, max 8000)");
    expect(wide, "lognormal(median 1000, sigma 2, max 2000000000)");
    expect(pareto, "pareto(scale 50, alpha 1.5, max 60000)");
  }
}

std::string bytes_of_hex(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    out += static_cast<char>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16));
  }
  return out;
}

TEST(Vectors, CanonicalTexts) {
  for (const json::Value& e : entries("canonical", 300)) {
    const std::string in =
        e.contains("in_hex") ? bytes_of_hex(text_of(e, "in_hex")) : text_of(e, "in");
    std::optional<std::string> out;
    if (const auto value = json::parse(in)) {
      if (const auto text = json::canonical(*value)) out = *text;
    }
    ASSERT_EQ(out.has_value(), e.contains("out")) << json::to_string(e);
    if (!out) continue;
    EXPECT_EQ(*out, text_of(e, "out"));
  }
}

TEST(Tables, AreThePublishedOnes) {
  const json::Value published = load("decision-tables.json");
  const auto equal = [&published](std::string_view name, const auto& table) {
    const json::Value* list = published.find(name);
    ASSERT_NE(list, nullptr);
    ASSERT_EQ(list->size(), table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      ASSERT_EQ(list->items()[i].as_uint64(), table[i]) << name << " " << i;
    }
  };
  equal("log2", kLog2);
  equal("exp2", kExp2);
  equal("normal", kNormal);
}

}  // namespace
}  // namespace squall::fault
