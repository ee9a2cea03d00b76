#include "squall/recording/redactor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::recording {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string redacted(const Redactor& redactor, std::string text) {
  redactor.redact(text);
  return text;
}

TEST(Redactor, FindsASecretInsideAnyText) {
  const Redactor redactor(std::vector<Secret>{{"TOKEN", "hunter2-hunter2"}});
  EXPECT_EQ(redacted(redactor, "Bearer hunter2-hunter2, twice hunter2-hunter2."),
            "Bearer [redacted:TOKEN], twice [redacted:TOKEN].");
  EXPECT_EQ(redacted(redactor, "hunter2-hunter"), "hunter2-hunter");
}

TEST(Redactor, FindsItEscapedAsJson) {
  const Redactor redactor(std::vector<Secret>{{"T", "line\n\"quoted\""}});
  EXPECT_EQ(redacted(redactor, R"({"a":"x line\n\"quoted\" y"})"), R"({"a":"x [redacted:T] y"})");
  // Any character can be written as an escape.
  const Redactor plain(std::vector<Secret>{{"T", "sesame-open"}});
  EXPECT_EQ(redacted(plain, R"({"a":"s\u0065same\u002dopen!"})"), R"({"a":"[redacted:T]!"})");
}

TEST(Redactor, FindsItPercentEncoded) {
  const Redactor redactor(std::vector<Secret>{{"T", "a/b c+d=e"}});
  EXPECT_EQ(redacted(redactor, "?key=a%2Fb%20c%2Bd%3De&x"), "?key=[redacted:T]&x");
  EXPECT_EQ(redacted(redactor, "?key=a%2fb%20c%2bd%3de&x"), "?key=[redacted:T]&x");
}

TEST(Redactor, KeepsAShortSecretFromStandingAlone) {
  const Redactor redactor(std::vector<Secret>{{"PIN", "1234"}});
  EXPECT_EQ(redacted(redactor, "1234"), "[redacted:PIN]");
  EXPECT_EQ(redacted(redactor, R"({"pin":"1234","n":12345})"),
            R"({"pin":"[redacted:PIN]","n":12345})");
  EXPECT_EQ(redacted(redactor, "year 12345"), "year 12345");
}

TEST(Redactor, TakesTheLongerOfTwoThatBeginAlike) {
  const Redactor redactor(std::vector<Secret>{{"SHORT", "abcdef"}, {"LONG", "abcdefghi"}});
  EXPECT_EQ(redacted(redactor, "abcdefghi abcdefg"), "[redacted:LONG] [redacted:SHORT]g");
}

TEST(Redactor, ShowsNoSecretAsAName) {
  const auto shown = [](std::string name, std::string value) {
    std::string text = value;
    const std::vector<Secret> secrets = {{std::move(name), std::move(value)}};
    Redactor(secrets).redact(text);
    return text;
  };
  EXPECT_EQ(shown("hunter22", "hunter22"), "[redacted:secret]");
  EXPECT_EQ(shown("x-hunter22", "hunter22"), "[redacted:secret]");
  EXPECT_EQ(shown("hunter22", "Bearer hunter22"), "[redacted:secret]");
  EXPECT_EQ(shown("TOKEN", "hunter22"), "[redacted:TOKEN]");
}

TEST(Redactor, KnowsNothingWithoutSecrets) {
  const Redactor redactor(std::vector<Secret>{{"EMPTY", ""}});
  EXPECT_TRUE(redactor.empty());
  std::string text = "anything";
  EXPECT_FALSE(redactor.redact(text));
}

TEST(Redactor, LooksAtKeysAndStringsAtEveryDepth) {
  const Redactor redactor(std::vector<Secret>{{"T", "sesame-open"}});
  auto value = *json::parse(R"({"sesame-open":[{"x":"-sesame-open-"}],"n":1})");
  EXPECT_TRUE(redactor.redact(value));
  EXPECT_EQ(json::to_string(value), R"({"[redacted:T]":[{"x":"-[redacted:T]-"}],"n":1})");
  EXPECT_FALSE(redactor.redact(value));
}

TEST(Redactor, WritesNamesThatNeedNoEscaping) {
  EXPECT_EQ(redacted(Redactor(std::vector<Secret>{{"a\"b]", "sesame-open"}}), "sesame-open"),
            "[redacted:a_b_]");
}

RC_GTEST_PROP(Redactor, FindsItInBase64AtEveryOffset, ()) {
  const auto secret = *rc::gen::container<std::string>(
      *rc::gen::inRange<std::size_t>(Redactor::kAnywhereMin, 40), rc::gen::arbitrary<char>());
  const auto before = *rc::gen::arbitrary<std::string>();
  const auto behind = *rc::gen::arbitrary<std::string>();
  const Redactor redactor(std::vector<Secret>{{"T", secret}});
  for (const std::string& encoded : {base::base64_encode(before + secret + behind),
                                     base::base64url_encode(before + secret + behind)}) {
    std::string text = "Basic " + encoded;
    RC_ASSERT(redactor.redact(text));
    RC_ASSERT(text.find("[redacted:T]") != std::string::npos);
  }
}

RC_GTEST_PROP(Redactor, LeavesNoSecretInAnyWrittenString, ()) {
  const auto secret =
      *rc::gen::container<std::string>(*rc::gen::inRange<std::size_t>(Redactor::kAnywhereMin, 20),
                                       rc::gen::elementOf(std::string("ab\"\\/\n\x01%")));
  const auto around = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\"\\")));
  const Redactor redactor(std::vector<Secret>{{"T", secret}});
  std::string text = json::to_string(json::Value::array({around + secret + around}));
  redactor.redact(text);
  const auto value = json::parse(text);
  RC_ASSERT(!value || value->items()[0].string().find(secret) == std::string_view::npos);
  RC_ASSERT(text.find("[redacted:T]") != std::string::npos);
}

}  // namespace
}  // namespace squall::recording
