#include "squall/jsonrpc/message.h"

#include <gtest/gtest.h>

#include "squall/json/parse.h"

namespace squall::jsonrpc {
namespace {

std::expected<Message, BadMessage> read(const char* text, json::Document& document) {
  EXPECT_TRUE(document.parse(text).has_value()) << text;
  return read_message(document.root());
}

TEST(ReadMessage, TellsTheFourKindsApart) {
  json::Document document;
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":0,"method":"a"})", document)->kind, MessageKind::request);
  EXPECT_EQ(read(R"({"method":"a","jsonrpc":"2.0","params":{}})", document)->kind,
            MessageKind::notification);
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":"x","result":{}})", document)->kind, MessageKind::result);
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":"x","error":{}})", document)->kind, MessageKind::error);
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":null,"error":{}})", document)->kind, MessageKind::error);
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","error":{}})", document)->kind, MessageKind::error);
}

TEST(ReadMessage, KeepsTheTypeAndTextOfIds) {
  json::Document document;
  for (const char* id : {"0", "-7", "9007199254740993", "\"1\"", "\"\"", "\"h\u00e9\"", "1.0"}) {
    const std::string text = std::string(R"({"jsonrpc":"2.0","method":"a","id":)") + id + "}";
    const auto message = read(text.c_str(), document);
    ASSERT_TRUE(message.has_value()) << id;
    EXPECT_EQ(message->id.json(), id);
  }
}

TEST(ReadMessage, RefusesEachBrokenShapeAndEchoesTheIdOfARequest) {
  const std::pair<const char*, const char*> cases[] = {
      {"1", "null"},
      {"[]", "null"},
      {"{}", "null"},
      {R"({"id":1,"method":"a"})", "1"},
      {R"({"jsonrpc":"1.0","id":1,"method":"a"})", "1"},
      {R"({"jsonrpc":2.0,"id":1,"method":"a"})", "1"},
      {R"({"jsonrpc":"2.0","id":null,"method":"a"})", "null"},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"a"})", "null"},
      {R"({"jsonrpc":"2.0","id":true,"method":"a"})", "null"},
      {R"({"jsonrpc":"2.0","id":{"a":1},"method":"a"})", "null"},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", "1"},
      {R"({"jsonrpc":"2.0","id":1,"method":"a","params":[]})", "1"},
      {R"({"jsonrpc":"2.0","id":1,"method":"a","params":null})", "1"},
      {R"({"jsonrpc":"2.0","id":1,"method":"a","result":{}})", "1"},
      {R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})", "null"},
      {R"({"jsonrpc":"2.0","id":1,"result":3})", "null"},
      {R"({"jsonrpc":"2.0","result":{}})", "null"},
      {R"({"jsonrpc":"2.0","id":1})", "1"},
  };
  json::Document document;
  for (const auto& [text, id] : cases) {
    const auto message = read(text, document);
    ASSERT_FALSE(message.has_value()) << text;
    EXPECT_EQ(message.error().code, code::kInvalidRequest) << text;
    EXPECT_EQ(message.error().id.json(), id) << text;
  }
}

TEST(ReadMessage, RefusesAnIdThatIsTooLong) {
  json::Document document;
  const auto with_id = [](std::size_t size) {
    return R"({"jsonrpc":"2.0","method":"a","id":")" + std::string(size, 'x') + "\"}";
  };
  EXPECT_TRUE(read(with_id(kIdBytesMax).c_str(), document).has_value());
  EXPECT_FALSE(read(with_id(kIdBytesMax + 1).c_str(), document).has_value());
}

TEST(WriteFrames, AreTheMessagesTheyName) {
  std::string out;
  write_error(out, Id(), code::kParseError, "bad \"x\"");
  EXPECT_EQ(out, R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad \"x\""}})");
  out.clear();
  write_result(out, Id::string("a"), R"("k":1)");
  EXPECT_EQ(out, R"({"jsonrpc":"2.0","id":"a","result":{"k":1}})");
  EXPECT_EQ(outcome_member(out, Id::string("a")), R"("result":{"k":1})");
  EXPECT_EQ(outcome_member("{}", Id::string("a")), "");
  out.clear();
  write_call(out, Id(), "notifications/x", "");
  EXPECT_EQ(out, R"({"jsonrpc":"2.0","method":"notifications/x"})");
  out.clear();
  write_call(out, Id(0), "ping", "{}");
  EXPECT_EQ(out, R"({"jsonrpc":"2.0","id":0,"method":"ping","params":{}})");
}

}  // namespace
}  // namespace squall::jsonrpc
