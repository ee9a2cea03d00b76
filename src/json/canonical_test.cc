#include "squall/json/canonical.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "squall/json/parse.h"

namespace squall::json {
namespace {

std::string read(const std::string& name) {
  std::ifstream in(std::string(SQUALL_SOURCE_DIR "/tests/data/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

/// The canonical form of a text, or nothing when reading or canonicalising it is refused.
std::optional<std::string> canonical_of(std::string_view text) {
  const auto value = parse(text);
  if (!value) return std::nullopt;
  auto result = canonical(*value);
  return result ? std::optional(*std::move(result)) : std::nullopt;
}

TEST(Canonical, HoldsEveryGoldenVector) {
  const auto file = parse(read("canonical_vectors.json"));
  ASSERT_TRUE(file) << file.error().text();
  const auto vectors = file->find("canonical")->items();
  ASSERT_EQ(vectors.size(), 300U);
  for (const Value& vector : vectors) {
    const Value* hex = vector.find("in_hex");
    const std::string in =
        hex != nullptr ? from_hex(hex->string()) : std::string(vector.find("in")->string());
    const auto out = canonical_of(in);
    if (const Value* expected = vector.find("out")) {
      ASSERT_TRUE(out) << in;
      EXPECT_EQ(*out, expected->string());
      EXPECT_EQ(canonical_of(*out), *out);
    } else {
      EXPECT_FALSE(out) << in;
    }
  }
}

TEST(Canonical, RefusesADuplicateNameThatParsingKept) {
  const Value twice = *parse(R"({"b":1,"a":2,"b":3})", {.duplicates = Duplicates::keep});
  const auto result = canonical(twice);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::invalid);
}

Value nested(std::size_t depth) {
  Value value;
  for (std::size_t i = 0; i < depth; ++i) value = Value::from_items({std::move(value)});
  return value;
}

TEST(Canonical, HoldsItsDepth) {
  EXPECT_TRUE(canonical(nested(256)));
  const auto deeper = canonical(nested(257));
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().kind, ErrorKind::limit);
}

TEST(CanonicalNumber, RefusesWhatIsNoNumber) {
  EXPECT_EQ(*canonical_number("1.50"), "1.5");
  EXPECT_FALSE(canonical_number("1.5 "));
  EXPECT_FALSE(canonical_number(""));
}

TEST(CanonicalNumber, BuildsNothingHugeBeforeRefusingIt) {
  EXPECT_EQ(*canonical_number("1e-999999999999999999"), "1e-999999999999999999");
  EXPECT_EQ(*canonical_number(std::string(5000, '9') + "e-4999"),
            std::string(5000, '9') + "e-4999");
  EXPECT_FALSE(canonical_number("1e1000000000000000000"));
}

}  // namespace
}  // namespace squall::json
