#include <gtest/gtest.h>

#include <map>
#include <random>

#include "squall/json/parse.h"

#include "tools_bench.h"

namespace squall::inject {
namespace {

using namespace std::chrono_literals;

/// A random mix of faulty and healthy calls on one connection.
class Mix {
 public:
  explicit Mix(unsigned seed) : random_(seed) { bench_.initialize(); }

  void run(int calls) {
    for (int id = 1; id <= calls; ++id) {
      if (random_() % 2 == 0) {
        healthy(id);
      } else {
        faulty(id);
      }
      if (random_() % 4 == 0) take(std::chrono::milliseconds(random_() % 40));
    }
    take(10s);
    EXPECT_TRUE(expected_.empty()) << expected_.size() << " healthy calls got no answer";
  }

 private:
  void healthy(int id) {
    const int delay = static_cast<int>(random_() % 30);
    const std::string arguments = R"({"delayMs":)" + std::to_string(delay) + "}";
    expected_[id] = R"({"status":"delayed","delayMs":)" + std::to_string(delay) + "}";
    bench_.call(id, "delay", arguments);
  }

  void faulty(int id) {
    switch (random_() % 5) {
      case 0:
        return bench_.call(id, "duplicate_response");
      case 1:
        return bench_.call(id, "malformed_message", R"({"variant":"truncated"})");
      case 2:
        return bench_.call(id, "malformed_message", R"({"variant":"null-id"})");
      case 3:
        return bench_.call(id, "response_after_cancellation");
      default:
        bench_.call(id, "hang");
        bench_.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":)"
                    R"({"requestId":)" +
                    std::to_string(id) + "}}");
    }
  }

  void take(runtime::Duration span) {
    for (const std::string& message : bench_.hear(span)) {
      const auto parsed = json::parse(message);
      const json::Value* id = parsed ? parsed->find("id") : nullptr;
      const auto number = id != nullptr ? id->as_int64() : std::nullopt;
      if (!number) continue;
      const auto it = expected_.find(static_cast<int>(*number));
      if (it == expected_.end()) continue;  // a faulty call's
      EXPECT_EQ(test::text_of(message), it->second);
      expected_.erase(it);
    }
  }

  test::ToolsBench bench_;
  std::mt19937 random_;
  std::map<int, std::string> expected_;
};

TEST(HealthyCalls, AreAnsweredRightWhateverIsBrokenBesideThem) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    Mix(seed).run(100);
  }
}

}  // namespace
}  // namespace squall::inject
