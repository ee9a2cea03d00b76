#include "squall/json/value.h"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::json {
namespace {

Value number(std::string_view text) { return *Value::number(text); }

TEST(Value, HoldsEveryKind) {
  EXPECT_TRUE(Value().is_null());
  EXPECT_TRUE(Value(true).boolean());
  EXPECT_EQ(Value(-7).number_text(), "-7");
  EXPECT_EQ(Value(std::numeric_limits<std::uint64_t>::max()).number_text(), "18446744073709551615");
  EXPECT_EQ(Value(std::numeric_limits<std::int64_t>::min()).number_text(), "-9223372036854775808");
  EXPECT_EQ(Value(0.1).number_text(), "0.1");
  EXPECT_EQ(Value("twelve bytes").string(), "twelve bytes");
  EXPECT_EQ(Value("eight by").size(), 8U);
  EXPECT_TRUE(Value::array().is_array());
  EXPECT_TRUE(Value::object().is_object());
  EXPECT_EQ(name_of(Value::object().kind()), "object");
}

TEST(Value, ANumberThatIsNotFiniteBecomesNull) {
  EXPECT_TRUE(Value(std::numeric_limits<double>::infinity()).is_null());
  EXPECT_TRUE(Value(std::nan("")).is_null());
}

TEST(Value, AStringOfBytesThatAreNotUtf8IsRepaired) {
  EXPECT_EQ(Value("a\xFF"
                  "b\xC3")
                .string(),
            "a\uFFFDb\uFFFD");
  EXPECT_EQ(Value("\xED\xA0\x80").string(), "\uFFFD\uFFFD\uFFFD");
}

TEST(Value, OtherKindsAnswerWithNothing) {
  const Value text("x");
  EXPECT_FALSE(text.as_bool());
  EXPECT_FALSE(text.as_int64());
  EXPECT_FALSE(text.as_double());
  EXPECT_EQ(text.number_text(), "");
  EXPECT_TRUE(text.items().empty());
  EXPECT_TRUE(text.members().empty());
  EXPECT_EQ(text.find("x"), nullptr);
  EXPECT_EQ(Value(1).string(), "");
  EXPECT_FALSE(Value(1).as_string());
  EXPECT_EQ(Value(1).size(), 0U);
  EXPECT_FALSE(Value().is_integer());
}

TEST(Value, IntegersAreTakenOnlyWhenTheyFitExactly) {
  EXPECT_EQ(number("-0").as_int64(), 0);
  EXPECT_EQ(number("-0").as_uint64(), 0U);
  EXPECT_EQ(number("0e999999999999999999999").as_int64(), 0);
  EXPECT_EQ(number("1.0").as_int64(), 1);
  EXPECT_EQ(number("1e2").as_int64(), 100);
  EXPECT_EQ(number("12300e-2").as_uint64(), 123U);
  EXPECT_EQ(number("9223372036854775807").as_int64(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(number("-9223372036854775808.00").as_int64(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(number("1844674407370955161.5e1").as_uint64(),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(number("9223372036854775808").as_int64());
  EXPECT_FALSE(number("18446744073709551616").as_uint64());
  EXPECT_FALSE(number("-1").as_uint64());
  EXPECT_FALSE(number("-1.0").as_uint64());
  EXPECT_FALSE(number("1.5").as_int64());
  EXPECT_FALSE(number("1e19").as_int64());
  EXPECT_FALSE(number("1e999999999999999999999").as_int64());
  EXPECT_FALSE(number(std::string(5000, '9')).as_int64());
}

TEST(Value, DoublesAreTheNearestOnes) {
  EXPECT_EQ(number("5e-324").as_double(), 5e-324);
  EXPECT_EQ(number("1.7976931348623157e308").as_double(), 1.7976931348623157e308);
  EXPECT_EQ(number("9007199254740993").as_double(), 9007199254740992.0);
  EXPECT_EQ(number("1e400").as_double(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("-1e400").as_double(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(number(std::string(5000, '9')).as_double(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("1e-400").as_double(), 0.0);
  EXPECT_EQ(number("1e99999999999999999999").as_double(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("1e-99999999999999999999").as_double(), 0.0);
  EXPECT_TRUE(std::signbit(*number("-1e-400").as_double()));
  EXPECT_TRUE(std::signbit(*number("-0").as_double()));
}

TEST(Value, OnlyJsonNumbersAreNumbers) {
  for (const char* bad : {"", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x1", "NaN", " 1", "1 "}) {
    EXPECT_FALSE(Value::number(bad)) << bad;
  }
}

TEST(Value, ObjectsKeepTheirOrderAndTheLastOfTwoNames) {
  Value object = Value::object({{"b", 1}, {"a", 2}, {"b", 3}});
  EXPECT_EQ(to_string(object), R"({"b":3,"a":2})");
  object.set("c", true).set("a", "x");
  object["d"];
  object["b"] = Value::array({1, "two"});
  EXPECT_EQ(to_string(object), R"({"b":[1,"two"],"a":"x","c":true,"d":null})");
  EXPECT_TRUE(object.erase("a"));
  EXPECT_FALSE(object.erase("a"));
  EXPECT_EQ(to_string(object), R"({"b":[1,"two"],"c":true,"d":null})");
  EXPECT_EQ(object.find_string("c"), std::nullopt);
  EXPECT_TRUE(object.contains("d"));
}

TEST(Value, NullBecomesWhatItIsUsedAs) {
  Value object;
  object["a"] = 1;
  EXPECT_TRUE(object.is_object());
  Value array;
  array.push_back("x") = "y";
  EXPECT_EQ(to_string(array), R"(["y"])");
}

TEST(Value, GrowsFarBeyondItsFirstBlock) {
  Value array = Value::array();
  for (int i = 0; i < 10'000; ++i) array.push_back(Value::array({i, "a text that is not inline"}));
  ASSERT_EQ(array.size(), 10'000U);
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_EQ(array.items()[static_cast<std::size_t>(i)].items()[0].as_int64(), i);
  }
}

TEST(Value, ManyMembersAreTakenAsTheyAre) {
  std::vector<Member> members;
  members.emplace_back("a", 1);
  members.emplace_back("a", Value::array({"not inline at all"}));
  const Value object = Value::from_members(std::move(members));
  EXPECT_EQ(to_string(object), R"({"a":1,"a":["not inline at all"]})");
  EXPECT_EQ(*object.find("a"), Value::array({"not inline at all"}));
  EXPECT_EQ(to_string(Value::from_items({1, "x"})), R"([1,"x"])");
  EXPECT_EQ(to_string(Value::from_items({})), "[]");
}

TEST(Value, ErasesEveryMemberOfThatName) {
  Value object = *parse(R"({"a":1,"b":2,"a":3})", {.duplicates = Duplicates::keep});
  EXPECT_TRUE(object.erase("a"));
  EXPECT_EQ(to_string(object), R"({"b":2})");
}

TEST(Value, ArgumentsMayLieInsideTheValueThatChanges) {
  Value value = Value::object({{"a long name, not inline", Value::array({"a long element"})}});
  value.erase(value.members()[0].name());
  EXPECT_EQ(value.size(), 0U);
  value["list"] = Value::array({Value::array({"an element that is long"})});
  value = Value(*value.find("list"));
  value = std::move(value.items()[0]);
  EXPECT_EQ(to_string(value), R"(["an element that is long"])");
  for (int i = 0; i < 100; ++i) value.push_back(value.items()[0]);
  EXPECT_EQ(value.size(), 101U);
  EXPECT_EQ(value.items()[100], value.items()[0]);
  Value& self = value;
  value = self;
  EXPECT_EQ(value.size(), 101U);
}

TEST(Value, ACopySharesNothing) {
  const Value original = Value::object({{"list", Value::array({"a text that is not inline", 1})}});
  Value copy = original;
  copy["list"].items()[0] = "changed";
  EXPECT_EQ(to_string(original), R"({"list":["a text that is not inline",1]})");
  EXPECT_EQ(to_string(copy), R"({"list":["changed",1]})");
}

TEST(Value, OfAnyDepthIsCopiedComparedWrittenAndDestroyedWithoutRecursion) {
  Value deep;
  for (int i = 0; i < 1'000'000; ++i) {
    Value outer = Value::array();
    outer.push_back(std::move(deep));
    deep = std::move(outer);
  }
  const Value copy = deep;
  EXPECT_TRUE(copy == deep);
  EXPECT_EQ(to_string(copy).size(), 2'000'004U);
}

TEST(Equality, ComparesNumbersByExactValue) {
  EXPECT_EQ(number("1"), number("1.0"));
  EXPECT_EQ(number("100"), number("1e2"));
  EXPECT_EQ(number("0"), number("-0.0e7"));
  EXPECT_FALSE(number("9007199254740992") == number("9007199254740993"));
  EXPECT_FALSE(number("1e1000000000") == number("1"));
}

TEST(Equality, NeverMixesKinds) {
  const Value values[] = {Value(), false, 0, "", Value::array(), Value::object()};
  for (const Value& a : values) {
    for (const Value& b : values) EXPECT_EQ(a == b, &a == &b);
  }
}

TEST(Equality, IgnoresTheOrderOfMembersButNotOfItems) {
  EXPECT_EQ(*parse(R"({"a":1,"b":{"x":1,"y":2}})"), *parse(R"({"b":{"y":2,"x":1},"a":1})"));
  EXPECT_FALSE(*parse(R"({"a":1})") == *parse(R"({"b":1})"));
  EXPECT_FALSE(*parse(R"({"a":1})") == *parse(R"({"a":1,"b":2})"));
  EXPECT_FALSE(*parse("[1,2]") == *parse("[2,1]"));
}

TEST(Equality, PairsDuplicateNamesInTheirOrder) {
  const ParseOptions keep = {.duplicates = Duplicates::keep};
  EXPECT_EQ(*parse(R"({"a":1,"b":0,"a":2})", keep), *parse(R"({"b":0,"a":1,"a":2})", keep));
  EXPECT_FALSE(*parse(R"({"a":1,"a":2})", keep) == *parse(R"({"a":2,"a":1})", keep));
  EXPECT_FALSE(*parse(R"({"a":1,"a":1,"b":1})", keep) == *parse(R"({"a":1,"b":1,"b":1})", keep));
}

TEST(Equality, OfBigObjectsHoldsInAnyOrder) {
  std::vector<Member> forward;
  std::vector<Member> backward;
  for (int i = 0; i < 200'000; ++i) {
    forward.emplace_back("name " + std::to_string(i), i);
    backward.emplace_back("name " + std::to_string(199'999 - i), 199'999 - i);
  }
  const Value a = Value::from_members(forward);
  EXPECT_TRUE(a == Value::from_members(forward));
  EXPECT_TRUE(a == Value::from_members(backward));
  backward[7].value = "other";
  EXPECT_FALSE(a == Value::from_members(backward));
}

TEST(Find, TellsNamesApartAtEveryByteOfEveryLength) {
  for (std::size_t size = 0; size <= 40; ++size) {
    const std::string name(size, 'n');
    Value object = Value::object();
    object.set(name + "n", 1);
    for (std::size_t at = 0; at < size; ++at) {
      std::string other = name;
      other[at] = 'o';
      object.set(other, 2);
    }
    EXPECT_EQ(object.size(), size + 1);
    EXPECT_FALSE(object.contains(name)) << size;
    object.set(name, 3);
    EXPECT_EQ(object.find(name)->as_int64(), 3) << size;
    const auto read = parse(to_string(object));
    ASSERT_TRUE(read) << size << read.error().text();
    EXPECT_EQ(*read, object);
  }
}

}  // namespace
}  // namespace squall::json
