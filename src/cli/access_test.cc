#include "access.h"

#include <gmock/gmock.h>

#include "captured_console.h"

namespace squall::cli {
namespace {

using testing::HasSubstr;

TEST(CredentialsFile, IsWhereTheBaseDirectoriesSay) {
  EXPECT_EQ(credentials_file({{"XDG_DATA_HOME", "/d"}, {"HOME", "/h"}}),
            "/d/squall/credentials.json");
  EXPECT_EQ(credentials_file({{"XDG_DATA_HOME", "d"}, {"HOME", "/h"}}),
            "/h/.local/share/squall/credentials.json");
  EXPECT_EQ(credentials_file({}), "");
}

TEST(ShowAddress, PrintsItWhereNoBrowserIsWanted) {
  const auto loop = runtime::SystemLoop::make();
  CapturedConsole console;
  EXPECT_TRUE(show_address(*loop, console, {}, true)("https://a/?b").has_value());
  EXPECT_EQ(console.errors, "Go to this address:\n  https://a/?b\n");
}

TEST(ShowAddress, FailsWhereNobodyWouldSeeIt) {
  const auto loop = runtime::SystemLoop::make();
  CapturedConsole console;
  const auto shown = show_address(*loop, console, {}, false)("https://a/?b");
  EXPECT_THAT(shown.error().message, HasSubstr("--no-browser"));
  EXPECT_EQ(console.errors, "");
}

}  // namespace
}  // namespace squall::cli
