#include "squall/json/strict.h"

#include <gmock/gmock.h>

namespace squall::json {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Reads {name, count: 1..10, mode: fast|slow, parts: [{id}]}.
std::string read(std::string text, Quoting quoting = Quoting::allowed) {
  auto file = StrictFile::parse("f", std::move(text), quoting);
  if (!file) return file.error().message;
  StrictObject root(file->root());
  static_cast<void>(root.text("name"));
  if (const auto count = root.find("count")) static_cast<void>(count->integer(1, 10));
  if (const auto mode = root.find("mode")) static_cast<void>(mode->choice({"fast", "slow"}));
  if (const auto token = root.find("token")) static_cast<void>(token->integer(1));
  if (const auto parts = root.find("parts")) {
    for (const StrictNode& part : parts->elements()) {
      StrictObject one(part);
      static_cast<void>(one.text("id"));
      one.finish();
    }
  }
  root.finish();
  const auto verdict = file->verdict();
  return verdict ? "" : verdict.error().message;
}

TEST(StrictFile, AcceptsWhatIsRightInJsonAndYaml) {
  EXPECT_EQ(read("name: a\ncount: 3\nmode: slow\nparts: [{id: x}]\n"), "");
  EXPECT_EQ(read(R"({"name":"a","count":3,"mode":"slow","parts":[{"id":"x"}]})"), "");
}

TEST(StrictFile, TellsEveryMistakeWithItsPlaceInTheOrderOfTheFile) {
  EXPECT_EQ(read("count: 11\nmode: fats\nparts:\n  - {idd: x}\n  - 7\n"),
            "f:1:1: the key \"name\" is missing\n"
            "f:1:8: /count: expected a whole number from 1 to 10, found 11\n"
            "f:2:7: /mode: expected fast or slow, found \"fats\"; did you mean fast?\n"
            "f:4:5: /parts/0: the key \"id\" is missing\n"
            "f:4:6: /parts/0/idd: unknown key; did you mean \"id\"?\n"
            "f:5:5: /parts/1: expected an object, found 7");
}

TEST(StrictFile, KnowsThePlacesInJsonToo) {
  EXPECT_EQ(read("{\"name\":\"a\",\n \"count\":true,\t\"nam\":1}"),
            "f:2:10: /count: expected a whole number from 1 to 10, found true\n"
            "f:2:16: /nam: unknown key; did you mean \"name\"?");
}

TEST(StrictNode, GivesScalarsAsTheyStandInTheFile) {
  auto yaml = StrictFile::parse("f.yaml", "a: .5\nb: [0x10, {c: 1e3}, '07', \"\\x41\"]\nd: {}\n");
  ASSERT_TRUE(yaml);
  StrictObject object(yaml->root());
  EXPECT_EQ(object.find("a")->source_text(), ".5");
  const auto list = object.find("b")->elements();
  EXPECT_EQ(list[0].source_text(), "0x10");
  StrictObject inner(list[1]);
  EXPECT_EQ(inner.find("c")->source_text(), "1e3");
  EXPECT_EQ(list[1].source_text(), std::nullopt);
  EXPECT_EQ(list[2].source_text(), "07");
  EXPECT_EQ(list[3].source_text(), "A");
  EXPECT_EQ(object.find("d")->source_text(), std::nullopt);

  auto json = StrictFile::parse("f.json", R"({"a":1.50,"b":"\ud83d\ude00"})");
  ASSERT_TRUE(json);
  StrictObject other(json->root());
  EXPECT_EQ(other.find("a")->source_text(), "1.50");
  EXPECT_EQ(other.find("b")->source_text(), "\xF0\x9F\x98\x80");
}

TEST(StrictFile, QuotesFortyCharactersAtMost) {
  const std::string sixty(60, 'x');
  const std::string message = read("name: a\nmode: " + sixty + "\n");
  EXPECT_THAT(message, HasSubstr(std::string(39, 'x') + "..."));
  EXPECT_THAT(message, Not(HasSubstr(std::string(41, 'x'))));
}

TEST(StrictFile, QuotesNothingUnderASecretKey) {
  EXPECT_EQ(read("name: a\ntoken: hunter22\n"),
            "f:2:8: /token: expected a whole number from 1");
}

TEST(StrictFile, QuotesNothingOfAFileThatIsToldNotTo) {
  for (const char* text : {"name: hunter22\nmode: hunter22\n", "{\"name\": hunter22}",
                           "name: a\nname: hunter22", "name: [hunter22", "hunter22", "\"hunter22",
                           "name: \xffhunter22", "hunter22: 1", "name: a\nhunter22: [b]"}) {
    EXPECT_THAT(read(text, Quoting::never), Not(HasSubstr("hunte"))) << text;
  }
}

TEST(StrictNode, GivesTheNumberOfTheWordChosen) {
  auto file = StrictFile::parse("f.yml", "[fast, slow, \"\"]");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  const auto elements = file->root().elements();
  EXPECT_EQ(elements[0].choice({"fast", "slow"}), 0U);
  EXPECT_EQ(elements[1].choice({"fast", "slow"}), 1U);
  EXPECT_EQ(elements[2].choice({"fast", "slow", ""}), 2U);
  EXPECT_TRUE(file->verdict().has_value());
}

TEST(StrictFile, ToldSyntaxErrorsHaveTheirPlace) {
  EXPECT_THAT(read("{\"name\":\n ]"), HasSubstr("f:2:2: "));
}

TEST(IsSecretKey, KnowsTheUsualNamesInAnyCase) {
  for (const char* key : {"Authorization", "api_key", "GITHUB_TOKEN", "client_secret", "Password",
                          "headers", "env", "Cookie"}) {
    EXPECT_TRUE(is_secret_key(key)) << key;
  }
  for (const char* key : {"name", "command", "url", "monkey"}) {
    EXPECT_FALSE(is_secret_key(key)) << key;
  }
}

}  // namespace
}  // namespace squall::json
