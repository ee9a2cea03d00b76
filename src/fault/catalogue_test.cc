#include "squall/fault/catalogue.h"

#include <set>

#include <gmock/gmock.h>

#include "squall/fault/profile.h"

namespace squall::fault {
namespace {

TEST(Kinds, AreEightyAndEachExampleIsARule) {
  EXPECT_EQ(kinds().size(), 80U);
  std::set<std::string_view> names;
  for (const Kind& kind : kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    std::string text = "squall: 1\nname: p\nrules:\n  - {fault: " + std::string(kind.name);
    if (!kind.example.empty()) text += ", " + std::string(kind.example);
    const auto profile = read_profile("p.yaml", text + "}\n");
    EXPECT_TRUE(profile) << profile.error().message;
  }
}

TEST(Kinds, HaveNoSettingThatEveryRuleHas) {
  // `when`, `after` and `until` are told apart by their values.
  const std::set<std::string> common = {"fault", "id",        "draw_key", "probability", "attempts",
                                        "calls", "every",     "key",      "only",        "ignore",
                                        "rank",  "exclusive", "budget",   "burst",       "window",
                                        "arm",   "scope",     "title",    "note"};
  for (const Kind& kind : kinds()) {
    for (const Setting& setting : kind.settings) {
      EXPECT_FALSE(common.contains(setting.name)) << kind.name << " " << setting.name;
    }
  }
}

TEST(Kinds, AreFoundByName) {
  ASSERT_NE(find_kind("stream-cut"), nullptr);
  EXPECT_EQ(find_kind("stream-cut")->layer, Layer::stream);
  EXPECT_EQ(find_kind("stream-cuts"), nullptr);
}

TEST(Kinds, SayWhereTheyHaveNoMeaning) {
  EXPECT_EQ(no_meaning(*find_kind("error"), {Transport::stdio, Era::modern}), "");
  EXPECT_NE(no_meaning(*find_kind("http-status"), {Transport::stdio, Era::modern}), "");
  EXPECT_NE(no_meaning(*find_kind("crash"), {Transport::http, Era::both}), "");
  EXPECT_NE(no_meaning(*find_kind("subscription"), {Transport::http, Era::legacy}), "");
  EXPECT_EQ(no_meaning(*find_kind("subscription"), {}), "");
}

TEST(Key, HasANameEach) {
  for (const Key key : {Key::args, Key::window, Key::server_params, Key::server_method}) {
    EXPECT_EQ(key_of(name_of(key)), key);
  }
  EXPECT_EQ(key_of("server_params"), std::nullopt);
}

TEST(Setting, TellsWhatItTakes) {
  EXPECT_EQ(find_kind("hang")->find("until")->type_text(),
            "cancelled or closed or a time such as 250ms");
  EXPECT_EQ(find_kind("error")->find("keep"), nullptr);
}

}  // namespace
}  // namespace squall::fault
