#include "squall/cases/inputs.h"

#include <gmock/gmock.h>

#include "test_run.h"

namespace squall::cases {
namespace {

using testing::HasSubstr;

TEST(Inputs, AreTheProfileThatWasRecorded) {
  const TestRun run(kManyRules);
  const auto inputs = inputs_of(run.read().header);
  ASSERT_TRUE(inputs) << inputs.error().message;
  EXPECT_EQ(fault::hash_of(inputs->profile), fault::hash_of(run.inputs().profile));
  EXPECT_EQ(inputs->seed, fault::Seed{7});
  EXPECT_FALSE(inputs->pinned);
}

TEST(Inputs, AreRefusedWhenTheyDoNotRead) {
  TestRun run(kManyRules);
  run.header.profile.set("rules", "all of them");
  EXPECT_FALSE(inputs_of(run.header));
  run.header.profile = json::Value();
  EXPECT_TRUE(inputs_of(run.header).value().profile.rules.empty());
  TestRun other(kManyRules);
  other.header.scheme = "squall-draw-2";
  EXPECT_THAT(inputs_of(other.header).error().message, HasSubstr("squall-draw-1"));
  TestRun seedless(kManyRules);
  seedless.header.profile.erase("seed");
  seedless.header.seed.reset();
  EXPECT_THAT(inputs_of(seedless.header).error().message, HasSubstr("no seed"));
}

}  // namespace
}  // namespace squall::cases
