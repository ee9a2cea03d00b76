#include "task_store.h"

#include <gtest/gtest.h>

namespace squall::server {
namespace {

using namespace std::chrono_literals;
using Told = TaskStore::Told;

InputRequest question(std::string_view field) {
  json::Value text = json::Value::object({{"type", "string"}});
  return elicit_form(
      "?", json::Value::object({{"type", "object"},
                                {"properties", json::Value::object({{field, std::move(text)}})},
                                {"required", json::Value::array({field})}}));
}

FormSchemas forms;

json::Value answer(std::string_view key, std::string_view field) {
  json::Value content = json::Value::object({{field, "x"}});
  return json::Value::object(
      {{key, json::Value::object({{"action", "accept"}, {"content", std::move(content)}})}});
}

class TaskStoreTest : public testing::Test {
 protected:
  TaskTime at(std::chrono::milliseconds passed) {
    return {runtime::TimePoint(passed), std::chrono::system_clock::time_point(passed)};
  }
  /// A call that notes what it is told.
  TaskCall noting() {
    return {[this] { ++cancels; },
            [this](TaskCall::Answers got) {
              for (auto& [key, value] : got) answered.push_back(key);
            }};
  }
  std::string status(TaskStore& store, const std::string& id, TaskTime time = {}) {
    const auto text = store.describe(id, "ann", true, time);
    if (!text) return "unknown";
    const std::size_t from = text->find("\"status\":\"") + 10;
    return text->substr(from, text->find('"', from) - from);
  }
  TaskOptions options;
  int cancels = 0;
  std::vector<std::string> answered;
};

TEST_F(TaskStoreTest, ShowsATaskToItsOwnerAlone) {
  TaskStore store(options);
  const std::string id = *store.add("ann", noting(), at(0ms));
  EXPECT_EQ(status(store, id), "working");
  EXPECT_FALSE(store.describe(id, "bob", true, at(0ms)));
  EXPECT_FALSE(store.describe(id, "", true, at(0ms)));
  EXPECT_EQ(store.cancel(id, "bob", at(0ms)), Told::unknown);
  EXPECT_EQ(store.answer(id, "bob", json::Value::object(), at(0ms), forms), Told::unknown);
  EXPECT_EQ(cancels, 0);
}

TEST_F(TaskStoreTest, KeepsATaskForAllOfItsTimeAndNoLonger) {
  options.ttl = 100ms;
  TaskStore store(options);
  const std::string id = *store.add("ann", noting(), at(0ms));
  EXPECT_TRUE(store.finish(id, R"("result":{})", at(50ms)));
  EXPECT_EQ(status(store, id, at(99ms)), "completed");
  EXPECT_EQ(status(store, id, at(100ms)), "unknown");
  EXPECT_EQ(store.size(), 0U);
  EXPECT_EQ(cancels, 0);
}

TEST_F(TaskStoreTest, CancelsACallThatOutlivesItsTime) {
  options.ttl = 100ms;
  TaskStore store(options);
  const std::string id = *store.add("ann", noting(), at(0ms));
  EXPECT_EQ(store.cancel(id, "ann", at(100ms)), Told::unknown);
  EXPECT_TRUE(store.has_room("ann", at(100ms)));
  EXPECT_EQ(cancels, 1);
  EXPECT_FALSE(store.finish(id, R"("result":{})", at(101ms)));
}

TEST_F(TaskStoreTest, BoundsTasksInAllAndOfEachOwner) {
  options.tasks_max = 3;
  options.tasks_per_owner_max = 2;
  options.ttl = 100ms;
  TaskStore store(options);
  EXPECT_TRUE(store.add("ann", noting(), at(0ms)));
  EXPECT_TRUE(store.add("ann", noting(), at(10ms)));
  EXPECT_FALSE(store.add("ann", noting(), at(10ms)));
  EXPECT_FALSE(store.has_room("ann", at(10ms)));
  EXPECT_TRUE(store.add("bob", noting(), at(10ms)));
  EXPECT_FALSE(store.add("bob", noting(), at(10ms)));
  EXPECT_TRUE(store.add("ann", noting(), at(100ms)));
  EXPECT_FALSE(store.has_room("ann", at(100ms)));
}

TEST_F(TaskStoreTest, BoundsTheBytesOfResultsAndGivesThemBack) {
  options.bytes_max = 100;
  options.ttl = 100ms;
  TaskStore store(options);
  const std::string large = R"("result":{"a":")" + std::string(80, 'x') + "\"}";
  const std::string one = *store.add("ann", noting(), at(0ms));
  const std::string two = *store.add("ann", noting(), at(50ms));
  EXPECT_TRUE(store.finish(one, large, at(50ms)));
  EXPECT_TRUE(store.finish(two, large, at(50ms)));
  EXPECT_EQ(status(store, one, at(50ms)), "completed");
  EXPECT_EQ(status(store, two, at(50ms)), "failed");
  const std::string three = *store.add("ann", noting(), at(150ms));
  EXPECT_TRUE(store.finish(three, large, at(150ms)));
  EXPECT_EQ(status(store, three, at(150ms)), "completed");
}

TEST_F(TaskStoreTest, LeavesAFinalStatusAsItIs) {
  TaskStore store(options);
  const std::string id = *store.add("ann", noting(), at(0ms));
  EXPECT_EQ(store.cancel(id, "ann", at(1ms)), Told::changed);
  EXPECT_EQ(store.cancel(id, "ann", at(2ms)), Told::unchanged);
  EXPECT_EQ(cancels, 1);
  EXPECT_FALSE(store.finish(id, R"("result":{})", at(3ms)));
  EXPECT_FALSE(store.abandon(id, at(3ms)));
  EXPECT_FALSE(store.set_message(id, "late", at(3ms)));
  EXPECT_EQ(store.ask(id, {{"q", question("q")}}, at(3ms)), 0U);
  EXPECT_EQ(status(store, id), "cancelled");
}

TEST_F(TaskStoreTest, HandsUsableAnswersOnEachOnceAndWorksAgainAfterTheLast) {
  TaskStore store(options);
  const std::string id = *store.add("ann", noting(), at(0ms));
  const std::vector<std::pair<std::string, InputRequest>> questions{
      {"a", question("a")}, {"b", question("b")}, {"a", question("a")}};
  EXPECT_EQ(store.ask(id, questions, at(0ms)), 2U);
  EXPECT_EQ(status(store, id), "input_required");
  EXPECT_EQ(store.answer(id, "ann", answer("a", "other"), at(1ms), forms), Told::unchanged);
  EXPECT_EQ(store.answer(id, "ann", answer("c", "c"), at(1ms), forms), Told::unchanged);
  EXPECT_EQ(store.answer(id, "ann", answer("a", "a"), at(1ms), forms), Told::changed);
  EXPECT_EQ(store.answer(id, "ann", answer("a", "a"), at(1ms), forms), Told::unchanged);
  EXPECT_EQ(status(store, id), "input_required");
  EXPECT_EQ(store.answer(id, "ann", answer("b", "b"), at(1ms), forms), Told::changed);
  EXPECT_EQ(status(store, id), "working");
  EXPECT_EQ(answered, (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace squall::server
