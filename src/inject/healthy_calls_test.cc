#include <gtest/gtest.h>

#include <map>
#include <random>

#include "squall/json/parse.h"

#include "tools_bench.h"

namespace squall::inject {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using test::Peer;
using test::ToolsBench;

struct Fault {
  const char* tool;
  const char* arguments = "{}";
  bool cancelled = false;  ///< right behind the call
  bool cuts = false;       ///< takes the connection, and all that is under way on it
};
constexpr Fault kFaults[] = {
    {"duplicate_response"},
    {"malformed_message", R"({"variant":"missing-jsonrpc"})"},
    {"malformed_message", R"({"variant":"invalid-jsonrpc-version"})"},
    {"malformed_message", R"({"variant":"result-with-error"})"},
    {"malformed_message", R"({"variant":"truncated"})"},
    {"malformed_message", R"({"variant":"not-json"})"},
    {"malformed_message", R"({"variant":"wrong-id"})"},
    {"malformed_message", R"({"variant":"null-id"})"},
    {"malformed_message", R"({"variant":"invalid-utf8"})"},
    {"malformed_message", R"({"variant":"split"})"},
    {"response_after_cancellation"},
    {"response_after_cancellation", "{}", true},
    {"hang", "{}", true},
    {"protocol_ping_liveness", R"({"pingAfterMs":1,"livenessTimeoutMs":5})"},
    {"disconnect", "{}", false, true},
    {"disconnect", R"({"how":"reset"})", false, true},
    {"disconnect", R"({"how":"half_close","after":20})", false, true},
};
constexpr std::size_t kCutting = 3;  // the last of them

/// A client that makes healthy and faulty calls at random, and holds every healthy one's answer
/// against what it must be.
class MixingClient {
 public:
  /// `faults` of the list above, from its beginning; 0 makes it a client of healthy calls alone.
  MixingClient(ToolsBench& bench, unsigned seed, std::size_t faults)
      : bench_(bench), random_(seed), faults_(faults), modern_(seed % 2 == 0), peer_(bench.join()) {
    if (!modern_) peer_->initialize();
  }

  void make_a_call() {
    const int id = next_id_++;
    if (faults_ != 0 && random_() % 2 == 0) return make_faulty(id, kFaults[random_() % faults_]);
    const std::string delay = std::to_string(random_() % 30);
    expected_[id] = R"({"status":"delayed","delayMs":)" + delay + "}";
    call(id, "delay", R"({"delayMs":)" + delay + "}");
  }

  void hold_answers() {
    for (const std::string& message : peer_->take()) {
      const auto parsed = json::parse(message);
      const bool answer = parsed && !parsed->contains("method");
      const json::Value* id = answer ? parsed->find("id") : nullptr;
      const auto number = id != nullptr ? id->as_int64() : std::nullopt;
      const auto it = number ? expected_.find(static_cast<int>(*number)) : expected_.end();
      if (it == expected_.end()) continue;  // a faulty call's
      EXPECT_EQ(test::text_of(message), it->second);
      expected_.erase(it);
      ++right;
    }
  }

  /// After all the time in the world.
  void expect_nothing_open() const {
    EXPECT_TRUE(expected_.empty()) << expected_.size() << " healthy calls got no answer";
  }

  int right = 0;

 private:
  void make_faulty(int id, const Fault& fault) {
    call(id, fault.tool, fault.arguments);
    if (fault.cancelled) peer_->cancel(id);
    if (!fault.cuts) return;
    // Whoever breaks its own connection connects anew, and has lost what was under way.
    bench_.run();
    hold_answers();
    EXPECT_TRUE(peer_->ended());
    expected_.clear();
    peer_ = bench_.join();
    if (!modern_) peer_->initialize();
  }

  void call(int id, std::string_view tool, std::string_view arguments) {
    if (modern_) return peer_->call_modern(id, tool, arguments);
    peer_->call(id, tool, arguments);
  }

  ToolsBench& bench_;
  std::mt19937 random_;
  std::size_t faults_;
  bool modern_;
  int next_id_ = 1;
  std::unique_ptr<Peer> peer_;
  std::map<int, std::string> expected_;
};

void run_mix(unsigned seed, const std::vector<std::size_t>& faults, int calls) {
  SCOPED_TRACE(seed);
  ToolsBench bench;
  std::vector<MixingClient> clients;
  for (const std::size_t each : faults) {
    clients.emplace_back(bench, seed + static_cast<unsigned>(clients.size()), each);
  }
  std::mt19937 random(seed);
  const auto turn = [&](runtime::Duration span) {
    bench.run(span);
    for (MixingClient& client : clients) client.hold_answers();
  };
  for (int i = 0; i < calls; ++i) {
    clients[random() % clients.size()].make_a_call();
    if (random() % 4 == 0) turn(milliseconds(random() % 40));
  }
  turn(10s);
  for (const MixingClient& client : clients) {
    client.expect_nothing_open();
    EXPECT_GT(client.right, 0);
  }
}

TEST(HealthyCalls, AreAnsweredRightWhateverIsBrokenBesideThem) {
  for (unsigned seed = 1; seed <= 50; ++seed) run_mix(seed, {std::size(kFaults) - kCutting}, 100);
}

TEST(HealthyCalls, AreAnsweredRightWhateverIsBrokenOnOtherConnections) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    run_mix(seed, {0, std::size(kFaults), 0, std::size(kFaults), std::size(kFaults)}, 200);
  }
}

}  // namespace
}  // namespace squall::inject
