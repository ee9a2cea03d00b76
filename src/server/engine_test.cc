#include "squall/server/engine.h"

#include <gtest/gtest.h>

#include "engine_state.h"
#include "fixture_registry.h"
#include "session_streams.h"

namespace squall::server {
namespace {

using namespace std::chrono_literals;

class EngineTest : public testing::Test {
 protected:
  static std::string open_session(Engine& engine, runtime::TimePoint now) {
    const auto session = engine.state().make_session(mcp::kLatestLegacy, {}, now);
    return session ? session->id : "";
  }
  EngineOptions options;
  const std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  const runtime::TimePoint start = loop->now();
};

TEST_F(EngineTest, FindsTheSessionsItMade) {
  Engine engine(*test::fixture_registry().compile(), options);
  const std::string id = open_session(engine, start);
  EXPECT_EQ(engine.state().find_session(id, start)->id, id);
  EXPECT_EQ(engine.state().find_session("other", start), nullptr);
  EXPECT_TRUE(engine.state().remove_session(id));
  EXPECT_FALSE(engine.state().remove_session(id));
  EXPECT_EQ(engine.state().find_session(id, start), nullptr);
}

TEST_F(EngineTest, GivesNoIdTwiceAndOnlyVisibleCharacters) {
  Engine engine(*test::fixture_registry().compile(), options);
  const std::string a = open_session(engine, start);
  const std::string b = open_session(engine, start);
  EXPECT_NE(a, b);
  for (const char c : a) EXPECT_TRUE(c >= 0x21 && c <= 0x7e);
}

TEST_F(EngineTest, MakesRoomByEndingWhatWasIdleForLongest) {
  options.sessions_max = 2;
  Engine engine(*test::fixture_registry().compile(), options);
  const std::string a = open_session(engine, start);
  const std::string b = open_session(engine, start);
  ASSERT_NE(engine.state().find_session(a, start + 1s), nullptr);
  const std::string c = open_session(engine, start + 2s);
  EXPECT_EQ(engine.session_count(), 2U);
  EXPECT_NE(engine.state().find_session(a, start + 2s), nullptr);
  EXPECT_EQ(engine.state().find_session(b, start + 2s), nullptr);
  EXPECT_NE(engine.state().find_session(c, start + 2s), nullptr);
}

TEST_F(EngineTest, LeavesASessionAloneWhoseClientIsThere) {
  options.sessions_max = 1;
  options.session_idle = 2s;
  Engine engine(*test::fixture_registry().compile(), options);
  const auto busy = engine.state().make_session(mcp::kLatestLegacy, {}, loop->now());
  {
    const Session::Attachment connection(busy, *loop);
    loop->advance(5s);
    EXPECT_EQ(open_session(engine, loop->now()), "");
    EXPECT_NE(engine.state().find_session(busy->id, loop->now()), nullptr);
  }
  loop->advance(5s);
  EXPECT_NE(open_session(engine, loop->now()), "");
  EXPECT_EQ(engine.session_count(), 1U);
}

TEST_F(EngineTest, LetsNoCallKeepASessionWhoseClientHasGone) {
  options.sessions_max = 1;
  Engine engine(*test::fixture_registry().compile(), options);
  const auto left = engine.state().make_session(mcp::kLatestLegacy, {}, start);
  ASSERT_TRUE(left->reserve(jsonrpc::Id(7), 10));
  EXPECT_NE(open_session(engine, start), "");
  EXPECT_FALSE(left->reserve(jsonrpc::Id(8), 10));  // it is over, whoever still holds it
}

TEST_F(EngineTest, EndsSessionsThatAreIdle) {
  options.session_idle = 10s;
  Engine engine(*test::fixture_registry().compile(), options);
  const auto attached = engine.state().make_session(mcp::kLatestLegacy, {}, start);
  const Session::Attachment connection(attached, *loop);
  const std::string idle = open_session(engine, start);
  const std::string used = open_session(engine, start);
  ASSERT_NE(engine.state().find_session(used, start + 8s), nullptr);
  EXPECT_EQ(engine.state().find_session(idle, start + 10s), nullptr);
  EXPECT_NE(engine.state().find_session(used, start + 10s), nullptr);
  EXPECT_EQ(engine.session_count(), 2U);
}

TEST_F(EngineTest, TellsWhenToLookForIdleSessionsAgain) {
  options.session_idle = 10s;
  Engine engine(*test::fixture_registry().compile(), options);
  EXPECT_EQ(engine.state().reclaim(start), std::nullopt);
  const auto attached = engine.state().make_session(mcp::kLatestLegacy, {}, start);
  const Session::Attachment connection(attached, *loop);
  static_cast<void>(open_session(engine, start + 2s));
  EXPECT_EQ(engine.state().reclaim(start + 3s), start + 12s);
  EXPECT_EQ(engine.state().reclaim(start + 12s), start + 22s);
  EXPECT_EQ(engine.session_count(), 1U);
}

TEST_F(EngineTest, CountsAConnectionAsUseUntilItsEnd) {
  options.session_idle = 10s;
  Engine engine(*test::fixture_registry().compile(), options);
  const auto session = engine.state().make_session(mcp::kLatestLegacy, {}, loop->now());
  {
    const Session::Attachment connection(session, *loop);
    loop->advance(60s);
  }
  EXPECT_NE(engine.state().find_session(session->id, loop->now() + 9s), nullptr);
  EXPECT_EQ(engine.state().find_session(session->id, loop->now() + 20s), nullptr);
}

TEST_F(EngineTest, BoundsTheListensInAll) {
  options.listens_max = 2;
  Engine engine(*test::fixture_registry().compile(), options);
  const std::uint64_t first = engine.state().add_listen({});
  EXPECT_NE(first, 0U);
  EXPECT_NE(engine.state().add_listen({}), 0U);
  EXPECT_EQ(engine.state().add_listen({}), 0U);
  engine.state().remove_listen(first);
  EXPECT_NE(engine.state().add_listen({}), 0U);
}

class SessionTest : public testing::Test {
 protected:
  Session session{"id", mcp::kLatestLegacy, {}};
};

TEST_F(SessionTest, ReservesAnIdOnceAndUpToALimit) {
  EXPECT_TRUE(session.reserve(jsonrpc::Id(1), 2));
  EXPECT_FALSE(session.reserve(jsonrpc::Id(1), 2));
  EXPECT_TRUE(session.reserve(jsonrpc::Id::string("1"), 2));
  EXPECT_FALSE(session.reserve(jsonrpc::Id(2), 2));
  session.end(jsonrpc::Id(1));
  EXPECT_TRUE(session.reserve(jsonrpc::Id(2), 2));
  session.cancel(jsonrpc::Id(2));  // reserved alone: nothing to cancel yet
  EXPECT_FALSE(session.reserve(jsonrpc::Id(2), 3));
}

TEST_F(SessionTest, BoundsItsSubscriptions) {
  EXPECT_TRUE(session.subscribe("a", 1));
  EXPECT_TRUE(session.subscribe("a", 1));
  EXPECT_FALSE(session.subscribe("b", 1));
  session.unsubscribe("a");
  session.unsubscribe("never");
  EXPECT_FALSE(session.subscribed("a"));
  EXPECT_TRUE(session.subscribe("b", 1));
}

TEST_F(SessionTest, PushesToWhereverItIsTold) {
  session.push("lost");
  std::vector<std::string> heard;
  session.set_push([&heard](std::string text) { heard.push_back(std::move(text)); });
  session.push("a");
  EXPECT_EQ(heard, std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace squall::server
