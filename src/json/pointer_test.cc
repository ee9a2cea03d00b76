#include "squall/json/pointer.h"

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::json {
namespace {

TEST(Pointer, FindsTheExamplesOfRfc6901) {
  const Value root = *parse(R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,
                               "i\\j":5,"k\"l":6," ":7,"m~n":8})");
  const std::pair<const char*, const char*> examples[] = {{"/foo", R"(["bar","baz"])"},
                                                          {"/foo/0", R"("bar")"},
                                                          {"/", "0"},
                                                          {"/a~1b", "1"},
                                                          {"/c%d", "2"},
                                                          {"/e^f", "3"},
                                                          {"/g|h", "4"},
                                                          {"/i\\j", "5"},
                                                          {"/k\"l", "6"},
                                                          {"/ ", "7"},
                                                          {"/m~0n", "8"},
                                                          {"/foo/1", R"("baz")"}};
  for (const auto& [text, expected] : examples) {
    const auto pointer = Pointer::parse(text);
    ASSERT_TRUE(pointer) << text;
    const Value* value = pointer->find(root);
    ASSERT_NE(value, nullptr) << text;
    EXPECT_EQ(to_string(*value), expected) << text;
    EXPECT_EQ(pointer->text(), text);
  }
  EXPECT_EQ(Pointer::parse("")->find(root), &root);
}

TEST(Pointer, FindsNothingWhereNothingIs) {
  const Value root = *parse(R"({"a":[1,2],"0":{"x":null}})");
  for (const char* text : {"/b", "/a/2", "/a/00", "/a/01", "/a/-", "/a/-1", "/a/+1", "/a/", "/a/ 1",
                           "/a/1e0", "/a/18446744073709551616", "/a/0/x", "/0/x/y"}) {
    EXPECT_EQ(Pointer::parse(text)->find(root), nullptr) << text;
  }
}

TEST(Pointer, RefusesWhatIsNone) {
  for (const char* text : {"a", " /a", "#/a", "/~", "/a~2", "/~a", "/a/b~"}) {
    const auto pointer = Pointer::parse(text);
    ASSERT_FALSE(pointer) << text;
    EXPECT_EQ(pointer.error().kind, ErrorKind::invalid);
  }
}

TEST(Pointer, EscapesTokens) {
  std::string pointer = "/x";
  append_pointer_token(pointer, "a/b~c");
  append_pointer_token(pointer, "");
  EXPECT_EQ(pointer, "/x/a~1b~0c/");
  EXPECT_EQ(Pointer::parse(pointer)->tokens(), (std::vector<std::string>{"x", "a/b~c", ""}));
  EXPECT_EQ(Pointer::parse("/~01")->tokens().front(), "~1");
}

}  // namespace
}  // namespace squall::json
