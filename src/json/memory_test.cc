#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/value.h"
#include "squall/json/write.h"

#include "counted_allocations_test.h"

namespace squall::json {
namespace {

// Work is counted in allocations and their bytes: unlike time, they are the same on every machine.
template <typename Action>
AllocationCount work_of(Action action) {
  const AllocationCount before = allocations_so_far();
  action();
  const AllocationCount after = allocations_so_far();
  return {after.allocations - before.allocations, after.bytes - before.bytes};
}

constexpr std::string_view kCall =
    R"({"jsonrpc":"2.0","id":1234,"method":"tools/call","params":{"name":"search_orders",)"
    R"("arguments":{"customer_id":"CUST-10442","status":["open","held"],"limit":50,)"
    R"("query":"say \"no\" \u20ac","total":19.99,"deep":[[[{"x":[]}]]],"note":null},"_meta":{)"
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":"p-77"}}})";

TEST(Memory, AWarmDocumentParsesACallWithoutAllocating) {
  Document document;
  ASSERT_TRUE(document.parse(std::string(kCall)));
  std::string text(kCall);  // what the transport has received anyway
  bool parsed = false;
  const AllocationCount work =
      work_of([&] { parsed = document.parse(std::move(text)).has_value(); });
  EXPECT_TRUE(parsed);
  EXPECT_EQ(work.allocations, 0U);
  EXPECT_EQ(document.root().find("params")->find("arguments")->find_string("query"),
            "say \"no\" €");
}

TEST(Memory, ReadingAndComparingAValueAllocatesNothing) {
  Document document;
  ASSERT_TRUE(document.parse_borrowed(kCall));
  const Value copy = document.root();
  bool equal = false;
  const AllocationCount work = work_of([&] {
    equal = copy == document.root() && copy.find("id")->as_int64() == 1234 &&
            copy.find("params")->find("arguments")->find("total")->as_double() == 19.99;
  });
  EXPECT_TRUE(equal);
  EXPECT_EQ(work.allocations, 0U);
}

TEST(Memory, WritingIntoAStringWithRoomAllocatesNothing) {
  const Value value = *parse(kCall);
  std::string out;
  out.reserve(2 * kCall.size());
  const AllocationCount work = work_of([&] { write(out, value); });
  EXPECT_EQ(work.allocations, 0U);
  EXPECT_EQ(*parse(out), value);
}

TEST(Memory, ADocumentGivesBackWhatAHugeTextTook) {
  std::string huge = "[\"\\n" + std::string(1 << 20, 'x') + "\"";
  for (int i = 0; i < 100'000; ++i) huge += ",{\"a\":[1]}";
  huge += ']';
  Document document;
  const AllocationCount first = work_of([&] { ASSERT_TRUE(document.parse_borrowed(huge)); });
  ASSERT_TRUE(document.parse_borrowed("[]"));
  // It has to ask again for nearly all of it, so it cannot have kept it.
  const AllocationCount again = work_of([&] { ASSERT_TRUE(document.parse_borrowed(huge)); });
  EXPECT_GT(again.bytes + (std::size_t{256} << 10), first.bytes);
}

TEST(Memory, ADocumentTellsWhatItHolds) {
  std::string zeros = "[0";
  for (int i = 1; i < 100'000; ++i) zeros += ",0";
  zeros += ']';
  const std::size_t text = zeros.size();
  Document document;
  ASSERT_TRUE(document.parse(std::move(zeros)));
  EXPECT_GE(document.memory(), text + 100'000 * sizeof(Value));
  // What only parsing needed is given back.
  EXPECT_LE(document.memory(), text + 100'000 * sizeof(Value) + (std::size_t{256} << 10));
}

TEST(Memory, AMiddlingTextIsKeptWarmToo) {
  std::string text = "[";
  for (int i = 0; i < 500; ++i) text += "{\"name\":\"a\\tb\",\"n\":[1,2]},";
  text += "0]";
  Document document;
  ASSERT_TRUE(document.parse_borrowed(text));
  const AllocationCount work = work_of([&] { ASSERT_TRUE(document.parse_borrowed(text)); });
  EXPECT_EQ(work.allocations, 0U);
}

std::string repeat(std::string_view unit, std::size_t count) {
  std::string text;
  text.reserve(unit.size() * count);
  for (std::size_t i = 0; i < count; ++i) text += unit;
  return text;
}

/// A text of about `n` parts of each shape that tempts a parser into more than linear work.
std::string object_of(std::size_t n, std::string_view prefix) {
  std::string text = "{";
  for (std::size_t i = 0; i < n; ++i) {
    if (i != 0) text += ',';
    (((text += '"') += prefix) += std::to_string(i)) += "\":0";
  }
  return text + "}";
}
std::string nest_of(std::size_t n) { return repeat("[", n) + repeat("]", n); }
std::string escapes_of(std::size_t n) { return "[" + repeat(R"("\u0041\n",)", n) + "0]"; }
std::string broken_of(std::size_t n) { return repeat("[\"\\n", n); }

TEST(Memory, WorkGrowsWithTheTextAndNoFaster) {
  const ParseOptions options = {.limits = {.depth = kDepthMax}};
  const auto bytes_for = [&options](const std::string& text) {
    return work_of([&] { static_cast<void>(parse(text, options)); }).bytes;
  };
  const auto ratio = [&bytes_for](const std::string& small, const std::string& big) {
    return static_cast<double>(bytes_for(big)) / static_cast<double>(bytes_for(small));
  };
  // Eight times the text; buffers that double may be up to twice as generous in one of the two.
  constexpr double kEightfoldMax = 8 * 2.5;
  EXPECT_LT(ratio(object_of(12'500, ""), object_of(100'000, "")), kEightfoldMax);
  EXPECT_LT(ratio(nest_of(1'250), nest_of(10'000)), kEightfoldMax);
  EXPECT_LT(ratio(escapes_of(12'500), escapes_of(100'000)), kEightfoldMax);
  EXPECT_LT(ratio(broken_of(12'500), broken_of(100'000)), kEightfoldMax);
}

// A quadratic search would compare 5 * 10^9 pairs of names here and not end within the time limit.
TEST(Memory, AHundredThousandNamesAreToldApart) {
  EXPECT_TRUE(parse(object_of(100'000, "")));
  const std::string common(200, 'p');
  std::string text = object_of(100'000, common);
  EXPECT_TRUE(parse(text));
  text.back() = ',';
  text += '"' + common + "99999\":1}";
  const auto twice = parse(text);
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().reason, ParseError::Reason::duplicate_key);
}

}  // namespace
}  // namespace squall::json
