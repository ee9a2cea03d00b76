#include "squall/recording/migrate.h"

#include <gtest/gtest.h>

#include "squall/recording/header.h"

namespace squall::recording {
namespace {

Result<json::Value> rename_member(json::Value value) {
  value.set("new", 1);
  return value;
}

Result<json::Value> refuse(json::Value) { return fail(ErrorKind::invalid, "cannot"); }

TEST(Migrate, GoesStepByStepToThePresentVersion) {
  const Migration steps[] = {{.from = 0, .header = rename_member, .event = nullptr}};
  const auto header = migrate(json::Value::object(), Part::header, 0, steps);
  ASSERT_TRUE(header.has_value());
  EXPECT_TRUE(header->contains("new"));
  const auto event = migrate(json::Value::object(), Part::event, 0, steps);
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->size(), 0u);
}

TEST(Migrate, LeavesThePresentVersionAlone) {
  const Migration steps[] = {{.from = 0, .header = refuse, .event = refuse}};
  EXPECT_TRUE(migrate(json::Value::object(), Part::header, kFormatVersion, steps).has_value());
}

TEST(Migrate, SaysWhenItCannot) {
  const Migration steps[] = {{.from = 0, .header = refuse, .event = nullptr}};
  EXPECT_EQ(migrate({}, Part::header, 0, steps).error().message, "cannot");
  EXPECT_EQ(migrate({}, Part::header, 0, {}).error().message,
            "format version 0 of cases is not known");
  EXPECT_FALSE(migrate({}, Part::header, kFormatVersion + 1).has_value());
}

}  // namespace
}  // namespace squall::recording
