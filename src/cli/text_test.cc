#include "text.h"

#include <gtest/gtest.h>

namespace squall::cli {
namespace {

TEST(Quote, KeepsOneShortPrintableLine) {
  EXPECT_EQ(quote("sevre"), "'sevre'");
  EXPECT_EQ(quote("a\nb\x1b[31m\xff"), "'a?b?[31m?'");
  EXPECT_EQ(quote(std::string(1000, 'x')), "'" + std::string(60, 'x') + "...'");
}

TEST(Text, WordsGoBackThroughAShell) {
  EXPECT_EQ(shell_word("a/b-c=1"), "a/b-c=1");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
}

}  // namespace
}  // namespace squall::cli
