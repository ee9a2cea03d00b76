#include <gmock/gmock.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/lab/scenario.h"

namespace squall::lab {
namespace {

using testing::HasSubstr;

std::string fill(std::string_view value) {
  const auto results =
      json::parse(R"({"first":{"result":{"id":7,"list":["a",{"b":true}]}}})").value();
  const auto filled = fill_in(json::parse(value).value(), results);
  return filled ? json::to_string(*filled) : filled.error().message;
}

TEST(FillIn, KeepsTheKindOfAValueThatIsTheWholeText) {
  EXPECT_EQ(fill(R"({"id":"{{first.result.id}}"})"), R"({"id":7})");
  EXPECT_EQ(fill(R"(["{{ first.result.list.1 }}"])"), R"([{"b":true}])");
}

TEST(FillIn, TakesValuesIntoTextsAsText) {
  EXPECT_EQ(fill(R"("{{first.result.list.0}}-{{first.result.id}}!")"), R"("a-7!")");
}

TEST(FillIn, LeavesOtherTextsAlone) {
  EXPECT_EQ(fill(R"(["{first}","{{","}}",1,null])"), R"(["{first}","{{","}}",1,null])");
}

TEST(FillIn, TellsWhatIsNotThere) {
  EXPECT_THAT(fill(R"("{{first.result.nope}}")"), HasSubstr("{{first.result.nope}}"));
  EXPECT_THAT(fill(R"("{{first.result.list.2}}")"), HasSubstr("nothing stands at"));
}

}  // namespace
}  // namespace squall::lab
