#include "squall/recording/header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "squall/json/parse.h"

#include "scratch.h"

namespace squall::recording {
namespace {

using testing::HasSubstr;

TEST(CaseId, IsSharedByEqualInputsAlone) {
  const std::string id = case_id(sample_header()).value();
  EXPECT_EQ(id.size(), 12u);
  EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz234567"), std::string::npos);

  Header other = sample_header();
  other.started = "2027-01-01T00:00:00.000Z";
  other.platform = "linux s390x";
  other.run = 9;
  other.name = "renamed";
  EXPECT_EQ(case_id(other).value(), id);
  other.seed = 1338;
  EXPECT_NE(case_id(other).value(), id);
  other.seed.reset();
  EXPECT_NE(case_id(other).value(), id);
}

TEST(CaseId, IsTheFirst60BitsOfTheDigestOfTheCanonicalInputs) {
  // printf '{"profile":null,"protocol":"","scenario":null,"schedule":null,"scope":"","seed":"",
  // "target":null}' (in one line) | sha256sum begins f102feec7ccd929
  EXPECT_EQ(case_id(Header{}).value(), "6ebp53d4zwjj");
}

TEST(CaseId, NeedsInputsWithACanonicalForm) {
  Header header;
  header.profile = json::Value::from_members({{"a", 1}, {"a", 2}});
  EXPECT_FALSE(case_id(header).has_value());
}

TEST(RunId, TellsRunsOfEqualInputsApart) {
  Header header = sample_header();
  EXPECT_EQ(run_id(header).value(), case_id(header).value());
  header.run = 3;
  EXPECT_EQ(run_id(header).value(), case_id(header).value() + "-3");
}

TEST(HeaderText, SaysEverythingThatTheHeaderHolds) {
  Header header = sample_header();
  header.seed = 18446744073709551615u;
  header.schedule = json::Value::array({1});
  header.scenario = json::Value::object({{"name", "x"}});
  header.target = json::Value::object({{"transport", "stdio"}});
  header.scenario_file = "x.yaml";
  header.seed_source = "--seed";
  header.counters = json::Value::object({{"a", 1}});
  header.server = json::Value::object({{"name", "squall"}});
  header.tools_sha256 = std::string(64, '0');
  header.repeat = "squall run x.yaml --seed 1";
  header.run = 2;
  const std::string text = to_text(header).value();
  EXPECT_EQ(parse_header(text).value(), header);
  EXPECT_THAT(text, HasSubstr(R"("seed": "18446744073709551615")"));
  EXPECT_THAT(text, HasSubstr(R"("seed_hex": "0xffffffffffffffff")"));
  EXPECT_THAT(text, HasSubstr(R"("profile_sha256": ")"));
}

TEST(ParseHeader, RefusesInputsThatWereChanged) {
  std::string text = to_text(sample_header()).value();
  const auto at = text.find("flaky");
  text.replace(at, 5, "flaki");
  const auto read = parse_header(text);
  ASSERT_FALSE(read.has_value());
  EXPECT_THAT(read.error().message, HasSubstr("the inputs were changed"));
}

TEST(ParseHeader, RefusesWhatIsNotInTheFormat) {
  const std::pair<const char*, const char*> refused[] = {
      {"{}", "/squall_case: expected the version"},
      {R"({"squall_case": 0})", "/squall_case: expected the version"},
      {R"({"squall_case": 2})", "has format version 2; this program reads up to version 1"},
      {R"({"squall_case": 1, "run": 0})", "/run: expected a number from 1"},
      {R"({"squall_case": 1, "run": 1, "seed": "007"})", "/seed: expected decimal digits"},
      {R"({"squall_case": 1, "run": 1, "seed": 7})", "/seed: expected a string"},
      {R"({"squall_case": 1, "run": 1, "sede": "7"})", "did you mean \"seed\""},
  };
  for (const auto& [text, why] : refused) {
    const auto read = parse_header(text);
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_THAT(read.error().message, HasSubstr(why)) << text;
  }
}

}  // namespace
}  // namespace squall::recording
