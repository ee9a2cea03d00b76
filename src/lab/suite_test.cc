#include "squall/lab/suite.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "squall/recording/case_reader.h"

#include "fake_target.h"

namespace squall::lab {
namespace {

namespace fs = std::filesystem;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

class Suite : public testing::Test {
 protected:
  Suite() {
    std::string name = (fs::temp_directory_path() / "squall-suite-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    options_.cases.folder = (folder_ / "cases").string();
    options_.cases.tool = "squall 0";
    options_.cases.started = "2026-01-01T00:00:00.000Z";
    options_.cases.platform = "linux";
    options_.cases.scheme = "none";
    options_.environment = [](std::string_view) { return std::optional<std::string>(); };
    options_.repeat_command = [](const Scenario& each, std::optional<std::uint64_t>) {
      return "squall run " + each.file;
    };
  }
  ~Suite() override { fs::remove_all(folder_); }

  void add(const std::string& name, const std::string& tool, const std::string& outcome) {
    auto read =
        read_scenario(name + ".json", R"({"name":")" + name + R"(","call":{"tool":")" + tool +
                                          R"(","args":{}},"timeoutMs":50,"expect":{"outcome":")" +
                                          outcome + "\"}}");
    ASSERT_TRUE(read.has_value()) << read.error().message;
    scenarios_.push_back(*std::move(read));
  }
  std::vector<Played> run() { return run_suite(scenarios_, registry_, options_); }
  static std::string verdicts(const std::vector<Played>& played) {
    std::string out;
    for (const Played& each : played) {
      out += each.scenario->name + " " + std::string(to_text(each.result.judgement)) + "; ";
    }
    return out;
  }

  fs::path folder_;
  AdapterRegistry registry_;
  SuiteOptions options_;
  std::vector<Scenario> scenarios_;
};

TEST_F(Suite, KeepsItsOrderWhateverTheJobs) {
  for (int i = 0; i < 6; ++i) {
    add("good" + std::to_string(i), "ping", "success");
    add("bad" + std::to_string(i), "ping", "timeout");
  }
  options_.repeat = 5;
  const std::string alone = verdicts(run());
  for (const std::size_t jobs : {2U, 7U}) {
    options_.jobs = jobs;
    EXPECT_EQ(verdicts(run()), alone);
  }
  EXPECT_THAT(alone, HasSubstr("good0 passed; bad0 failed; good1 passed;"));
}

TEST_F(Suite, SkipsWhatComesBehindTheFirstFailureWhenAskedTo) {
  add("one", "ping", "success");
  add("two", "ping", "timeout");
  add("three", "ping", "success");
  options_.fail_fast = true;
  for (const std::size_t jobs : {1U, 3U}) {
    options_.jobs = jobs;
    EXPECT_EQ(verdicts(run()), "one passed; two failed; three skipped; ");
  }
}

TEST_F(Suite, WritesTheCaseOfAFailure) {
  add("good", "ping", "success");
  add("bad", "hang", "success");
  const auto played = run();
  EXPECT_EQ(played[0].case_folder, "");
  const auto record = recording::read_case(played[1].case_folder);
  ASSERT_TRUE(record.has_value()) << record.error().message;
  EXPECT_EQ(record->run_id, played[1].case_id);
  EXPECT_EQ(record->run_hash, played[1].run_hash);
  EXPECT_EQ(record->ended_early, "");
  EXPECT_EQ(record->header.repeat, "squall run bad.json");
  std::size_t messages = 0;
  for (const recording::Event& event : record->events) {
    messages += std::holds_alternative<recording::Message>(event.body) ? 1 : 0;
  }
  EXPECT_GE(messages, 3U);  // discovery and its answer, and the call
}

TEST_F(Suite, WritesEveryCaseWhenAskedToWithTheSameHash) {
  add("good", "ping", "success");
  options_.cases.always = true;
  const auto once = run();
  const auto twice = run();
  EXPECT_NE(once[0].case_folder, twice[0].case_folder);
  EXPECT_EQ(once[0].run_hash, twice[0].run_hash);
  EXPECT_THAT(once[0].run_hash, Not(IsEmpty()));
}

TEST_F(Suite, CountsWhatIsFlaky) {
  // Each run of the fake is one operation further: every third run meets a loss.
  const auto plan = std::make_shared<test::FakePlan>();
  for (int i = 0; i < 30; ++i) {
    test::FakeStep good;
    good.attempt.value = json::Value::object();
    test::FakeStep bad;
    bad.attempt.ending = i % 3 == 0 ? Ending::transport_loss : Ending::success;
    plan->steps.insert(plan->steps.end(), {good, bad, good});
  }
  ASSERT_TRUE(registry_
                  .add("fake",
                       [plan](const std::string&, const std::string&) {
                         return Result<std::unique_ptr<Target>>(
                             std::make_unique<test::FakeTarget>(*plan));
                       })
                  .has_value());
  add("flaky", "t", "success");
  const fs::path file = folder_ / "target.json";
  std::ofstream(file) << R"({"adapter":"fake"})";
  options_.target_file = file.string();
  options_.repeat = 30;
  const auto played = run();
  EXPECT_EQ(played[0].repetition.runs, 30U);
  EXPECT_EQ(played[0].repetition.not_passed, 10U);
  EXPECT_EQ(played[0].result.judgement, Judgement::failed);
}

TEST(Repetition, HasWilsonsInterval) {
  // Against the published example: 10 of 30.
  EXPECT_THAT((Repetition{30, 10}.interval()),
              Pair(DoubleNear(0.1923, 1e-4), DoubleNear(0.5122, 1e-4)));
  EXPECT_THAT((Repetition{100, 0}.interval()),
              Pair(DoubleNear(0, 1e-12), DoubleNear(0.0370, 1e-4)));
  EXPECT_THAT((Repetition{10, 10}.interval()),
              Pair(DoubleNear(0.7225, 1e-4), DoubleNear(1, 1e-12)));
}

TEST_F(Suite, NamesATargetThatCannotBeRead) {
  add("one", "ping", "success");
  options_.target_file = "nowhere.yaml";
  EXPECT_THAT(check_targets(scenarios_, registry_, options_).error().message,
              HasSubstr("nowhere.yaml: No such file"));
}

TEST_F(Suite, EndsWhenItIsStopped) {
  add("one", "ping", "success");
  const std::atomic<bool> stop = true;
  options_.stop = &stop;
  const auto played = run();
  EXPECT_EQ(played[0].result.judgement, Judgement::skipped);
  EXPECT_EQ(played[0].result.why, "the run was interrupted");
}

}  // namespace
}  // namespace squall::lab
