#include "squall/server/presenter/redaction.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::server {
namespace {

std::string redacted(const std::vector<std::string>& patterns, std::string_view text,
                     Censor censor = nullptr) {
  const auto redaction = Redaction::compile(patterns, std::move(censor));
  if (!redaction) return redaction.error().message;
  return json::to_string(redaction->applied(json::parse(text).value()));
}

TEST(Redaction, TakesThePlacesThatItsPatternsName) {
  EXPECT_EQ(redacted({"/a"}, R"({"a":1,"b":{"a":2}})"), R"({"a":"[REDACTED]","b":{"a":2}})");
  EXPECT_EQ(redacted({"/b/a"}, R"({"a":1,"b":{"a":2}})"), R"({"a":1,"b":{"a":"[REDACTED]"}})");
  EXPECT_EQ(redacted({"/l/1"}, R"({"l":[1,2,3]})"), R"({"l":[1,"[REDACTED]",3]})");
  EXPECT_EQ(redacted({"/a~1b"}, R"({"a/b":1})"), R"({"a/b":"[REDACTED]"})");
  EXPECT_EQ(redacted({"/none"}, R"({"a":1})"), R"({"a":1})");
}

TEST(Redaction, TakesAnyMemberOrElementForAStar) {
  EXPECT_EQ(redacted({"/*/ssn"}, R"([{"ssn":1},{"ssn":2,"n":3}])"),
            R"([{"ssn":"[REDACTED]"},{"ssn":"[REDACTED]","n":3}])");
  EXPECT_EQ(redacted({"/users/*"}, R"({"users":{"a":1,"b":[2]}})"),
            R"({"users":{"a":"[REDACTED]","b":"[REDACTED]"}})");
}

TEST(Redaction, TakesAnyDepthForTwoStars) {
  EXPECT_EQ(redacted({"/**/ssn"}, R"({"ssn":1,"a":[{"ssn":2,"b":{"ssn":{"x":3}}}]})"),
            R"({"ssn":"[REDACTED]","a":[{"ssn":"[REDACTED]","b":{"ssn":"[REDACTED]"}}]})");
  EXPECT_EQ(redacted({"/a/**/b"}, R"({"b":1,"a":{"b":2,"c":{"b":3}}})"),
            R"({"b":1,"a":{"b":"[REDACTED]","c":{"b":"[REDACTED]"}}})");
}

TEST(Redaction, AsksItsCensorAndTrustsNoneThatThrows) {
  const Censor last_two = [](const json::Value& secret) {
    const std::string_view text = secret.string();
    return json::Value("**" + std::string(text.substr(text.size() - 2)));
  };
  EXPECT_EQ(redacted({"/a"}, R"({"a":"12345"})", last_two), R"({"a":"**45"})");
  // A number has no text to take the end of.
  EXPECT_EQ(redacted({"/a"}, R"({"a":12345})", last_two), R"({"a":"[REDACTED]"})");
}

TEST(Redaction, RefusesPatternsThatAreNone) {
  for (const char* text : {"a", "", "/a~2", "a.b", "$.ssn"}) {
    EXPECT_FALSE(Redaction::compile({text})) << text;
  }
}

TEST(Redaction, HidesWhatLiesTooDeepToBeLookedAt) {
  json::Value value = json::Value::object({{"ssn", "secret"}});
  for (int i = 0; i < 400; ++i) value = json::Value::array({std::move(value)});
  const std::string text = json::to_string(Redaction::compile({"/**/ssn"})->applied(value));
  EXPECT_EQ(text.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace squall::server
