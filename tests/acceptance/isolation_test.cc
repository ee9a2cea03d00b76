#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "squall/server/registry.h"

#include "kept_exchange.h"

// That nothing of one session or request reaches another.

namespace squall::acceptance {
namespace {

using namespace server;
using namespace std::chrono_literals;

/// The server's own context: must be a fresh one each time.
struct Caller {
  std::string session;
  int uses = 0;
};

Registry registry() {
  Registry out({.name = "isolated", .version = "1"});
  out.context([](Context& context) { return Caller{std::string(context.session_id()), 0}; });
  out.query("who").handle([](Context& context, Caller& caller) -> Task<std::string> {
    ++caller.uses;
    co_await context.sleep(10ms);
    co_return "[" + caller.session + " " + std::to_string(caller.uses) + "]";
  });
  out.query("drain").rate(2, 1h).handle([](Context&) { return "drained"; });
  out.resource("item:///a", "a").handle([](Context&) {
    return ResourceContents::of_text("text/plain", "a");
  });
  return out;
}

class Isolation : public testing::Test {
 protected:
  const std::unique_ptr<runtime::SimulatedLoop> loop_ = runtime::SimulatedLoop::make();
  Engine engine_{*registry().compile()};
  LocalHttp http_{*loop_, engine_};
};

TEST_F(Isolation, OfSessionsWhoseCallsRunAtOnce) {
  const std::string ann = http_.initialize();
  const std::string bob = http_.initialize();
  ASSERT_NE(ann, bob);
  // The same id, at once, in both.
  const auto of_ann = http_.start("POST", call_of(7, "who", "{}", false), ann);
  const auto of_bob = http_.start("POST", call_of(7, "who", "{}", false), bob);
  http_.start("POST",
              R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})",
              bob);
  loop_->advance(20ms);
  http_.settle();
  EXPECT_NE(of_ann->body.find("[" + ann + " 1]"), std::string::npos) << of_ann->body;
  EXPECT_EQ(of_bob->body.find("[" + bob), std::string::npos) << "it was cancelled";
  const auto again = http_.start("POST", call_of(8, "who", "{}", false), bob);
  loop_->advance(20ms);
  http_.settle();
  EXPECT_NE(again->body.find("[" + bob + " 1]"), std::string::npos) << again->body;
}

TEST_F(Isolation, OfSubscriptions) {
  const std::string ann = http_.initialize();
  const std::string bob = http_.initialize();
  const auto to_ann = http_.start("GET", "", ann);
  const auto to_bob = http_.start("GET", "", bob);
  http_.start("POST",
              R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe",)"
              R"("params":{"uri":"item:///a"}})",
              ann);
  engine_.resource_updated("item:///a");
  http_.settle();
  EXPECT_NE(to_ann->body.find("item:///a"), std::string::npos) << to_ann->status << to_ann->body;
  EXPECT_EQ(to_bob->body.find("item:///a"), std::string::npos) << to_bob->body;
}

TEST_F(Isolation, OfRequestsWithoutSessions) {
  const auto first = http_.start("POST", call_of(1, "who", "{}", true), "", "who");
  const auto second = http_.start("POST", call_of(1, "who", "{}", true), "", "who");
  loop_->advance(20ms);
  http_.settle();
  EXPECT_NE(first->body.find("[ 1]"), std::string::npos) << first->body;
  EXPECT_NE(second->body.find("[ 1]"), std::string::npos) << second->body;
}

/// What limits there are hold for all ways in together.
TEST_F(Isolation, IsNoWayAroundALimit) {
  const std::string session = http_.initialize();
  const auto modern = http_.start("POST", call_of(1, "drain", "{}", true), "", "drain");
  EXPECT_NE(modern->body.find("drained"), std::string::npos) << modern->body;
  const auto legacy = http_.start("POST", call_of(2, "drain", "{}", false), session);
  EXPECT_NE(legacy->body.find("drained"), std::string::npos) << legacy->body;
  for (const auto& late : {http_.start("POST", call_of(3, "drain", "{}", true), "", "drain"),
                           http_.start("POST", call_of(4, "drain", "{}", false), session),
                           http_.start("POST", call_of(5, "drain", "{}", false))}) {
    EXPECT_NE(late->body.find("RATE_LIMITED"), std::string::npos) << late->body;
  }
}

}  // namespace
}  // namespace squall::acceptance
