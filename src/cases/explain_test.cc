#include "squall/cases/explain.h"

#include <gmock/gmock.h>

#include "test_run.h"

namespace squall::cases {
namespace {

using testing::HasSubstr;

constexpr const char* kTwoRules =
    "squall: 1\nname: p\nseed: 1337\nrules:\n"
    "  - {id: err, fault: error, key: call, probability: 1/1000000, when: {tool: search}}\n"
    "  - {id: gone, fault: lost, attempts: [2]}\n";

TEST(Explain, TellsOfACallEveryRuleWhatRanAndWhatCameOut) {
  TestRun run(kTwoRules);
  const json::Value arguments = json::Value::object({{"q", "x"}});
  run.call("search", arguments);
  run.call("search", arguments, "the clean answer");
  const auto struck = explain_struck(run.read());
  ASSERT_EQ(struck.size(), 1U);
  const Explanation& one = struck.front();
  EXPECT_EQ(one.what, "tools/call search");
  EXPECT_EQ(one.site, R"(["args","search",{"q":"x"},2])");
  ASSERT_EQ(one.rules.size(), 2U);
  EXPECT_EQ(one.rules[0].rule.standing, recording::Standing::missed);
  EXPECT_THAT(one.rules[0].why, HasSubstr("strikes below 1/1000000"));
  EXPECT_EQ(one.rules[1].why, "strikes here always");
  EXPECT_EQ(one.executed, recording::Executed::yes);
  EXPECT_THAT(one.clean.value_or(""), HasSubstr("the clean answer"));
  ASSERT_EQ(one.handed.size(), 1U);
  EXPECT_EQ(one.handed[0].delivered.delivery, recording::Delivery::lost);
  EXPECT_THAT(json::to_string(to_json(one)), HasSubstr(R"("standing":"won")"));
  std::size_t all = 0;
  explain_each(run.read(), [&all](const Explanation& each) {
    ++all;
    EXPECT_TRUE(each.clean);
  });
  EXPECT_EQ(all, 2U);
}

TEST(Explain, FindsACallByAnyOfItsEventsAndSites) {
  TestRun run(kTwoRules);
  const json::Value arguments = json::Value::object({{"q", "x"}});
  run.call("search", arguments);
  run.call("search", arguments);
  const recording::Case record = run.read();
  std::size_t owned = 0;
  for (std::size_t seq = 1; seq <= record.events.size(); ++seq) {
    const auto found = explain_at(record, std::to_string(seq));
    if (!found) continue;
    ++owned;
    EXPECT_EQ(found->front().in, seq <= 5 ? 1U : 3U) << seq;
  }
  EXPECT_GE(owned, 6U);
  // By the label, by the site of a rule, and however it is spelt.
  for (const char* site : {R"(["args","search",{"q":"x"},2])", R"(["call","search",2])",
                           R"( [ "call", "search", 2.0 ] )"}) {
    const auto found = explain_at(record, site);
    ASSERT_TRUE(found) << site;
    EXPECT_EQ(found->front().in, 3U);
  }
}

TEST(Explain, SaysWhyItFindsNothing) {
  const recording::Case record = TestRun(kTwoRules).read();
  EXPECT_THAT(explain_at(record, "7").error().message, HasSubstr("events 1 to 1"));
  EXPECT_THAT(explain_at(record, "1").error().message, HasSubstr("nothing was decided"));
  EXPECT_THAT(explain_at(record, "search").error().message, HasSubstr("expected the number"));
  EXPECT_THAT(explain_at(record, R"(["call","x",1])").error().message, HasSubstr("nothing"));
}

TEST(Explain, ShowsADrawAsTheFractionThatItIs) {
  recording::Considered rule;
  rule.threshold = "1/10";
  rule.draw = 0x8f0d47a458a8e001;
  EXPECT_EQ(reason_of(rule), "draw 8f0d47a458a8e001 = 0.5587, strikes below 1/10");
  rule.draw = ~std::uint64_t{0};
  EXPECT_THAT(reason_of(rule), HasSubstr("ffffffffffffffff = 0.9999"));
  rule.draw = 0;
  EXPECT_THAT(reason_of(rule), HasSubstr("0000000000000000 = 0.0000"));
}

}  // namespace
}  // namespace squall::cases
