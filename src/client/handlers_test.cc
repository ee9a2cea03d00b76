#include "squall/client/handlers.h"

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::client {
namespace {

json::Value value_of(std::string_view text) { return json::parse(text).value(); }

TEST(WithDefaults, FillsWhatIsLeftOutAndNothingElse) {
  const json::Value schema =
      value_of(R"({"type":"object","properties":{"name":{"default":"John"},"age":{"default":30},)"
               R"("score":{},"ok":{"default":false},"tags":{"default":["a"]},"odd":7}})");
  EXPECT_EQ(json::to_string(with_defaults(schema, value_of(R"({"age":5})"))),
            R"({"age":5,"name":"John","ok":false,"tags":["a"]})");
}

TEST(WithDefaults, MakesAnObjectOfWhatIsNone) {
  EXPECT_EQ(json::to_string(with_defaults(json::Value(), json::Value())), "{}");
  EXPECT_EQ(json::to_string(with_defaults(value_of(R"({"properties":3})"), json::Value(4))), "{}");
}

TEST(Handlers, DeclineWhatNobodyAnswers) {
  Handlers handlers;
  const Elicitation question{.is_url = false, .message = "Name?"};
  Task<ElicitAnswer> elicited = handlers.elicit(question);
  elicited.start();
  EXPECT_EQ(elicited.take().action, ElicitAnswer::Action::cancel);
  const json::Value params;
  Task<HandlerResult> sampled = handlers.sample(params);
  sampled.start();
  EXPECT_EQ(sampled.take().error().code, -32601);
}

}  // namespace
}  // namespace squall::client
