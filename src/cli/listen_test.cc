#include "listen.h"

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::cli {
namespace {

std::string text(std::string_view method, const char* params) {
  return notification_text(method, json::parse(params).value());
}

TEST(NotificationText, IsALineOfWords) {
  EXPECT_EQ(text("notifications/tools/list_changed", "{}"), "tools changed");
  EXPECT_EQ(text("notifications/resources/updated", R"({"uri":"file:///a"})"),
            "resource changed: file:///a");
  EXPECT_EQ(text("notifications/message", R"({"level":"info","logger":"db","data":"up"})"),
            "info db: up");
  EXPECT_EQ(text("notifications/message", R"({"level":"error","data":{"a":1}})"),
            R"(error: {"a":1})");
}

TEST(NotificationText, ShowsAnythingElseWithoutControlCharacters) {
  EXPECT_EQ(text("x/\u001by", R"({"a":"b"})"), R"(x/\u{1b}y {"a":"b"})");
  EXPECT_EQ(text("notifications/message", "{}"), "log");
  EXPECT_EQ(text("notifications/resources/updated", "{}"), "resource changed: ");
}

TEST(NotificationJson, HasMethodAndParams) {
  EXPECT_EQ(json::to_string(notification_json("m", json::Value::object({{"a", 1}}))),
            R"({"event":"notification","method":"m","params":{"a":1}})");
}

}  // namespace
}  // namespace squall::cli
