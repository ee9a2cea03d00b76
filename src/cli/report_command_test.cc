#include "report_command.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <unistd.h>

#include "squall/recording/case_writer.h"

#include "captured_console.h"
#include "case_paths.h"

namespace squall::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A folder with two recorded runs, one passed and one that ended early.
class Recorded : public testing::Test {
 protected:
  Recorded() {
    std::string name = testing::TempDir() + "squall-report-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
    for (const char* scenario : {"first", "second"}) {
      recording::Header header;
      header.name = scenario;
      header.seed = scenario[0];
      header.started = std::string("2026-01-0") + (scenario[0] == 'f' ? "1" : "2");
      auto writer = recording::CaseWriter::create(folder, header,
                                                  std::make_shared<const recording::Redactor>())
                        .value();
      recording::Verdict verdict;
      verdict.name = scenario;
      writer->add({}, verdict);
      if (scenario[0] != 'f') continue;
      EXPECT_TRUE(writer->finish({}).has_value());
    }
  }
  ~Recorded() override { std::filesystem::remove_all(folder); }

  Exit squall(std::vector<const char*> words) {
    console = {};
    return run(words, console);
  }
  [[nodiscard]] std::string file(const char* name) const { return folder + "/" + name; }

  std::string folder;
  CapturedConsole console;
};

TEST_F(Recorded, IsReportedOnTheConsoleUnlessToldOtherwise) {
  EXPECT_EQ(squall({"report", folder.c_str()}), Exit::passed);
  EXPECT_THAT(console.output, HasSubstr("passed        first"));
  EXPECT_THAT(console.output, HasSubstr("inconclusive  second"));
  EXPECT_THAT(console.output, HasSubstr("ended before the run"));
}

TEST_F(Recorded, IsReportedInSeveralFormatsAtOnce) {
  const std::string html = "html=" + file("r.html");
  EXPECT_EQ(squall({"report", folder.c_str(), "--report", html.c_str(), "--report=json"}),
            Exit::passed);
  EXPECT_THAT(console.output, HasSubstr("\"squall_report\": 1"));
  std::ostringstream page;
  page << std::ifstream(file("r.html")).rdbuf();
  EXPECT_THAT(page.str(), testing::StartsWith("<!doctype html>"));
}

TEST_F(Recorded, IsReportedAsJsonWithItsErrors) {
  EXPECT_EQ(squall({"report", folder.c_str(), "--json"}), Exit::passed);
  EXPECT_THAT(console.output, testing::StartsWith("{\n  \"squall_report\": 1"));
  EXPECT_EQ(squall({"report", "/no/such/folder", "--json"}), Exit::could_not);
  EXPECT_THAT(console.output, HasSubstr("\"code\": \"report_failed\""));
  EXPECT_EQ(console.errors, "");
}

TEST(ReportWishes, AreCompletedForWhatIsToBeOpened) {
  const auto completed = [](std::vector<std::string> reports, bool open) {
    complete_wishes(reports, open);
    return reports;
  };
  using testing::ElementsAre;
  EXPECT_THAT(completed({}, false), ElementsAre("console"));
  EXPECT_THAT(completed({"junit"}, true), ElementsAre("junit", "html=squall-report.html"));
  EXPECT_THAT(completed({"html=a.html"}, true), ElementsAre("html=a.html"));
  const std::vector<std::string> wishes = {"html", "json=x", "html=a.html"};
  EXPECT_EQ(page_of(wishes), "a.html");
}

TEST_F(Recorded, SaysWhatItCannotDo) {
  EXPECT_EQ(squall({"report"}), Exit::could_not);
  EXPECT_THAT(console.errors, HasSubstr("report needs a case"));
  EXPECT_EQ(squall({"report", folder.c_str(), "--report", "pdf"}), Exit::could_not);
  EXPECT_THAT(console.errors, HasSubstr("must be console"));
  const std::string nowhere = "json=" + file("no/such/r.json");
  EXPECT_EQ(squall({"report", folder.c_str(), "--report", nowhere.c_str()}), Exit::could_not);
  EXPECT_THAT(console.errors, HasSubstr("No such file"));
  EXPECT_EQ(squall({"case", "list"}), Exit::could_not);
  EXPECT_EQ(squall({"case", "burn", folder.c_str()}), Exit::could_not);
}

TEST_F(Recorded, IsListedShownAndPruned) {
  EXPECT_EQ(squall({"case", "list", folder.c_str()}), Exit::passed);
  EXPECT_THAT(console.output, testing::ContainsRegex("2026-01-01.*\n.*2026-01-02"));
  EXPECT_EQ(squall({"case", "show", folder.c_str()}), Exit::passed);
  EXPECT_THAT(console.output, HasSubstr("first"));
  EXPECT_EQ(squall({"case", "prune", folder.c_str(), "--keep", "1"}), Exit::passed);
  EXPECT_THAT(console.output, HasSubstr("removed "));
  EXPECT_EQ(squall({"case", "list", folder.c_str()}), Exit::passed);
  EXPECT_THAT(console.output, Not(HasSubstr("2026-01-01")));
  EXPECT_THAT(console.output, HasSubstr("2026-01-02"));
}

}  // namespace
}  // namespace squall::cli
