#include "squall/lab/adapter.h"

#include <gmock/gmock.h>

#include "squall/json/write.h"

#include "fake_target.h"

namespace squall::lab {
namespace {

using testing::HasSubstr;

TEST(AdapterRegistry, KnowsMcpInBothForms) {
  const AdapterRegistry registry;
  const auto ours = registry.read(
      "t.yaml", "squall: 1\ntarget: { transport: stdio, command: x }\nprotocol: 2026-07-28\n");
  ASSERT_TRUE(ours.has_value()) << ours.error().message;
  EXPECT_EQ((*ours)->adapter(), "mcp");
  EXPECT_EQ((*ours)->protocol(), Protocol::modern);
  EXPECT_TRUE((*ours)->external());
  const auto theirs = registry.read(
      "t.json", R"({"adapter":"mcp","config":{"transport":"http","url":"http://127.0.0.1:1/"}})");
  ASSERT_TRUE(theirs.has_value()) << theirs.error().message;
  EXPECT_EQ((*theirs)->describe(), "http http://127.0.0.1:1/");
  EXPECT_EQ((*theirs)->protocol(), std::nullopt);
}

TEST(AdapterRegistry, TakesFurtherOnesAndNoNameTwice) {
  AdapterRegistry registry;
  static test::FakePlan plan;
  const Adapter fake = [](const std::string&, const std::string&) {
    return Result<std::unique_ptr<Target>>(std::make_unique<test::FakeTarget>(plan));
  };
  EXPECT_TRUE(registry.add("fake", fake).has_value());
  EXPECT_EQ(registry.read("t", R"({"adapter":"fake"})").value()->describe(), "fake");
  EXPECT_EQ(registry.add("fake", fake).error().message,
            "target-client adapter is already registered: fake");
  EXPECT_FALSE(registry.add("mcp", fake).has_value());
  EXPECT_THAT(registry.read("t", R"({"adapter":"other"})").error().message,
              HasSubstr("unknown target-client adapter; there is builtin, fake, mcp"));
}

TEST(Target, NeedsItsVariablesWhenItIsOpened) {
  const AdapterRegistry registry;
  auto target = registry.read("t", R"({"adapter":"mcp","config":{"transport":"stdio",)"
                                   R"("command":"x","envFrom":{"TOKEN":"MY_TOKEN"}}})");
  ASSERT_TRUE(target.has_value()) << target.error().message;
  const auto loop = runtime::SystemLoop::make();
  Place place;
  place.loop = loop.get();
  place.machine = loop.get();
  place.environment = [](std::string_view) { return std::optional<std::string>(); };
  EXPECT_EQ((*target)->open(place).error().message,
            "environment variable MY_TOKEN is required for stdio variable TOKEN");
  place.environment = [](std::string_view) { return std::optional<std::string>("hunter22"); };
  std::string text = "a hunter22 b";
  (*target)->redactor(place.environment).value()->redact(text);
  EXPECT_EQ(text, "a [redacted:MY_TOKEN] b");
}

TEST(Adapters, TheBuiltinServerHasAChoiceOfTools) {
  const AdapterRegistry registry;
  const auto target =
      registry.read("t.json", R"({"adapter":"builtin","config":{"tools":["examples"]}})");
  ASSERT_TRUE(target.has_value()) << target.error().message;
  EXPECT_FALSE((*target)->external());
  EXPECT_EQ(json::to_string((*target)->to_json()),
            R"({"adapter":"builtin","config":{"tools":["examples"]}})");
  const auto usual = registry.read("t.json", R"({"adapter":"builtin"})");
  ASSERT_TRUE(usual.has_value());
  EXPECT_TRUE((*usual)->to_json().is_null());
  EXPECT_FALSE(registry.read("t.json", R"({"adapter":"builtin","config":{"tools":["all"]}})"));
  EXPECT_FALSE(registry.read("t.json", R"({"adapter":"builtin","tools":["fault"]})"));
}

}  // namespace
}  // namespace squall::lab
