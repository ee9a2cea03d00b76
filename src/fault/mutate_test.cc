#include "squall/fault/mutate.h"

#include <chrono>
#include <map>

#include <gmock/gmock.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::fault {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int kSites = 400;

json::Value parse(std::string_view text) { return json::parse(text).value(); }

/// A tool's result: structured content, the same as JSON text, and prose.
json::Value account() {
  return parse(
      R"({"content":[{"type":"text","text":"{\"account_id\":\"ACC-1001\",\"balance_minor\":125050,)"
      R"(\"currency\":\"EUR\",\"as_of\":\"2026-02-28T09:12:04Z\"}"},)"
      R"({"type":"text","text":"ACC-1001 holds 125050 EUR since 2026-02-28T09:12:04Z."}],)"
      R"("structuredContent":{"account_id":"ACC-1001","balance_minor":125050,"currency":"EUR",)"
      R"("as_of":"2026-02-28T09:12:04Z"}})");
}

json::Value rows() {
  return parse(R"({"content":[{"type":"text","text":"{\"rows\":[{\"id\":\"a1\",\"v\":1},)"
               R"({\"id\":\"b2\",\"v\":2},{\"id\":\"c3\",\"v\":3}]}"}],)"
               R"("structuredContent":{"rows":[{"id":"a1","v":1},{"id":"b2","v":2},)"
               R"({"id":"c3","v":3}]}})");
}

/// Calls `test` with the draws of many sites.
template <typename Test>
void at_many_sites(Test&& test) {
  for (int n = 0; n < kSites; ++n) {
    const std::string site = "[\"call\",\"t\"," + std::to_string(n) + "]";
    test(Draws{{1337}, "r", site});
  }
}

TEST(Corrupt, AlwaysDiffersAndTellsTheSameInTextAndStructure) {
  at_many_sites([](const Draws& draws) {
    const Mutation mutation = corrupt(account(), draws);
    ASSERT_EQ(mutation.changes.size(), 1U);
    const json::Value& structured = *mutation.result.find("structuredContent");
    ASSERT_NE(structured, *account().find("structuredContent"));
    const auto content = mutation.result.find("content")->items();
    ASSERT_EQ(parse(*content[0].find_string("text")), structured);
    // The prose has the new value and no longer the old one.
    const json::Value before = parse(mutation.changes[0].before);
    const json::Value after = parse(mutation.changes[0].after);
    const auto word = [](const json::Value& v) {
      return v.is_string() ? std::string(v.string()) : json::to_string(v);
    };
    ASSERT_THAT(std::string(*content[1].find_string("text")), HasSubstr(word(after)));
    if (mutation.changes[0].by == "sign") return;
    ASSERT_THAT(std::string(*content[1].find_string("text")), Not(HasSubstr(word(before))));
  });
}

TEST(Corrupt, ChangesEveryKindOfValueInItsOwnWay) {
  std::map<std::string, int> by;
  at_many_sites([&by](const Draws& draws) {
    const Change change = corrupt(account(), draws).changes[0];
    ++by[change.pointer + " " + change.by];
  });
  EXPECT_EQ(by.size(), 5U);
  // One of four members, each a quarter; five standard deviations are 43.
  EXPECT_NEAR(by["/account_id id"], 100, 43);
  EXPECT_NEAR(by["/currency currency"], 100, 43);
  EXPECT_NEAR(by["/as_of date"], 100, 43);
  EXPECT_NEAR(by["/balance_minor number"] + by["/balance_minor sign"], 100, 43);
}

TEST(Corrupt, KeepsDatesPossibleAndTheTimeBesideThem) {
  at_many_sites([](const Draws& draws) {
    CorruptOptions options;
    options.of = {"date"};
    const json::Value after = parse(corrupt(account(), draws, options).changes.at(0).after);
    const std::string text(after.string());
    ASSERT_EQ(text.size(), 20U);
    ASSERT_EQ(text.substr(10), "T09:12:04Z");
    const std::chrono::year_month_day date(
        std::chrono::year(std::stoi(text.substr(0, 4))),
        std::chrono::month(static_cast<unsigned>(std::stoi(text.substr(5, 2)))),
        std::chrono::day(static_cast<unsigned>(std::stoi(text.substr(8, 2)))));
    ASSERT_TRUE(date.ok()) << text;
    ASSERT_NE(text.substr(0, 10), "2026-02-28");
  });
}

