#include "squall/lab/expect.h"

#include <gmock/gmock.h>

#include "squall/json/parse.h"

namespace squall::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Lines = std::vector<std::string>;

Attempt result(std::string_view text) {
  Attempt attempt;
  attempt.value = json::parse(text).value();
  return attempt;
}

/// What doesn't hold of `attempt`, by an expectation in a file; or why the file is refused.
Lines check(std::string expectation, const Attempt& attempt, double ms = 0, bool simple = false) {
  auto file = json::StrictFile::parse("e", std::move(expectation));
  if (!file) return {file.error().message};
  const Expectation expect =
      simple ? read_simple_expectation(file->root()) : read_expectation(file->root());
  if (const auto verdict = file->verdict(); !verdict) return {verdict.error().message};
  std::vector<Finding> findings;
  expect.check(attempt, ms, findings);
  Lines failures;
  for (const Finding& finding : findings) {
    if (!finding.held) failures.push_back(finding.text);
  }
  return failures;
}

TEST(Expectation, ComparesOutcomes) {
  Attempt lost;
  lost.ending = Ending::transport_loss;
  EXPECT_THAT(check("outcome: transport_loss", lost), IsEmpty());
  EXPECT_THAT(check("outcome: success", lost),
              ElementsAre("expected outcome success, received transport_loss"));
}

TEST(Expectation, KnowsThreeOutcomesInTheSimpleForm) {
  Attempt lost;
  lost.ending = Ending::transport_loss;
  EXPECT_THAT(check(R"({"outcome":"error"})", lost, 0, true), IsEmpty());
  EXPECT_THAT(check(R"({"outcome":"timeout"})", lost, 0, true),
              ElementsAre("expected outcome timeout, received error"));
  EXPECT_THAT(check(R"({"outcome":"transport_loss"})", lost, 0, true),
              ElementsAre(HasSubstr("expected success or error or timeout")));
}

TEST(Expectation, BoundsDurationsInMillisecondsAsMeasured) {
  EXPECT_THAT(check(R"({"outcome":"success","maxDurationMs":100})", Attempt(), 100.25, true),
              ElementsAre("expected duration at most 100ms, received 100.25ms"));
  EXPECT_THAT(check("duration: {min: 1s, max: 2s}", Attempt(), 999.5),
              ElementsAre("expected duration at least 1000ms, received 999.5ms"));
  EXPECT_THAT(check("duration: {min: 1s, max: 2s}", Attempt(), 1500), IsEmpty());
}

TEST(Expectation, TellsEverythingThatDoesNotHold) {
  Attempt failed = result(R"({"content":[{"type":"text","text":"no"}],"isError":true})");
  failed.ending = Ending::error;
  EXPECT_THAT(check(R"({"outcome":"success","maxDurationMs":1,)"
                    R"("result":{"isError":false,"textContains":"yes"}})",
                    failed, 5, true),
              ElementsAre("expected outcome success, received error",
                          "expected duration at most 1ms, received 5ms",
                          "expected result isError false, received true",
                          "expected result text to contain \"yes\""));
}

TEST(Expectation, NeedsAResultForWhatIsAskedOfOne) {
  Attempt none;
  none.ending = Ending::timeout;
  EXPECT_THAT(check("result: {isError: false, text: a}", none),
              ElementsAre("expected a result, but no result was received"));
}

TEST(Expectation, LooksAtCodesAndMessagesOfErrors) {
  Attempt refused;
  refused.ending = Ending::protocol_error;
  refused.code = -32602;
  refused.message = "unknown tool: x";
  EXPECT_THAT(check("error: {code: -32602, message: {matches: '^unknown .*x$'}}", refused),
              IsEmpty());
  EXPECT_THAT(check("error: {code: -32601, message: tools}", refused), SizeIs(2));
}

TEST(Expectation, FindsTextInAnyBlock) {
  const Attempt two =
      result(R"({"content":[{"type":"text","text":"a"},{"type":"text","text":"bc"}]})");
  EXPECT_THAT(check("result: {text: b}", two), IsEmpty());
  EXPECT_THAT(check("result: {text: {contains: b, matches: '^a'}}", two), SizeIs(1));
}

TEST(JsonRule, StartsFromStructuredContentOrTheTextsJson) {
  EXPECT_THAT(check("result: {json: {/a: 1}}", result(R"({"structuredContent":{"a":1.0}})")),
              IsEmpty());
  EXPECT_THAT(check("result: {json: {/a: 1}}",
                    result(R"({"content":[{"type":"text","text":"{\"a\":1}"}]})")),
              IsEmpty());
}

TEST(JsonRule, KnowsItsOperators) {
  const Attempt attempt =
      result(R"({"structuredContent":{"list":[1,2,3],"text":"order 7","n":5,"o":{"k":null}}})");
  for (const char* holds :
       {"/list: {$length: 3}", "/list: {$contains: 2}", "/list: {$length: {min: 2, max: 3}}",
        "/text: {$contains: order, $matches: '^order [0-9]+$'}", "/n: {$min: 5, $max: 5}",
        "/o: {$contains: k, $length: 1}", "/x: {$absent: true}", "/o/k: null",
        "/n: {$schema: {type: integer}}", "/o: {k: null}"}) {
    EXPECT_THAT(check("result: {json: {" + std::string(holds) + "}}", attempt), IsEmpty()) << holds;
  }
  for (const char* fails :
       {"/list: {$length: 2}", "/list: {$contains: 4}", "/text: {$matches: '^[0-9]'}",
        "/n: {$min: 5.1}", "/n: {$max: 4}", "/o: {$absent: true}", "/x: 1",
        "/n: {$schema: {type: string}}", "/text: {$min: 1}", "/n: {$length: 1}"}) {
    EXPECT_THAT(check("result: {json: {" + std::string(fails) + "}}", attempt), SizeIs(1)) << fails;
  }
}

TEST(JsonRule, TellsWhatStoodThere) {
  EXPECT_THAT(check("result: {json: {/a: 1}}", result(R"({"structuredContent":{"a":2}})")),
              ElementsAre("expected /a to be 1, received 2"));
}

TEST(ReadExpectation, RefusesWhatItDoesNotKnow) {
  for (const char* wrong :
       {"outcome: sucess", "result: {json: {a: 1}}", "result: {json: {/a: {$minimum: 1}}}",
        "result: {text: {}}", "duration: {min: 5}", "error: {code: x}",
        "result: {text: {matches: '('}}", "result: {json: {/a: {$schema: {type: 7}}}}"}) {
    EXPECT_THAT(check(wrong, Attempt()), ElementsAre(HasSubstr("e:1:"))) << wrong;
  }
}

}  // namespace
}  // namespace squall::lab
