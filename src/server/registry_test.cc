#include "squall/server/registry.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "pair_bench.h"
#include "pipeline.h"

// What one file declares survives the merge with others, whichever comes first.

namespace squall::server {
namespace {

using test::text_of;

struct Binding {
  std::string state;
};

Registry empty_registry() {
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  return Registry(info);
}

class Passing final : public Stage {
 public:
  Task<Outcome<ToolResult>> around(std::string_view, Context&, const Next& next) override {
    return next();
  }
};

class Stamp final : public Presenter {
 public:
  ToolResult present(Context&, ToolResult result) const override {
    result.add(Content::text("presented"));
    return result;
  }
};

Checked deny(Context&) { return refuse("UNAUTHORIZED", "log in first"); }

Registry listing() {
  Registry registry = empty_registry();
  registry.query("users.list").tags({"public"}).handle([](Context&) { return "all"; });
  return registry;
}

Registry deleting() {
  Registry registry = empty_registry();
  Router users = registry.router("users");
  users.use(deny).tags({"admin"});
  users.mutation("delete")
      .guard(std::make_shared<Passing>())
      .presents(std::make_shared<Stamp>())
      .attach(Binding{"open"})
      .handle([](Context&) { return "deleted"; });
  return registry;
}

Registry auditing() {
  Registry registry = empty_registry();
  registry.use(std::make_shared<Passing>());
  registry.query("audit.read").handle([](Context&) { return "log"; });
  return registry;
}

std::shared_ptr<const Pipeline> merged(std::vector<Registry> parts) {
  Registry registry = empty_registry();
  for (const Registry& part : parts) EXPECT_TRUE(registry.merge(part).has_value());
  auto pipeline = registry.compile();
  EXPECT_TRUE(pipeline.has_value()) << pipeline.error().message;
  return *pipeline;
}

TEST(Merge, KeepsMiddlewareGuardsPresentersTagsAndBindingsOfEachActionInAnyOrder) {
  std::vector<int> order{0, 1, 2};
  do {
    std::vector<Registry> parts;
    for (const int which : order) {
      parts.push_back(which == 0 ? listing() : which == 1 ? deleting() : auditing());
    }
    const auto pipeline = merged(std::move(parts));
    const ToolEntry& users = *pipeline->find_tool("users");
    const ActionEntry& remove = users.actions.at("delete");
    ASSERT_EQ(remove.chain.size(), 4U);  // the second serialises the mutation
    EXPECT_TRUE(remove.chain[0].stage != nullptr && remove.chain[0].resumes);
    EXPECT_TRUE(remove.chain[1].stage != nullptr && remove.chain[1].resumes);
    EXPECT_TRUE(remove.chain[2].presenter != nullptr);
    EXPECT_TRUE(static_cast<bool>(remove.chain[3].check));
    EXPECT_EQ(remove.tags, std::vector<std::string>{"admin"});
    const auto bound = remove.parts.find(typeid(Binding));
    ASSERT_NE(bound, remove.parts.end());
    EXPECT_EQ(static_cast<const Binding*>(bound->second.get())->state, "open");
    EXPECT_TRUE(users.actions.at("list").chain.empty());
    EXPECT_EQ(users.actions.at("list").tags, std::vector<std::string>{"public"});
    EXPECT_EQ(pipeline->find_tool("audit")->actions.at("read").chain.size(), 1U);
    EXPECT_EQ(pipeline->tool_pages.modern,
              merged({listing(), deleting(), auditing()})->tool_pages.modern);
  } while (std::ranges::next_permutation(order).found);
}

TEST(Merge, DoesNotLetAnActionRunUnprotectedBecauseAnotherCameFirst) {
  Registry registry = listing();
  ASSERT_TRUE(registry.merge(deleting()).has_value());
  test::PairBench bench(registry);
  const auto call = [&](std::string_view action) {
    const auto heard =
        bench.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"users",)"
                  R"("arguments":{"action":")" +
                  std::string(action) + R"("}}})");
    return heard.empty() ? bench.hear().at(0) : heard.at(0);
  };
  EXPECT_NE(call("delete").find("UNAUTHORIZED"), std::string::npos);
  EXPECT_NE(call("list").find("all"), std::string::npos);
}

TEST(Merge, ThatFailsChangesNothing) {
  struct Case {
    std::string_view input;
    std::string_view name;
  };
  Registry registry = empty_registry();
  registry.query("a.x")
      .input(R"({"type":"object","properties":{"id":{"type":"string"}}})")
      .handle([](Context&) { return "x"; });
  const std::string before = (*registry.compile())->tool_pages.modern[0];
  for (const Case& one :
       {Case{R"({"type":"object","properties":{"id":{"type":"integer"}}})", "a.y"},
        Case{R"({"type":"object"})", "a.x"}}) {
    Registry other = empty_registry();
    other.query("b.fine").handle([](Context&) { return "fine"; });
    other.query(one.name).input(one.input).handle([](Context&) { return "y"; });
    EXPECT_FALSE(registry.merge(other).has_value()) << one.name;
    EXPECT_EQ((*registry.compile())->tool_pages.modern[0], before);
  }
}

TEST(Merge, LeavesRoutersOfOneNameAlone) {
  Registry registry = empty_registry();
  registry.router("users").use(deny).query("a").handle([](Context&) { return "a"; });
  registry.router("users").query("b").handle([](Context&) { return "b"; });
  const auto pipeline = *registry.compile();
  const ToolEntry& users = *pipeline->find_tool("users");
  EXPECT_EQ(users.actions.at("a").chain.size(), 1U);
  EXPECT_TRUE(users.actions.at("b").chain.empty());
}

TEST(Merge, TellsRoutersThatContradictEachOther) {
  Registry registry = empty_registry();
  registry.router("users").describe("One").query("a").handle([](Context&) { return "a"; });
  registry.router("users").describe("Two").query("b").handle([](Context&) { return "b"; });
  const auto compiled = registry.compile();
  ASSERT_FALSE(compiled.has_value());
  EXPECT_NE(compiled.error().message.find("has another description"), std::string::npos);
}

}  // namespace
}  // namespace squall::server
