#include "http_outlets.h"

#include <gtest/gtest.h>

namespace squall::server {
namespace {

class Exchange final : public transport::HttpExchange {
 public:
  explicit Exchange(runtime::Loop& its_loop) : loop_(its_loop) {}
  void add_header(std::string_view, std::string_view) override {}
  void reply(transport::HttpReply) override {}
  void reply_json(int status, std::string_view) override { replied = status; }
  void open(const transport::HttpReply&, std::string_view first) override { text += first; }
  void write(std::string_view bytes) override { text += bytes; }
  void finish() override { finished = true; }
  void drop(bool reset) override { dropped = reset; }
  [[nodiscard]] bool open_for_writing() const override { return !finished; }
  [[nodiscard]] std::size_t pending() const override { return waiting; }
  void on_gone(std::move_only_function<void()>) override {}
  void on_drained(std::move_only_function<void()>) override {}
  [[nodiscard]] runtime::Loop& loop() override { return loop_; }
  [[nodiscard]] std::string peer() const override { return "test"; }

  std::string text;
  std::size_t waiting = 0;
  int replied = 0;
  bool finished = false;
  bool dropped = false;

 private:
  runtime::Loop& loop_;
};

class ReplyOutletTest : public testing::Test {
 protected:
  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  std::shared_ptr<Exchange> exchange = std::make_shared<Exchange>(*loop);
  ReplyOutlet outlet{exchange, std::make_shared<KeepAlive>(*loop, std::chrono::seconds(15)),
                     nullptr, jsonrpc::Id(1)};
};

TEST_F(ReplyOutletTest, IsOneJsonReplyWhenNothingCameBefore) {
  outlet.finish(404, "{}");
  EXPECT_EQ(exchange->replied, 404);
  EXPECT_TRUE(exchange->text.empty());
}

TEST_F(ReplyOutletTest, BecomesAStreamWhenSomethingComesBefore) {
  outlet.send("{\"a\":1}", false);
  outlet.finish(200, "{\"b\":2}");
  EXPECT_EQ(exchange->replied, 0);
  EXPECT_NE(exchange->text.find("data: {\"a\":1}\n"), std::string::npos);
  EXPECT_NE(exchange->text.find("data: {\"b\":2}\n"), std::string::npos);
  EXPECT_TRUE(exchange->finished);
}

constexpr std::size_t kWhole = std::size_t{64} << 20;

TEST_F(ReplyOutletTest, FallsTooFarBehindSoonerWhereManyShareTheMemory) {
  outlet.send("{}", false);
  exchange->waiting = 65'000;
  EXPECT_FALSE(outlet.choked(65'536));
  EXPECT_TRUE(outlet.choked(64'000));
}

TEST_F(ReplyOutletTest, LosesDroppableMessagesOfASlowReaderAlone) {
  exchange->waiting = 2 << 20;
  outlet.send("{\"a\":1}", true);
  EXPECT_TRUE(exchange->text.empty());
  outlet.send("{\"a\":1}", false);
  EXPECT_FALSE(exchange->text.empty());
  EXPECT_FALSE(outlet.choked(kWhole));
}

TEST_F(ReplyOutletTest, CutsAReaderThatHasFallenTooFarBehind) {
  outlet.send("{}", false);
  exchange->waiting = 9 << 20;
  EXPECT_TRUE(outlet.choked(kWhole));
  outlet.abandon();
  EXPECT_TRUE(exchange->dropped);
  EXPECT_FALSE(exchange->finished);
}

}  // namespace
}  // namespace squall::server
