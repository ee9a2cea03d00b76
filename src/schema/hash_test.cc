#include "hash.h"

#include <string>

#include <gtest/gtest.h>

#include "name_table.h"
#include "test_support.h"

namespace squall::schema {
namespace {

std::uint64_t hash_of(std::string_view text) { return hash_value(parse_json(text), 1000).hash; }

TEST(HashValue, IsTheSameForEqualValues) {
  EXPECT_EQ(hash_of("[1, 100, 0.5, 0]"), hash_of("[1.0, 1e2, 5e-1, -0.0]"));
  EXPECT_EQ(hash_of("123.45"), hash_of("12345e-2"));
  EXPECT_EQ(hash_of(R"({"a": 1, "b": [2]})"), hash_of(R"({"b": [2], "a": 1})"));
}

TEST(HashValue, DiffersForDifferentValues) {
  EXPECT_NE(hash_of("[[1], 2]"), hash_of("[1, [2]]"));
  EXPECT_NE(hash_of("1"), hash_of("-1"));
  EXPECT_NE(hash_of("1"), hash_of("10"));
  EXPECT_NE(hash_of("\"\""), hash_of("[]"));
  EXPECT_NE(hash_of("0"), hash_of("false"));
  EXPECT_NE(hash_of(R"({"a": "b"})"), hash_of(R"({"b": "a"})"));
  EXPECT_NE(hash_of("\"a\""), hash_of("\"a\\u0000\""));
}

TEST(HashValue, StopsAtItsLimit) {
  EXPECT_GT(hash_value(parse_json("[1,2,3,4,5]"), 3).steps, 3U);
  EXPECT_EQ(hash_value(parse_json("[1,2,3,4,5]"), 100).steps, 6U);
}

TEST(FindDuplicate, FindsTheOnlyPairAmongManyItems) {
  json::Value items = json::Value::array();
  for (int i = 0; i < 1000; ++i) items.push_back(json::Value::array({i, std::to_string(i)}));
  EXPECT_TRUE(find_duplicate(items.items(), 10'000)->unique);
  items.push_back(parse_json("[7.0, \"7\"]"));
  const auto found = find_duplicate(items.items(), 10'000);
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->unique);
  EXPECT_EQ(found->first, 7U);
  EXPECT_EQ(found->second, 1000U);
  EXPECT_FALSE(find_duplicate(items.items(), 1'000).has_value());
}

TEST(NameTable, FindsEveryNameAndNoOther) {
  for (const std::size_t count : {0U, 1U, 8U, 9U, 100U}) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back("name" + std::to_string(i * 7));
    const NameTable table(names);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(table.find(names[i], 0), i);
      EXPECT_EQ(table.find(names[i], i), i);
      EXPECT_EQ(table.find(names[i] + "x", i), NameTable::npos);
    }
    EXPECT_EQ(table.find("", 0), NameTable::npos);
  }
}

}  // namespace
}  // namespace squall::schema
