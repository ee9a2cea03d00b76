#include "squall/fault/projection.h"

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::fault {
namespace {

Projection projection(Projection::Mode mode, std::initializer_list<std::string_view> pointers) {
  Projection out{mode, {}};
  for (const std::string_view text : pointers) out.pointers.push_back(*json::Pointer::parse(text));
  return out;
}

std::string applied(Projection::Mode mode, std::initializer_list<std::string_view> pointers,
                    std::string_view arguments) {
  return json::to_string(projection(mode, pointers).apply(*json::parse(arguments)));
}

using enum Projection::Mode;

TEST(Projection, KeepsMembersInTheirPlace) {
  EXPECT_EQ(applied(only, {"/a/b", "/d"}, R"({"a":{"b":1,"c":2},"d":[3],"e":4})"),
            R"({"a":{"b":1},"d":[3]})");
  EXPECT_EQ(applied(only, {"/x/y"}, R"({"x":[{"y":1}]})"), "{}");
  EXPECT_EQ(applied(only, {""}, "[1,2]"), "[1,2]");
  EXPECT_EQ(applied(only, {"/a"}, "\"text\""), "{}");
}

TEST(Projection, DropsMembers) {
  EXPECT_EQ(applied(ignore, {"/a/b", "/d"}, R"({"a":{"b":1,"c":2},"d":[3],"e":4})"),
            R"({"a":{"c":2},"e":4})");
  EXPECT_EQ(applied(ignore, {""}, "[1,2]"), "{}");
  EXPECT_EQ(applied(ignore, {"/a"}, "[1,2]"), "[1,2]");
}

TEST(Projection, IsNamedByModeAndSortedPointers) {
  EXPECT_EQ(projection(only, {"/b", "/a"}).identity(), projection(only, {"/a", "/b"}).identity());
  EXPECT_NE(projection(only, {"/a"}).identity(), projection(ignore, {"/a"}).identity());
  EXPECT_NE(projection(only, {"/a /b"}).identity(), projection(only, {"/a", "/b"}).identity());
}

TEST(SiteText, StandsForLongArgumentsByTheirHash) {
  EXPECT_EQ(site_text(json::Value::object({{"b", 1}, {"a", 2}})), R"({"a":2,"b":1})");
  const auto at = [](std::size_t bytes) {
    return *site_text(json::Value(std::string(bytes, 'x')));
  };
  EXPECT_EQ(at(1022).size(), 1024U);
  EXPECT_TRUE(at(1023).starts_with("[\"sha256\",\""));
  EXPECT_EQ(at(1023).size(), 64 + 13U);
}

}  // namespace
}  // namespace squall::fault
