#include "format.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "squall/schema/schema.h"

/// @file The suite tests the formats; here is what it leaves out.

namespace squall::schema {
namespace {

TEST(Format, ListsItsNamesInOrder) {
  EXPECT_TRUE(std::ranges::is_sorted(known_formats()));
  for (const std::string_view name : known_formats()) {
    EXPECT_TRUE(matches_format(name, "\xff").has_value()) << name;
    EXPECT_FALSE(*matches_format(name, "\xff")) << name;
  }
}

TEST(Format, IsNotKnownUnderAnotherName) {
  EXPECT_EQ(matches_format("idn-hostname", "a"), std::nullopt);
  EXPECT_EQ(matches_format("Date", "2026-07-28"), std::nullopt);
  EXPECT_EQ(find_format(""), std::nullopt);
}

TEST(Format, UriHostsFollowTheGrammar) {
  EXPECT_TRUE(*matches_format("uri", "http://[v1.a:b]/"));
  EXPECT_FALSE(*matches_format("uri", "http://[v1.]/"));
  EXPECT_FALSE(*matches_format("uri", "http://[::1]x/"));
  EXPECT_FALSE(*matches_format("uri", "http://[::1/"));
  EXPECT_TRUE(*matches_format("uri", "http://host:/"));
  EXPECT_FALSE(*matches_format("uri-reference", ":a"));
}

TEST(Format, EmailRefusesControlsAndLongLocalParts) {
  EXPECT_FALSE(*matches_format("email", "\"a\nb\"@example.com"));
  EXPECT_FALSE(*matches_format("email", "\"a\\\"@example.com"));
  EXPECT_FALSE(*matches_format("email", std::string(65, 'a') + "@example.com"));
  EXPECT_TRUE(*matches_format("email", "\"a\\\"b\"@example.com"));
}

TEST(Format, DurationUnitsFollowWithoutGap) {
  EXPECT_TRUE(*matches_format("duration", "P1DT1M"));
  EXPECT_FALSE(*matches_format("duration", "PT1H1H"));
  EXPECT_FALSE(*matches_format("duration", "PW"));
}

}  // namespace
}  // namespace squall::schema
