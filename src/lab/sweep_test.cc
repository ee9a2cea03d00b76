#include "squall/lab/sweep.h"

#include <gmock/gmock.h>

namespace squall::lab {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

RunResult failing(const std::string& name, const std::string& received) {
  RunResult out;
  out.judgement = Judgement::failed;
  Finding finding{name, "success", received, false};
  StepResult step;
  step.number = 2;
  step.label = "call t";
  step.judgement = Judgement::failed;
  step.findings = {finding};
  out.steps = {step};
  out.rules = {{"often", 3, 1}, {"never", 2, 0}, {"nowhere", 0, 0}};
  return out;
}

TEST(Sweep, GroupsWhatFailedAlikeWhateverTheOrder) {
  const RunResult late = failing("outcome", "timeout");
  const RunResult wrong = failing("outcome", "error");
  RunResult good;
  good.rules = late.rules;
  Sweep forth, back;
  const std::vector<std::pair<std::uint64_t, const RunResult*>> runs = {
      {1, &late}, {2, &good}, {3, &wrong}, {4, &late}};
  for (const auto& [seed, result] : runs) forth.add(seed, *result, std::to_string(seed));
  for (auto at = runs.rbegin(); at != runs.rend(); ++at) {
    back.add(at->first, *at->second, std::to_string(at->first));
  }
  for (const Sweep* sweep : {&forth, &back}) {
    const auto groups = sweep->groups();
    ASSERT_THAT(groups, SizeIs(2));
    EXPECT_EQ(groups[0].what, "step 2, call t: outcome timeout in place of success");
    EXPECT_THAT(groups[0].seeds, ElementsAre(1, 4));
    EXPECT_EQ(groups[0].case_id, "1");
    EXPECT_THAT(groups[1].seeds, ElementsAre(3));
    EXPECT_EQ(sweep->runs(), 4U);
    EXPECT_EQ(sweep->unproven(),
              "rule never never struck (eligible 8 times); rule nowhere never became eligible");
  }
}

TEST(Sweep, LeavesValuesThatDifferOutOfTheGroup) {
  Sweep sweep;
  sweep.add(1, failing("result /id", "17"), "");
  sweep.add(2, failing("result /id", "18"), "");
  EXPECT_THAT(sweep.groups(), SizeIs(1));
}

TEST(Sweep, KeepsWithinItsLimits) {
  Sweep sweep;
  for (std::uint64_t seed = 0; seed < Sweep::kSeedsListed + 5; ++seed) {
    sweep.add(seed, failing("outcome", "timeout"), "");
  }
  EXPECT_EQ(sweep.groups()[0].seeds.size(), Sweep::kSeedsListed);
  EXPECT_EQ(sweep.groups()[0].runs, Sweep::kSeedsListed + 5);
  for (std::size_t i = 0; i < Sweep::kGroupsMax + 5; ++i) {
    sweep.add(1, failing("result /" + std::to_string(i), "x"), "");
  }
  EXPECT_EQ(sweep.groups().size(), Sweep::kGroupsMax);
  EXPECT_EQ(sweep.others(), 6U);
}

}  // namespace
}  // namespace squall::lab
