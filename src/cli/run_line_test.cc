#include "run_line.h"

#include <gmock/gmock.h>

namespace squall::cli {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

lab::Scenario scenario_of(const std::string& name, const std::string& faults) {
  auto read = lab::read_scenario(name + ".yaml", "squall: 1\nname: " + name + "\n" + faults +
                                                     "steps: [ { call: { tool: ping } } ]\n");
  EXPECT_TRUE(read.has_value()) << read.error().message;
  return *std::move(read);
}

class RunningLine : public testing::Test {
 protected:
  RunningLine() { options_.cases.scheme = fault::kScheme; }
  std::string line() {
    const auto made = running_line(scenarios_, registry_, options_);
    return made ? *made : made.error().message;
  }
  std::vector<lab::Scenario> scenarios_;
  lab::AdapterRegistry registry_;
  lab::SuiteOptions options_;
};

TEST_F(RunningLine, TellsOfTheSeedInBothFormsAndWhereItCameFrom) {
  scenarios_ = {scenario_of("one", "faults: { profile: flaky, seed: 17 }\n")};
  EXPECT_THAT(line(), AllOf(HasSubstr(" scenarios=1 runs=1 seed=17 seed_hex=0x11 "
                                      "seed_from=\"the scenario\" profile=flaky profile_sha256="),
                            HasSubstr(" scheme=squall-draw-1 run=")));
  options_.seeds = {{"--seed", "0x20"}};
  EXPECT_THAT(line(), HasSubstr(" seed=32 seed_hex=0x20 seed_from=--seed "));
}

TEST_F(RunningLine, ChangesItsRunWithItsInputs) {
  scenarios_ = {scenario_of("one", "faults: { profile: flaky, seed: 17 }\n")};
  const std::string before = line();
  EXPECT_EQ(line(), before);
  options_.seeds = {{"--seed", "18"}};
  const auto run_of = [](const std::string& text) { return text.substr(text.rfind('=')); };
  EXPECT_NE(run_of(line()), run_of(before));
}

TEST_F(RunningLine, SaysOfManyOnlyWhatTheyShare) {
  scenarios_ = {scenario_of("one", "faults: { profile: flaky, seed: 17 }\n"),
                scenario_of("two", "faults: { profile: slow, seed: 18 }\n"),
                scenario_of("three", "")};
  options_.shard = {2, 3};
  EXPECT_THAT(line(), AllOf(HasSubstr(" scenarios=3 runs=1 shard=2/3 seed=several profiles=2 "),
                            EndsWith(" scheme=squall-draw-1")));
  EXPECT_THAT(line(), Not(HasSubstr(" run=")));
}

}  // namespace
}  // namespace squall::cli
