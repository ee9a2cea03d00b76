#include "trial.h"

#include <gmock/gmock.h>

namespace squall::cli {
namespace {

using namespace std::chrono_literals;

TEST(RunCommand, TellsHowItEnded) {
  EXPECT_EQ(run_command({"/bin/sh", "-c", "exit 7"}, {}, 10s)->code, 7);
  EXPECT_EQ(run_command({"/bin/sh", "-c", "kill -9 $$"}, {}, 10s)->code, 137);
  EXPECT_EQ(run_command({"/bin/sh", "-c", "cat; echo done"}, {}, 10s)->code, 0);
  EXPECT_FALSE(run_command({"/no/such/program"}, {}, 10s));
}

TEST(RunCommand, GivesItTheseVariablesAlone) {
  EXPECT_EQ(
      run_command({"/bin/sh", "-c", "test \"$ONE\" = 1 && test -z \"$HOME\""}, {{"ONE", "1"}}, 10s)
          ->code,
      0);
}

TEST(RunCommand, EndsWhatTakesTooLong) {
  const auto end = run_command({"/bin/sh", "-c", "while :; do :; done"}, {}, 50ms);
  ASSERT_TRUE(end);
  EXPECT_TRUE(end->timed_out);
  EXPECT_EQ(end->code, 137);
}

TEST(RunCommand, ReadsWhateverItWritesAndKeepsTheEnd) {
  const auto end = run_command({"/bin/sh", "-c",
                                "i=0; while [ $i -lt 20000 ]; do echo line $i; echo line $i >&2; "
                                "i=$((i+1)); done; exit 3"},
                               {}, 60s);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->code, 3);
  EXPECT_THAT(end->last_words, testing::EndsWith("line 19999\n"));
  EXPECT_LE(end->last_words.size(), 2000U);
}

}  // namespace
}  // namespace squall::cli
