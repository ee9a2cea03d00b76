#include "batch.h"

#include <gtest/gtest.h>

namespace squall::server {
namespace {

struct Carrier final : Outlet {
  explicit Carrier(std::string& said) : said_(said) {}
  void send(std::string_view message, bool) override { said_ += message; }
  void finish(int, std::string_view) override {}
  void abandon() override {}
  void cut(Cut, std::string_view) override {}
  [[nodiscard]] bool carries_requests() const override { return true; }
  std::string& said_;
};

struct Bench {
  std::shared_ptr<Batch> make() {
    return std::make_shared<Batch>(std::make_unique<Carrier>(said),
                                   [this](Outlet&, std::string text) { done = std::move(text); });
  }
  std::unique_ptr<BatchOutlet> outlet(const std::shared_ptr<Batch>& batch) {
    return std::make_unique<BatchOutlet>(batch, [this] { ++ended; });
  }
  std::string said;
  std::optional<std::string> done;
  int ended = 0;
};

TEST(Batch, IsDoneWithItsLastResponse) {
  Bench bench;
  auto batch = bench.make();
  auto first = bench.outlet(batch);
  auto second = bench.outlet(batch);
  batch = nullptr;
  second->finish(200, "2");
  EXPECT_FALSE(bench.done);
  first->finish(200, "1");
  EXPECT_EQ(bench.done, "[2,1]");
  EXPECT_EQ(bench.ended, 2);
}

TEST(Batch, LeavesOutWhatWasCancelled) {
  Bench bench;
  auto batch = bench.make();
  auto first = bench.outlet(batch);
  auto second = bench.outlet(batch);
  batch = nullptr;
  first->abandon();
  second->finish(200, "2");
  EXPECT_EQ(bench.done, "[2]");
}

TEST(Batch, OfCancelledRequestsAloneSaysNothing) {
  Bench bench;
  auto batch = bench.make();
  auto only = bench.outlet(batch);
  batch = nullptr;
  only->abandon();
  EXPECT_EQ(bench.done, "");
}

TEST(Batch, SendsWhatComesBeforeTheResponsesAtOnce) {
  Bench bench;
  const auto batch = bench.make();
  const auto outlet = bench.outlet(batch);
  outlet->send("progress", true);
  EXPECT_EQ(bench.said, "progress");
  outlet->finish(200, "1");
  outlet->send("late", true);
  EXPECT_EQ(bench.said, "progress");
  EXPECT_FALSE(outlet->carries_requests());
}

}  // namespace
}  // namespace squall::server
