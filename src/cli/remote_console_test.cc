#include "remote_console.h"

#include <gmock/gmock.h>

#include "captured_console.h"

namespace squall::cli {
namespace {

client::Progress progress(double done, std::optional<double> total, std::string message = "") {
  client::Progress out;
  out.progress = done;
  out.total = total;
  out.message = std::move(message);
  return out;
}

TEST(ProgressText, IsABarWhereThereIsATotal) {
  EXPECT_EQ(progress_text(progress(5, 20)), "[#####---------------]  25%  5 of 20");
  EXPECT_EQ(progress_text(progress(2, 2, "done\nall")),
            "[####################] 100%  2 of 2  done all");
  EXPECT_EQ(progress_text(progress(3, std::nullopt, "x")), "3  x");
}

TEST(ProgressText, StandsNonsense) {
  EXPECT_EQ(progress_text(progress(9, 3)), "[####################] 100%  9 of 3");
  EXPECT_EQ(progress_text(progress(-1, 3)), "[--------------------]   0%  -1 of 3");
  EXPECT_EQ(progress_text(progress(1, 0)), "1 of 0");
}

TEST(RemoteConsole, WipesTheDrawnLineAway) {
  CapturedConsole inner;
  RemoteConsole console(inner);
  console.draw("half");
  console.draw(std::string(100, 'x'));
  console.out("result\n");
  console.err("more\n");
  EXPECT_EQ(inner.errors, "\rhalf\x1b[K\r" + std::string(79, 'x') + "\x1b[K\r\x1b[Kmore\n");
  EXPECT_EQ(inner.output, "result\n");
}

TEST(RemoteConsole, HidesSecretsAlsoAsJsonWritesThem) {
  CapturedConsole inner;
  RemoteConsole console(inner);
  console.hide({{"ab\"cd", "KEY"}});
  console.out(R"(ab"cd and {"k":"ab\"cd"})");
  console.draw("ab\"cd");
  EXPECT_EQ(inner.output, R"([redacted:KEY] and {"k":"[redacted:KEY]"})");
  EXPECT_EQ(inner.errors, "\r[redacted:KEY]\x1b[K");
}

}  // namespace
}  // namespace squall::cli
