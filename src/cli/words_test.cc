#include "words.h"

#include <gtest/gtest.h>

#include "parser.h"

namespace squall::cli {
namespace {

/// "" when the words are fine, else the error.
std::string check(std::initializer_list<const char*> words) {
  const auto checked = check_words({words.begin(), words.size()}, command_model());
  return checked ? "" : checked.error().message;
}

TEST(CheckWords, AcceptsWhatHasAPlace) {
  EXPECT_EQ(check({}), "");
  EXPECT_EQ(check({"--version"}), "");
  EXPECT_EQ(check({"serve", "--transport", "http", "--port=0", "-v"}), "");
  EXPECT_EQ(check({"completion", "bash", "--help"}), "");
}

TEST(CheckWords, NamesTheNearestCommand) {
  EXPECT_EQ(check({"sevre"}), "unknown command 'sevre'; did you mean serve?");
  EXPECT_EQ(check({"frobnicate"}),
            "unknown command 'frobnicate'; squall --help lists what there is");
}

TEST(CheckWords, NamesTheNearestOptionOfTheCommand) {
  EXPECT_EQ(check({"serve", "--tranport", "http"}),
            "unknown option '--tranport'; did you mean --transport?");
  EXPECT_EQ(check({"demo", "--transport", "http"}),
            "unknown option '--transport'; squall --help lists what there is");
  EXPECT_EQ(check({"serve", "--prot=80"}), "unknown option '--prot'; did you mean --port?");
  EXPECT_EQ(check({"serve", "-vx"}), "unknown option '-vx'; did you mean -v?");
  EXPECT_EQ(check({"serve", "-x"}), "unknown option '-x'; squall --help lists what there is");
}

TEST(CheckWords, TakesNoOptionForAValue) {
  EXPECT_EQ(check({"serve", "--host", "--port", "80"}), "--host needs a value: HOST");
  EXPECT_EQ(check({"serve", "--host"}), "--host needs a value: HOST");
  EXPECT_EQ(check({"serve", "--host="}), "--host needs a value: HOST");
  EXPECT_EQ(check({"serve", "--host", ""}), "--host needs a value: HOST");
  EXPECT_EQ(check({"serve", "--quiet=yes"}), "--quiet takes no value");
}

TEST(CheckWords, RefusesWordsTooMany) {
  EXPECT_EQ(check({"demo", "now"}), "demo has no place for 'now'");
  EXPECT_EQ(check({"completion", "bash", "zsh"}), "completion has no place for 'zsh'");
  EXPECT_EQ(check({"serve", "--"}), "'--' has no place here");
}

}  // namespace
}  // namespace squall::cli
