#include "case_paths.h"

#include <gmock/gmock.h>

namespace squall::cli {
namespace {

using testing::HasSubstr;

TEST(CasePaths, TakesAFolderThatIsACaseAsItIs) {
  const std::string paths[] = {"a/b.case", "c.case/"};
  const auto found = case_paths(paths);
  ASSERT_TRUE(found.has_value());
  EXPECT_THAT(*found, testing::ElementsAre("a/b.case", "c.case"));
}

TEST(CasePaths, SaysWhereThereIsNone) {
  const std::string paths[] = {"no/such/folder"};
  EXPECT_THAT(case_paths(paths).error().message, HasSubstr("no/such/folder: cannot read"));
}

TEST(ReportWish, IsAFormatAndAFileOrNone) {
  EXPECT_EQ(judge_report_wish("html=a=b.html"), "");
  EXPECT_EQ(read_report_wish("html=a=b.html").file, "a=b.html");
  EXPECT_EQ(judge_report_wish("console"), "");
  EXPECT_EQ(read_report_wish("console").file, "");
  EXPECT_THAT(judge_report_wish("pdf"), HasSubstr("must be console, json"));
  EXPECT_THAT(judge_report_wish("json="), HasSubstr("needs a file"));
}

}  // namespace
}  // namespace squall::cli
