#include "input.h"

#include <gtest/gtest.h>

#include "squall/base/text.h"

#include "engine_state.h"
#include "fixture_registry.h"
#include "pair_bench.h"

namespace squall::server {
namespace {

using namespace std::chrono_literals;

json::Value parsed(std::string_view text) { return json::parse(text).value_or(json::Value()); }

const InputRequest& form() {
  static const InputRequest request = elicit_form(
      "?", parsed(R"({"type":"object","properties":{"n":{"type":"string"}},"required":["n"]})"));
  return request;
}

bool usable(const InputRequest& question, const json::Value& answer) {
  FormSchemas forms;
  return is_usable_answer(question, answer, forms);
}

TEST(UsableAnswer, ToAFormHasContentThatFits) {
  for (const std::string_view good :
       {R"({"action":"accept","content":{"n":"x"}})", R"({"action":"decline"})",
        R"({"action":"cancel","content":7})"}) {
    EXPECT_TRUE(usable(form(), parsed(good))) << good;
  }
  for (const std::string_view bad :
       {R"({"action":"accept"})", R"({"action":"accept","content":{}})",
        R"({"action":"accept","content":{"n":1}})", R"({"action":"accept","content":[]})",
        R"({"action":"agree","content":{"n":"x"}})", R"({})", R"([])", R"(null)", R"("accept")"}) {
    EXPECT_FALSE(usable(form(), parsed(bad))) << bad;
  }
}

TEST(UsableAnswer, ToTheOthersHasTheirShape) {
  EXPECT_TRUE(usable(elicit_url("?", "https://a"), parsed(R"({"action":"accept"})")));
  EXPECT_FALSE(usable(elicit_url("?", "https://a"), parsed(R"({"action":1})")));
  const InputRequest sampling = sample("?", 5);
  EXPECT_TRUE(
      usable(sampling, parsed(R"({"role":"assistant","model":"m","content":{"type":"text"}})")));
  EXPECT_FALSE(usable(sampling, parsed(R"({"role":"assistant","model":"m"})")));
  EXPECT_TRUE(usable(list_roots(), parsed(R"({"roots":[]})")));
  EXPECT_FALSE(usable(list_roots(), parsed(R"({"roots":{}})")));
}

TEST(MissingCapability, NamesWhatIsNeededAsCapabilities) {
  mcp::ClientCapabilities none;
  EXPECT_EQ(missing_capability(form(), none), parsed(R"({"elicitation":{"form":{}}})"));
  EXPECT_EQ(missing_capability(elicit_url("?", "u"), none),
            parsed(R"({"elicitation":{"url":{}}})"));
  EXPECT_EQ(missing_capability(sample("?", 5), none), parsed(R"({"sampling":{}})"));
  EXPECT_EQ(missing_capability(list_roots(), none), parsed(R"({"roots":{}})"));
  mcp::ClientCapabilities some;
  some.sampling = true;
  const InputRequest with_tools =
      sample("?", 5, json::Value::object({{"tools", json::Value::array()}}));
  EXPECT_EQ(missing_capability(sample("?", 5), some), json::Value());
  EXPECT_EQ(missing_capability(with_tools, some), parsed(R"({"sampling":{"tools":{}}})"));
}

constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";

std::string call(std::string_view more) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"interview",)" +
         std::string(more) + std::string(kMeta) + "}}";
}

std::string state_in(const std::vector<std::string>& heard) {
  const json::Value response = parsed(heard.at(0));
  const json::Value* result = response.find("result");
  return result == nullptr ? "" : std::string(result->find_string("requestState").value_or(""));
}

TEST(SealedState, ShowsNothingOfItself) {
  test::PairBench bench(test::fixture_registry());
  const std::string state = state_in(bench.say(
      call(R"("inputResponses":{"name":{"action":"accept","content":{"name":"Ann"}}},)")));
  ASSERT_FALSE(state.empty());
  EXPECT_EQ(state.find("Ann"), std::string::npos);
  EXPECT_EQ(base::base64url_decode(state).value_or("").find("Ann"), std::string::npos);
}

TEST(SealedState, OfAnotherServerIsRefused) {
  test::PairBench one(test::fixture_registry());
  test::PairBench other(test::fixture_registry());
  const std::string retry = call(R"("requestState":")" + state_in(one.say(call(""))) + R"(",)");
  EXPECT_NE(one.say(retry).at(0).find("input_required"), std::string::npos);
  EXPECT_NE(other.say(retry).at(0).find("-32602"), std::string::npos);
}

TEST(SealedState, IsRefusedWithAnyOfItsCharactersChanged) {
  test::PairBench bench(test::fixture_registry());
  const std::string state = state_in(bench.say(call("")));
  // The last character may hold bits that mean nothing, which the codec refuses on its own.
  for (std::size_t i = 0; i < state.size(); i += 3) {
    std::string changed = state;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    const auto heard = bench.say(call(R"("requestState":")" + changed + R"(",)"));
    EXPECT_NE(heard.at(0).find("invalid or expired requestState"), std::string::npos) << i;
  }
}

TEST(SealedState, IsGoodForItsTimeAndNoLonger) {
  EngineOptions options;
  options.state_ttl = std::chrono::seconds(60);
  test::PairBench bench(test::fixture_registry(), options);
  const std::string retry = call(R"("requestState":")" + state_in(bench.say(call(""))) + R"(",)");
  bench.hear(59s);
  EXPECT_NE(bench.say(retry).at(0).find("input_required"), std::string::npos);
  bench.hear(2s);
  EXPECT_NE(bench.say(retry).at(0).find("-32602"), std::string::npos);
}

TEST(FormSchemas, AreCompiledOnceHoweverManyAskWithThem) {
  FormSchemas forms;
  const json::Value schema = *form().params.find("requestedSchema");
  const auto first = forms.of(schema);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(forms.of(json::Value(schema)), first);
  EXPECT_EQ(forms.of(parsed(R"({"type":"nonsense"})")), nullptr);
}

TEST(FormSchemas, OfWhichThereAreTooManyAreForgotten) {
  FormSchemas forms;
  const json::Value schema = *form().params.find("requestedSchema");
  const auto first = forms.of(schema);
  for (int i = 0; i < 300; ++i) {
    ASSERT_NE(forms.of(json::Value::object({{"type", "object"}, {"title", std::to_string(i)}})),
              nullptr);
  }
  const auto again = forms.of(schema);
  EXPECT_NE(again, first);
  EXPECT_EQ(again->validate(parsed(R"({"n":"x"})")), schema::Verdict::valid);
}

}  // namespace
}  // namespace squall::server
