#include "squall/server/log.h"

#include <algorithm>
#include <array>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "squall/json/parse.h"

namespace squall::server {
namespace {

const std::chrono::sys_days kDay = std::chrono::year{2026} / 1 / 2;

TEST(LogLine, IsWordsInText) {
  EXPECT_EQ(log_line(LogFormat::text, kDay, Severity::warning, "refused",
                     {{"host", "evil.example"}, {"bytes", 12}, {"ms", 1.5}}),
            "2026-01-02T00:00:00.000Z warning refused host=evil.example bytes=12 ms=1.50");
  EXPECT_EQ(log_line(LogFormat::text, kDay, Severity::info, "x", {}),
            "2026-01-02T00:00:00.000Z info x");
}

TEST(LogLine, QuotesWhatWouldNotBeOneWord) {
  EXPECT_EQ(log_line(LogFormat::text, kDay, Severity::info, "x",
                     {{"a", ""}, {"b", "two words"}, {"c", "q\"x"}, {"d", "k=v"}}),
            R"(2026-01-02T00:00:00.000Z info x a="" b="two words" c="q\"x" d="k=v")");
}

TEST(LogLine, IsOneObjectInJson) {
  EXPECT_EQ(log_line(LogFormat::json, kDay, Severity::error, "x",
                     {{"what", "a \"b\""}, {"bytes", -1}, {"ms", 0.25}}),
            R"({"ts":"2026-01-02T00:00:00.000Z","level":"error","event":"x",)"
            R"("what":"a \"b\"","bytes":-1,"ms":0.25})");
}

TEST(LogLine, CannotBeBrokenByWhatItTells) {
  std::string bytes;
  for (int c = 0; c < 256; ++c) bytes += static_cast<char>(c);
  for (const LogFormat format : {LogFormat::text, LogFormat::json}) {
    const std::string_view all = bytes;
    for (const std::string_view value : {all, all.substr(64), all.substr(128)}) {
      const std::string line = log_line(format, kDay, Severity::info, "x",
                                        {{"a", value}, {"b", std::string(5000, '\n')}});
      for (const char c : line) EXPECT_TRUE(c >= ' ' && c <= '~');
      EXPECT_LT(line.size(), 4'000U);
      if (format == LogFormat::json) {
        EXPECT_TRUE(json::parse(line).has_value()) << line;
      }
    }
  }
}

TEST(LogLine, StaysShortWithManyFields) {
  const std::string value(5000, '"');
  const std::string line = log_line(LogFormat::json, kDay, Severity::info, "x",
                                    {{"a", value},
                                     {"b", value},
                                     {"c", value},
                                     {"d", value},
                                     {"e", value},
                                     {"f", value},
                                     {"g", value},
                                     {"h", value}});
  EXPECT_LT(line.size(), 4'001U);
  EXPECT_TRUE(json::parse(line).has_value());
}

TEST(Log, WritesWhatIsSevereEnough) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const auto log = make_log(LogFormat::json, Severity::warning, ends[1]);
  EXPECT_FALSE(log->wants(Severity::info));
  log->write(Severity::info, "quiet");
  log->write(Severity::error, "loud");
  ::close(ends[1]);
  std::string text(1000, '\0');
  const ssize_t size = ::read(ends[0], text.data(), text.size());
  ::close(ends[0]);
  ASSERT_GT(size, 0);
  text.resize(static_cast<std::size_t>(size));
  EXPECT_EQ(text.find("quiet"), std::string::npos);
  EXPECT_NE(text.find("\"event\":\"loud\"}\n"), std::string::npos);
}

TEST(Log, TellsHowManyLinesAreLost) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  constexpr std::int64_t kLines = 3'000;
  std::string text(1 << 20, '\0');
  auto log = make_log(LogFormat::json, Severity::info, ends[1]);
  for (std::int64_t i = 0; i < kLines; ++i) log->write(Severity::info, "entry", {{"number", i}});
  const ssize_t first = ::read(ends[0], text.data(), text.size());
  log = nullptr;
  ::close(ends[1]);
  ASSERT_GT(first, 0);
  const auto begun = static_cast<std::size_t>(first);
  const ssize_t second = ::read(ends[0], text.data() + begun, text.size() - begun);
  ::close(ends[0]);
  ASSERT_GT(second, 0);
  text.resize(begun + static_cast<std::size_t>(second));
  const std::int64_t written = std::count(text.begin(), text.end(), '\n') - 1;
  const auto told = json::parse(text.substr(text.rfind("{\"ts\"")));
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->find_string("event"), "log_lines_lost");
  EXPECT_LT(written, kLines);
  EXPECT_EQ(told->find("count")->as_int64(), kLines - written);
}

}  // namespace
}  // namespace squall::server
