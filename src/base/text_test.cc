#include "squall/base/text.h"

#include <vector>

#include <gtest/gtest.h>

namespace squall::base {
namespace {

TEST(FindInvalidUtf8, AcceptsTheEdgesOfEveryRange) {
  for (const char* text :
       {"", "abcdefghij", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF",
        "\xEE\x80\x80", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(find_invalid_utf8(text), std::string_view::npos) << text;
  }
}

TEST(FindInvalidUtf8, NamesTheOffsetOfTheFirstBadSequence) {
  for (const char* bad : {"\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                          "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC2", "\xE2\x82"}) {
    EXPECT_EQ(find_invalid_utf8(std::string("0123456789") + bad), 10U);
  }
}

TEST(CodePoints, RoundTrip) {
  for (const char32_t c : {U'a', U'\u00e9', U'\u20ac', U'\U0001F600', U'\U0010FFFF'}) {
    std::string text;
    append_utf8(text, c);
    std::size_t offset = 0;
    EXPECT_EQ(next_code_point(text, offset), c);
    EXPECT_EQ(offset, text.size());
    EXPECT_EQ(count_code_points(text), 1U);
  }
}

TEST(Base64, MatchesTheVectorsOfRfc4648) {
  const std::vector<std::pair<std::string, std::string>> vectors = {{"", ""},
                                                                    {"f", "Zg=="},
                                                                    {"fo", "Zm8="},
                                                                    {"foo", "Zm9v"},
                                                                    {"foob", "Zm9vYg=="},
                                                                    {"fooba", "Zm9vYmE="},
                                                                    {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : vectors) {
    EXPECT_EQ(base64_encode(plain), encoded);
    EXPECT_EQ(base64_decode(encoded), plain);
  }
}

TEST(Base64, RefusesWhatIsNotCanonical) {
  for (const char* bad :
       {"Zg=", "Zg", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm 9", "Zm-_"}) {
    EXPECT_EQ(base64_decode(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(base64url_decode(base64url_encode("\xFF\xFE\xFD")), "\xFF\xFE\xFD");
}

TEST(ShowName, TellsNamesApartThatLookAlike) {
  EXPECT_EQ(show_name("plain name"), "plain name");
  EXPECT_EQ(show_name("caf\u00e9"), "caf\\u{e9}");
  EXPECT_EQ(show_name("cafe\u0301"), "cafe\\u{301}");
  EXPECT_EQ(show_name("\x1b[31m\U0001F600"), "\\u{1b}[31m\\u{1f600}");
  EXPECT_EQ(show_name(std::string(1000, 'x'), 10), "xxxxxxxxxx...");
}

TEST(Nearest, FindsATypoAndNotAStranger) {
  const std::vector<std::string> words = {"serve", "demo", "version"};
  EXPECT_EQ(nearest("sevre", words), "serve");
  EXPECT_EQ(nearest("verison", words), "version");
  EXPECT_EQ(nearest("inspect", words), std::nullopt);
}

}  // namespace
}  // namespace squall::base