TEST(Corrupt, KeepsTheScaleOfNumbers) {
  const json::Value price = parse(R"({"content":[],"structuredContent":{"price":10.50}})");
  CorruptOptions options;
  options.of = {"number"};
  at_many_sites([&](const Draws& draws) {
    const std::string after = corrupt(price, draws, options).changes.at(0).after;
    ASSERT_EQ(after.size(), 5U) << after;
    ASSERT_EQ(after[2], '.');
    ASSERT_EQ(after[0], '1');
  });
}

TEST(Corrupt, NeverCountsWhatChangesNothing) {
  for (const char* text :
       {R"({"content":[]})", R"({"content":[],"structuredContent":{"ok":true,"none":null}})",
        R"({"content":[{"type":"image","data":"aGk="}]})",
        R"({"content":[{"type":"text","text":"aaa"}]})", R"({})"}) {
    at_many_sites([text](const Draws& draws) {
      const Mutation mutation = corrupt(parse(text), draws);
      ASSERT_FALSE(mutation.changed()) << text;
      ASSERT_EQ(json::to_string(mutation.result), text);
    });
  }
}

TEST(Corrupt, ChangesProseWhereNothingElseTells) {
  const json::Value prose = parse(
      R"({"content":[{"type":"text","text":"Due 2026-12-31T23:59:59Z: 1250 USD for 12 kg."}]})");
  std::map<std::string, int> by;
  at_many_sites([&](const Draws& draws) {
    const Mutation mutation = corrupt(prose, draws);
    ASSERT_EQ(mutation.changes.size(), 1U);
    ASSERT_EQ(mutation.changes[0].pointer, "/content/0");
    ++by[mutation.changes[0].by];
    // The time of day is no number to play with.
    ASSERT_THAT(mutation.changes[0].after, HasSubstr("T23:59:59Z"));
  });
  EXPECT_EQ(by.size(), 4U);
}

TEST(Corrupt, MovesOnlyWhatGoesToAMemberThatIsNew) {
  json::Value grown = account();
  grown.find("structuredContent")->set("limit", 900);
  at_many_sites([&](const Draws& draws) {
    const Change before = corrupt(account(), draws).changes.at(0);
    const Change after = corrupt(grown, draws).changes.at(0);
    if (after.pointer == "/limit") return;
    ASSERT_EQ(after.pointer, before.pointer);
    ASSERT_EQ(after.after, before.after);
  });
}

TEST(Corrupt, KeepsToWhatIsAcceptedOrDoesNothing) {
  CorruptOptions options;
  options.accept = [](const json::Value& result) {
    const auto* balance = result.find("structuredContent")->find("balance_minor");
    return balance->number_text().starts_with("-");
  };
  int changed = 0;
  at_many_sites([&](const Draws& draws) {
    const Mutation mutation = corrupt(account(), draws, options);
    if (!mutation.changed()) return;
    ++changed;
    ASSERT_EQ(mutation.changes[0].by, "sign");
  });
  EXPECT_GT(changed, 0);
}

TEST(Corrupt, LeavesOtherPartsOfATextAsTheyWereWritten) {
  const json::Value result =
      parse(R"({"content":[{"type":"text","text":"{ \"n\":  71,\n \"s\":true}"}]})");
  at_many_sites([&](const Draws& draws) {
    const Mutation mutation = corrupt(result, draws);
    const std::string text(*mutation.result.find("content")->items()[0].find_string("text"));
    ASSERT_TRUE(text.starts_with("{ \"n\":  ")) << text;
    ASSERT_TRUE(text.ends_with(",\n \"s\":true}")) << text;
  });
}

