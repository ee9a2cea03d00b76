#include "squall/mcp/revision.h"

#include <gtest/gtest.h>

namespace squall::mcp {
namespace {

TEST(Revision, TextsRoundTripAndStayInOrder) {
  std::string_view before;
  for (const Revision revision : all_revisions()) {
    EXPECT_EQ(revision_from(to_text(revision)), revision);
    EXPECT_LT(before, to_text(revision));
    before = to_text(revision);
  }
  EXPECT_EQ(revision_from("2024-10-07"), std::nullopt);
  EXPECT_EQ(revision_from(""), std::nullopt);
}

TEST(Revision, ErasExcludeEachOther) {
  for (const Revision revision : all_revisions()) {
    EXPECT_NE(supports(revision, Feature::handshake),
              supports(revision, Feature::per_request_envelope));
    EXPECT_EQ(is_modern_text(to_text(revision)), supports(revision, Feature::per_request_envelope));
  }
}

TEST(Revision, OnlyDatesCanBelongToTheModernEra) {
  EXPECT_TRUE(is_modern_text("2030-01-01"));
  for (const char* text : {"", "banana", "v999.0.0", "2026-07-27", "2026-07-28 ", "2026/07/28"}) {
    EXPECT_FALSE(is_modern_text(text)) << text;
  }
}

TEST(Revision, BatchesBelongToOneRevision) {
  int count = 0;
  for (const Revision revision : all_revisions()) count += supports(revision, Feature::batches);
  EXPECT_EQ(count, 1);
  EXPECT_TRUE(supports(Revision::r2025_03_26, Feature::batches));
}

}  // namespace
}  // namespace squall::mcp
