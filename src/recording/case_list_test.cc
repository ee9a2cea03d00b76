#include "squall/recording/case_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "squall/recording/case_writer.h"

#include "scratch.h"

namespace squall::recording {
namespace {

using testing::HasSubstr;

std::filesystem::path make_case(const Scratch& scratch, std::uint64_t seed, const char* started) {
  Header header = sample_header();
  header.seed = seed;
  header.started = started;
  auto writer =
      CaseWriter::create(scratch / "cases", header, std::make_shared<const Redactor>()).value();
  EXPECT_TRUE(writer->finish({}).has_value());
  return writer->folder();
}

TEST(ListCases, GivesTheOldestFirst) {
  const Scratch scratch;
  const auto young = make_case(scratch, 1, "2026-03-01T00:00:00.000Z");
  const auto old = make_case(scratch, 2, "2026-02-01T00:00:00.000Z");
  std::filesystem::create_directory(scratch / "cases/broken.case");
  std::filesystem::create_directory(scratch / "cases/other");
  const auto cases = list_cases(scratch / "cases").value();
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_THAT(cases[0].trouble, HasSubstr("case.json"));
  EXPECT_EQ(cases[1].path, old);
  EXPECT_EQ(cases[2].path, young);
  EXPECT_GT(cases[2].bytes, 100u);
  EXPECT_EQ(list_cases(scratch / "none").error().kind, ErrorKind::not_found);
}

TEST(PickToPrune, KeepsTheNewestThatFit) {
  std::vector<CaseFolder> cases(4);
  for (std::size_t i = 0; i < 4; ++i) cases[i].path = std::to_string(i), cases[i].bytes = 10;
  EXPECT_EQ(pick_to_prune(cases, {.keep = 3}).size(), 1u);
  EXPECT_EQ(pick_to_prune(cases, {.keep = 3})[0].path, "0");
  EXPECT_EQ(pick_to_prune(cases, {.keep = 9}).size(), 0u);
  EXPECT_EQ(pick_to_prune(cases, {.keep = 0}).size(), 4u);
  EXPECT_EQ(pick_to_prune(cases, {.keep = 9, .bytes_max = 25}).size(), 2u);
}

TEST(RemoveCase, RemovesACaseAndNothingElse) {
  const Scratch scratch;
  const auto folder = make_case(scratch, 1, "2026-03-01T00:00:00.000Z");
  write_text(folder / "notes.txt", "mine");
  EXPECT_THAT(remove_case(folder).error().message, HasSubstr("notes.txt: belongs to no case"));
  EXPECT_TRUE(std::filesystem::exists(folder / "case.json"));

  std::filesystem::remove(folder / "notes.txt");
  std::filesystem::create_symlink(scratch / "cases", scratch / "link.case");
  EXPECT_FALSE(remove_case(scratch / "link.case").has_value());
  EXPECT_FALSE(remove_case(scratch / "cases").has_value());
  ASSERT_TRUE(remove_case(folder).has_value());
  EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace squall::recording