TEST(ChangeRows, ChangesTextAndStructureAlike) {
  for (const char* change : {"dropped", "duplicated", "reordered", "swapped"}) {
    at_many_sites([change](const Draws& draws) {
      const Mutation mutation = change_rows(rows(), draws, change);
      ASSERT_TRUE(mutation.changed()) << change;
      const json::Value& structured = *mutation.result.find("structuredContent");
      ASSERT_NE(structured, *rows().find("structuredContent"));
      ASSERT_EQ(parse(*mutation.result.find("content")->items()[0].find_string("text")),
                structured);
    });
  }
}

TEST(ChangeRows, CountsNothingWithoutRows) {
  at_many_sites([](const Draws& draws) {
    ASSERT_FALSE(change_rows(account(), draws, "dropped").changed());
    const json::Value one = parse(R"({"content":[],"structuredContent":{"rows":[1]}})");
    ASSERT_FALSE(change_rows(one, draws, "reordered").changed());
    ASSERT_TRUE(change_rows(one, draws, "dropped", 5).changed());
  });
}

TEST(BreakSchema, BreaksInTheWayAskedFor) {
  const Draws draws{{1}, "r", "[]"};
  const auto structured = [&draws](std::string_view mode, std::string_view field = "") {
    const Mutation mutation = break_schema(account(), draws, {mode, field, nullptr});
    EXPECT_TRUE(mutation.changed()) << mode;
    const json::Value* value = mutation.result.find("structuredContent");
    return value == nullptr ? "" : json::to_string(*value);
  };
  EXPECT_THAT(structured("type-swap"), HasSubstr(R"("balance_minor":"125050")"));
  EXPECT_THAT(structured("drop-required", "currency"), Not(HasSubstr("EUR")));
  EXPECT_THAT(structured("drop-required"), Not(HasSubstr("account_id")));
  EXPECT_TRUE(structured("wrong-container").starts_with(R"([["account_id","ACC-1001"],)"));
  EXPECT_THAT(structured("null"), HasSubstr("null"));
  EXPECT_THAT(structured("number-as-string"), HasSubstr(R"("125050")"));
  EXPECT_THAT(structured("extra"), HasSubstr(R"("extra":true)"));
  EXPECT_EQ(structured("missing-structured"), "");
  EXPECT_EQ(structured("unquoted-keys"), "");
  const Mutation bare = break_schema(account(), draws, {"unquoted-keys", "", nullptr});
  EXPECT_THAT(std::string(*bare.result.find("content")->items()[0].find_string("text")),
              HasSubstr("{account_id:\"ACC-1001\",balance_minor:125050"));
}

TEST(BreakSchema, DropsWhatTheSchemaRequires) {
  const json::Value schema = parse(R"({"required":["currency","account_id"]})");
  const Mutation mutation =
      break_schema(account(), {{1}, "r", "[]"}, {"drop-required", "", &schema});
  EXPECT_FALSE(mutation.result.find("structuredContent")->contains("currency"));
}

TEST(Truncate, CutsByEachUnit) {
  const json::Value text = parse(
      "{\"content\":[{\"type\":\"text\",\"text\":\"gr\u00fc\u00dfe an alle\"},"
      "{\"type\":\"text\",\"text\":\"b\"}],\"structuredContent\":{\"a\":[1,2,3]}}");
  const auto cut = [&text](std::size_t keep, std::string_view unit) {
    return truncate(text, {keep, unit, "..."});
  };
  const auto first = [](const Mutation& m) {
    return std::string(*m.result.find("content")->items()[0].find_string("text"));
  };
  EXPECT_EQ(first(cut(3, "code-points")), "gr\u00fc...");
  EXPECT_EQ(first(cut(3, "bytes")), "gr...");
  EXPECT_EQ(first(cut(50, "share")), "gr\u00fc\u00dfe...");
  EXPECT_EQ(cut(1, "blocks").result.find("content")->size(), 1U);
  EXPECT_EQ(json::to_string(*cut(2, "rows").result.find("structuredContent")), R"({"a":[1,2]})");
  EXPECT_FALSE(cut(100, "code-points").changed());
  EXPECT_FALSE(cut(2, "blocks").changed());
  EXPECT_FALSE(cut(3, "rows").changed());
}

}  // namespace
}  // namespace squall::fault
