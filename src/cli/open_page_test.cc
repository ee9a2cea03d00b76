#include "open_page.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

namespace squall::cli {
namespace {

using testing::HasSubstr;

/// A console of a person with a browser of their own.
class WithBrowser final : public Console {
 public:
  explicit WithBrowser(std::string browser) : browser_(std::move(browser)) {}
  void out(std::string_view) override {}
  void err(std::string_view) override {}
  [[nodiscard]] std::map<std::string, std::string, std::less<>> environment() const override {
    return {{"BROWSER", browser_}};
  }

 private:
  std::string browser_;
};

TEST(OpenPage, ShowsTheFileInTheBrowserThatThePersonChose) {
  std::string folder = testing::TempDir() + "squall-open-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string told = folder + "/told";
  ASSERT_EQ(::mkfifo(told.c_str(), 0600), 0);
  const std::string browser = folder + "/browser";
  std::ofstream(browser) << "#!/bin/sh\necho \"$#: $1\" > " << told << "\n";
  ASSERT_EQ(::chmod(browser.c_str(), 0700), 0);
  const std::string page = folder + "/a page; rm -rf $x.html";
  ASSERT_TRUE(open_page(page, WithBrowser(browser)).has_value());
  std::string line;
  std::getline(std::ifstream(told) >> std::ws, line);  // waits for it
  EXPECT_EQ(line, "1: " + page);
  std::filesystem::remove_all(folder);
}

TEST(OpenPage, SaysThatThereIsNoBrowser) {
  const auto opened = open_page("x.html", WithBrowser("/no/such/browser"));
  ASSERT_FALSE(opened.has_value());
  EXPECT_THAT(opened.error().message, HasSubstr("cannot show x.html with /no/such/browser"));
}

}  // namespace
}  // namespace squall::cli
