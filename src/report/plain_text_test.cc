#include "plain_text.h"

#include <gtest/gtest.h>

namespace squall::report {
namespace {

TEST(OneLine, ObeysNothing) {
  EXPECT_EQ(one_line("a\nb\tc\x1b[31m"), "a\\nb\\tc\xEF\xBF\xBD[31m");
  EXPECT_EQ(one_line("\xff"), "\xEF\xBF\xBD");
  EXPECT_EQ(one_line("x\xE2\x80\xAEy"), "x\xEF\xBF\xBDy");  // right-to-left override
  EXPECT_EQ(one_line("abcdef", 3), "abc...");
}

TEST(XmlEscaped, HoldsWhatXmlCan) {
  EXPECT_EQ(xml_escaped("<a b=\"c\">&'", false), "&lt;a b=&quot;c&quot;&gt;&amp;&apos;");
  EXPECT_EQ(xml_escaped("a\nb\tc\rd", true), "a&#xA;b&#x9;c&#xD;d");
  EXPECT_EQ(xml_escaped("a\nb\tc", false), "a\nb\tc");
  EXPECT_EQ(xml_escaped(std::string("\0\x01\x1b\xEF\xBF\xBE", 6), false),
            "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace squall::report
