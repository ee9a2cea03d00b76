#include "uri.h"

#include <utility>

#include <gtest/gtest.h>

namespace squall::schema {
namespace {

// RFC 3986 section 5.4.
TEST(ResolveUri, GivesTheExamplesOfTheRfc) {
  constexpr std::pair<const char*, const char*> kExamples[] = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q#s"},
      {"g#s", "http://a/b/c/g#s"},
      {";x", "http://a/b/c/;x"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {"..g", "http://a/b/c/..g"},
      {"./g/.", "http://a/b/c/g/"},
      {"g/../h", "http://a/b/c/h"},
      {"g?y/../x", "http://a/b/c/g?y/../x"},
      {"g#s/../x", "http://a/b/c/g#s/../x"},
  };
  for (const auto& [reference, expected] : kExamples) {
    EXPECT_EQ(resolve_uri("http://a/b/c/d;p?q", reference), expected) << reference;
  }
}

TEST(ResolveUri, KnowsUrnsAndMissingBases) {
  EXPECT_EQ(resolve_uri("urn:example:a", "#x"), "urn:example:a#x");
  EXPECT_EQ(resolve_uri("", "a.json#x"), "a.json#x");
  EXPECT_EQ(resolve_uri("http://a", "b"), "http://a/b");
}

TEST(PercentDecode, RefusesHalfEscapes) {
  EXPECT_EQ(percent_decode("a%20%C3%a9"), "a é");
  EXPECT_EQ(percent_decode("%"), std::nullopt);
  EXPECT_EQ(percent_decode("%4"), std::nullopt);
  EXPECT_EQ(percent_decode("%4g"), std::nullopt);
}

}  // namespace
}  // namespace squall::schema
