#include "slices.h"

#include <gtest/gtest.h>

namespace squall::proxy {
namespace {

std::string with_id(std::string text, std::string_view value) {
  return with_value(std::move(text), {"id"}, value);
}

TEST(Slices, OneValueChangesAndNoOtherByte) {
  EXPECT_EQ(with_id(R"({ "x" : 1.50e+1, "id" :  "a\"b" , "y":[ ]})", "7"),
            R"({ "x" : 1.50e+1, "id" :  7 , "y":[ ]})");
  EXPECT_EQ(with_id(R"({"params":{"id":1},"id":2})", "3"), R"({"params":{"id":1},"id":3})");
  EXPECT_EQ(with_id(R"({"id":null})", "3"), R"({"id":3})");
}

TEST(Slices, NamesAreComparedAsTheyRead) {
  EXPECT_EQ(with_id(R"({"\u0069d":1,"i\"d":2})", "3"), R"({"\u0069d":3,"i\"d":2})");
}

TEST(Slices, ANameThatStandsTwiceLeadsToBoth) {
  EXPECT_EQ(with_id(R"({"id":1,"id":2})", "\"x\""), R"({"id":"x","id":"x"})");
}

TEST(Slices, PathsLeadThroughObjectsAndArrays) {
  const std::string text = R"({"result":{"tools":[{"name":"a"},5,{"title":"t","name":"b"}]}})";
  EXPECT_EQ(with_value(text, {"result", "tools", "*", "name"}, "0"),
            R"({"result":{"tools":[{"name":0},5,{"title":"t","name":0}]}})");
  EXPECT_EQ(with_value(text, {"result", "name"}, "0"), text);
  EXPECT_TRUE(slices_at("[]", {"id"}).empty());
}

TEST(Slices, WhatIsNoJsonIsLeftAlone) {
  for (const std::string text :
       {"", "{", "{\"id", "{\"id\"", "{\"id\":", "{\"id\":\"a", "{\"id\":\"a\\", "{\"id\":{\"x\":1",
        "{\"a\":1 \"id\":2}", "}{", "{\"a\":[}]", "nonsense"}) {
    EXPECT_EQ(with_id(text, "7"), text);
  }
}

TEST(Slices, MembersGoWithOneOfTheirCommas) {
  const auto without = [](std::string text) {
    return without_members(std::move(text), {"*", "o"});
  };
  EXPECT_EQ(without(R"([{"o":{"a":[1]},"b":2}])"), R"([{"b":2}])");
  EXPECT_EQ(without(R"([{"b":2, "o":1}])"), R"([{"b":2}])");
  EXPECT_EQ(without(R"([{"a":1,"o":1 , "b":2}])"), R"([{"a":1,"b":2}])");
  EXPECT_EQ(without(R"([{ "o":1 },{"c":1}])"), R"([{  },{"c":1}])");
  EXPECT_EQ(without(R"([{"a":1,"o":1,"o":2}])"), R"([{"a":1}])");
  EXPECT_EQ(without(R"([{"o":1,"o":2}])"), R"([{}])");
}

}  // namespace
}  // namespace squall::proxy
