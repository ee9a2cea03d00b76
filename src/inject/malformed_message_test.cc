#include <gmock/gmock.h>

#include "squall/json/parse.h"

#include "malform.h"
#include "tools_bench.h"

namespace squall::inject {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr std::string_view kResponse = R"({"jsonrpc":"2.0","id":7,"result":{"a":"x"}})";

TEST(Malform, ChangesWhatTheVariantNames) {
  const std::vector<std::pair<std::string, std::string>> variants = {
      {"missing-jsonrpc", R"({"id":7,"result":{"a":"x"}})"},
      {"invalid-jsonrpc-version", R"({"jsonrpc":"1.0","id":7,"result":{"a":"x"}})"},
      {"result-with-error", R"({"jsonrpc":"2.0","id":7,"result":{"a":"x"},)"
                            R"("error":{"code":-32603,"message":"an error beside a result"}})"},
      {"wrong-id", R"({"jsonrpc":"2.0","id":1007,"result":{"a":"x"}})"},
      {"null-id", R"({"jsonrpc":"2.0","id":null,"result":{"a":"x"}})"},
      {"not-json", "this is not JSON"},
      {"truncated", R"({"jsonrpc":"2.0","id")"},
      {"invalid-utf8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"a\":\"x\xff\"}}"}};
  for (const auto& [variant, text] : variants) {
    const auto pieces = malform(variant, kResponse);
    ASSERT_TRUE(pieces.has_value()) << variant;
    EXPECT_THAT(*pieces, ElementsAre(text)) << variant;
  }
}

TEST(Malform, SplitsIntoTwoThatTogetherAreTheResponse) {
  const auto pieces = malform("split", kResponse);
  ASSERT_THAT(*pieces, SizeIs(2));
  EXPECT_EQ(pieces->at(0) + pieces->at(1), kResponse);
}

TEST(Malform, GivesTextIdsAnotherText) {
  EXPECT_THAT(*malform("wrong-id", R"({"jsonrpc":"2.0","id":"a","result":{}})"),
              ElementsAre(R"({"jsonrpc":"2.0","id":"not-a","result":{}})"));
}

TEST(Malform, KnowsNoOtherVariants) { EXPECT_FALSE(malform("other", kResponse).has_value()); }

TEST(MalformedMessage, BreaksItsOwnResponseAndLeavesTheNextOneWhole) {
  for (const char* variant : {"missing-jsonrpc", "invalid-jsonrpc-version", "result-with-error",
                              "truncated", "not-json", "wrong-id", "null-id", "invalid-utf8"}) {
    test::ToolsBench bench;
    bench.call(1, "ping");
    const std::string good = bench.hear().at(0);
    bench.call(1, "malformed_message", R"({"variant":")" + std::string(variant) + "\"}");
    EXPECT_THAT(bench.hear(), SizeIs(1)) << variant;
    bench.call(1, "ping");
    EXPECT_THAT(bench.hear(), ElementsAre(good)) << variant;
  }
}

TEST(MalformedMessage, RefusesVariantsThatItDoesNotKnow) {
  test::ToolsBench bench;
  bench.call(1, "malformed_message", R"({"variant":"other"})");
  EXPECT_TRUE(test::is_error(bench.hear().at(0)));
}

}  // namespace
}  // namespace squall::inject
