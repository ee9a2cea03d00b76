#include "http_rules.h"

#include <gtest/gtest.h>

namespace squall::server {
namespace {

using transport::HttpRequest;

HttpRequest with(std::string_view name, std::string_view value) {
  HttpRequest request;
  request.headers = {{name, value}};
  return request;
}

bool takes_json(std::string_view accept) {
  return accepts(with("Accept", accept), "application/json");
}

TEST(Accepts, TakesATypeByNameAndByWildcard) {
  for (const std::string_view accept :
       {"application/json", "APPLICATION/JSON", "text/event-stream, application/json",
        "application/json;charset=utf-8", "application/*", "*/*", "text/html , */* ;q=0.1",
        "application/json;q=0.001", "application/json; q=1", ",, application/json"}) {
    EXPECT_TRUE(takes_json(accept)) << accept;
  }
}

TEST(Accepts, TakesNothingThatIsNotListed) {
  for (const std::string_view accept : {"", "text/event-stream", "application/jsonl", "json",
                                        "text/*", "application", "*", "application/json/x"}) {
    EXPECT_FALSE(takes_json(accept)) << accept;
  }
  EXPECT_FALSE(accepts(HttpRequest(), "application/json"));
}

TEST(Accepts, HonoursTheWeightZero) {
  for (const std::string_view accept :
       {"application/json;q=0", "application/json; Q = 0.000", "*/*;q=0", "application/*;q=0.",
        "application/json;charset=utf-8;q=0"}) {
    EXPECT_FALSE(takes_json(accept)) << accept;
  }
}

TEST(Accepts, LetsTheMostSpecificRangeDecide) {
  EXPECT_FALSE(takes_json("*/*, application/json;q=0"));
  EXPECT_FALSE(takes_json("application/json;q=0, */*"));
  EXPECT_FALSE(takes_json("application/*;q=0, */*"));
  EXPECT_TRUE(takes_json("*/*;q=0, application/json"));
  EXPECT_TRUE(takes_json("application/json, application/*;q=0"));
}

HttpRequest post(std::string_view type, std::string_view coding) {
  HttpRequest request = with("Content-Type", type);
  request.headers.emplace_back("Content-Encoding", coding);
  return request;
}

TEST(BadContent, PassesJsonAsItIs) {
  for (const std::string_view coding : {"", "identity", "IDENTITY", "identity, identity"}) {
    EXPECT_FALSE(bad_content(post("application/json; charset=utf-8", coding))) << coding;
  }
  EXPECT_FALSE(bad_content(with("content-type", "Application/JSON")));
}

TEST(BadContent, RefusesEncodedBodiesAndSaysWhatWouldDo) {
  for (const std::string_view coding : {"gzip", "br", "identity, gzip", "gzip, identity", "x"}) {
    const auto refusal = bad_content(post("application/json", coding));
    ASSERT_TRUE(refusal) << coding;
    EXPECT_EQ(refusal->status, 415);
    ASSERT_EQ(refusal->headers.size(), 1U);
    EXPECT_EQ(refusal->headers[0].first, "Accept-Encoding");
    EXPECT_EQ(refusal->headers[0].second, "identity");
  }
  const auto text = bad_content(post("text/plain", ""));
  ASSERT_TRUE(text);
  EXPECT_EQ(text->status, 415);
}

TEST(BadVersion, PassesLegacyVersionsAlone) {
  EXPECT_FALSE(bad_version(HttpRequest()));
  EXPECT_FALSE(bad_version(with("MCP-Protocol-Version", "2025-06-18")));
  for (const std::string_view version : {"2026-07-28", "2025-06-19", "", "x"}) {
    EXPECT_TRUE(bad_version(with("MCP-Protocol-Version", version))) << version;
  }
}

TEST(OtherVersion, HoldsASessionToWhatItNegotiated) {
  const auto negotiated = mcp::Revision::r2025_06_18;
  EXPECT_FALSE(other_version(HttpRequest(), negotiated));
  EXPECT_FALSE(other_version(with("MCP-Protocol-Version", "2025-06-18"), negotiated));
  const auto refusal = other_version(with("MCP-Protocol-Version", "2025-11-25"), negotiated);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->status, 400);
}

}  // namespace
}  // namespace squall::server
