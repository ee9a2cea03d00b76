#include "form.h"

#include <deque>

#include <gmock/gmock.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::cli {
namespace {

using client::ElicitAnswer;
using testing::HasSubstr;
using testing::Not;

/// Types what it was told to, and nothing more.
class Script final : public Person {
 public:
  explicit Script(std::deque<std::string> lines) : lines_(std::move(lines)) {}
  void tell(std::string_view text) override { seen += text; }
  Task<std::optional<std::string>> ask(std::string prompt) override {
    seen += prompt;
    if (lines_.empty()) co_return std::nullopt;
    std::optional<std::string> line = lines_.front();
    lines_.pop_front();
    co_return line;
  }
  [[nodiscard]] std::size_t left() const { return lines_.size(); }
  std::string seen;

 private:
  std::deque<std::string> lines_;
};

client::Elicitation form(const std::string& properties, const std::string& required = "[]") {
  client::Elicitation out;
  out.message = "Who are you?";
  out.schema = json::parse(R"({"type":"object","properties":)" + properties + R"(,"required":)" +
                           required + "}")
                   .value();
  return out;
}

std::string answered(Script& script, const client::Elicitation& question) {
  Task<ElicitAnswer> task =
      question.is_url ? ask_visit(script, question) : ask_form(script, question);
  task.start();
  EXPECT_TRUE(task.done());
  const ElicitAnswer answer = task.take();
  switch (answer.action) {
    case ElicitAnswer::Action::accept:
      return json::to_string(answer.content);
    case ElicitAnswer::Action::decline:
      return "decline";
    case ElicitAnswer::Action::cancel:
      return "cancel";
  }
  return "";
}

TEST(AskForm, TypesValuesByTheSchema) {
  const auto question = form(R"({"name":{"type":"string","title":"Name","minLength":2},
      "age":{"type":"integer","minimum":18},"rate":{"type":"number"},"ok":{"type":"boolean"},
      "day":{"type":"string","format":"date"}})",
                             R"(["name"])");
  Script script({"a", "", "x", "Ann", "17", "old", "30", "1.5", "maybe", "y", "2026-02-30", ""});
  EXPECT_EQ(answered(script, question), R"({"name":"Ann","age":30,"rate":1.5,"ok":true})");
  EXPECT_EQ(script.left(), 0U);
  EXPECT_THAT(script.seen, HasSubstr("  | Who are you?\n"));
  EXPECT_THAT(script.seen, HasSubstr("name*  text of at least 2 characters"));
  EXPECT_THAT(script.seen, HasSubstr("this one is needed"));
  EXPECT_THAT(script.seen, HasSubstr("age  integer of at least 18"));
  EXPECT_THAT(script.seen, HasSubstr("yes or no?"));
}

TEST(AskForm, TakesChoicesByNumberValueOrTitle) {
  const auto question = form(R"({"one":{"type":"string","enum":["red","green"]},
      "old":{"type":"string","enum":["a","b"],"enumNames":["Alpha","Beta"]},
      "new":{"type":"string","oneOf":[{"const":"x","title":"Ex"},{"const":"y","title":"Why"}]},
      "some":{"type":"array","maxItems":2,"items":{"type":"string","enum":["p","q","r"]}},
      "more":{"type":"array","items":{"anyOf":[{"const":"u","title":"You"}]}}})");
  Script script({"accept", "blue", "3", "green", "Beta", "1", "1,2,3", "1, r", "You"});
  EXPECT_EQ(answered(script, question),
            R"({"one":"green","old":"b","new":"x","some":["p","r"],"more":["u"]})");
  EXPECT_THAT(script.seen, HasSubstr("'blue' is none of them"));
  EXPECT_THAT(script.seen, HasSubstr("      2  b  (Beta)\n"));
}

TEST(AskForm, LeavesDefaultsToTheSchema) {
  const auto question = form(R"({"n":{"type":"integer","default":7}})", R"(["n"])");
  Script script({"a", ""});
  EXPECT_EQ(answered(script, question), "{}");
  EXPECT_THAT(script.seen, HasSubstr("[7]"));
}

TEST(AskForm, MayBeDeclinedAndCancelled) {
  const auto question = form(R"({"a":{"type":"string"}})", R"(["a"])");
  Script no({"what", "d"});
  EXPECT_EQ(answered(no, question), "decline");
  Script never({"C"});
  EXPECT_EQ(answered(never, question), "cancel");
  Script gone({"a", ""});
  EXPECT_EQ(answered(gone, question), "cancel");
  Script mute({});
  EXPECT_EQ(answered(mute, question), "cancel");
}

TEST(AskForm, LetsNoForeignTextPassForOurs) {
  client::Elicitation question = form(R"({"a\u001b[2J":{"type":"string"}})");
  question.message = "hi\n(a)ccept, (d)ecline or (c)ancel? \u001b[1A";
  Script script({"a", "x"});
  static_cast<void>(answered(script, question));
  EXPECT_THAT(script.seen, Not(HasSubstr("\x1b")));
  EXPECT_THAT(script.seen, HasSubstr("\n  | (a)ccept"));
}

TEST(AskVisit, NamesTheHostAndWantsConsent) {
  client::Elicitation question;
  question.is_url = true;
  question.message = "Log in";
  question.url = "https://login.example/x?y#z";
  Script yes({"a"});
  EXPECT_EQ(answered(yes, question), "null");
  EXPECT_THAT(yes.seen, HasSubstr("an address on login.example"));
  EXPECT_THAT(yes.seen, HasSubstr(question.url));
  for (const char* url : {"file:///etc/passwd", "javascript:alert(1)", "-x", "https://a@b/"}) {
    question.url = url;
    Script script({"a"});
    EXPECT_EQ(answered(script, question), "decline") << url;
    EXPECT_EQ(script.left(), 1U) << url;
  }
}

}  // namespace
}  // namespace squall::cli
