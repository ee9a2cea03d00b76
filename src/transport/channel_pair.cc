#include <deque>
#include <utility>

#include "squall/base/assert.h"
#include "squall/transport/channel.h"

namespace squall::transport {

namespace {

/// One direction of a pair.
struct Lane {
  std::deque<std::string> messages;
  std::size_t bytes = 0;
  MessageChannel::Receiver* sender = nullptr;  // hears that all has left
  MessageChannel::Receiver* receiver = nullptr;
  bool paused = false;
  bool ended = false;
  bool end_told = false;
  bool scheduled = false;
};

/// Shared by the two channels and the deliveries under way between them, whichever is last.
struct Pair {
  explicit Pair(runtime::Loop& its_loop) : loop(its_loop) {}
  runtime::Loop& loop;
  Lane lanes[2];
};

void deliver(Pair& pair, std::size_t index);

void schedule(const std::shared_ptr<Pair>& pair, std::size_t index) {
  Lane& lane = pair->lanes[index];
  const bool something = !lane.messages.empty() || (lane.ended && !lane.end_told);
  if (!something || lane.paused || lane.receiver == nullptr) return;
  if (std::exchange(lane.scheduled, true)) return;
  pair->loop.post([pair, index] {
    pair->lanes[index].scheduled = false;
    deliver(*pair, index);
    schedule(pair, index);
  });
}

void deliver(Pair& pair, std::size_t index) {
  Lane& lane = pair.lanes[index];
  // What is sent meanwhile waits for the next turn, so that two chatterers don't hold up the loop.
  for (std::size_t left = lane.messages.size(); left > 0; --left) {
    if (lane.paused || lane.receiver == nullptr || lane.messages.empty()) return;
    std::string message = std::move(lane.messages.front());
    lane.messages.pop_front();
    lane.bytes -= message.size();
    lane.receiver->on_message(std::move(message));
    if (lane.messages.empty() && lane.sender != nullptr) lane.sender->on_drained();
  }
  const bool over = lane.ended && lane.messages.empty() && !lane.paused;
  if (!over || lane.receiver == nullptr || std::exchange(lane.end_told, true)) return;
  lane.receiver->on_end(runtime::End::finished);
}

class PairedChannel final : public MessageChannel {
 public:
  PairedChannel(std::shared_ptr<Pair> pair, std::size_t side)
      : pair_(std::move(pair)), in_(1 - side), out_(side) {}
  ~PairedChannel() override { close(); }

  void start(Receiver& receiver) override {
    in().receiver = &receiver;
    out().sender = &receiver;
    schedule(pair_, in_);
  }

  void send(std::string_view message) override {
    SQUALL_ASSERT(message.find('\n') == std::string_view::npos);
    SQUALL_ASSERT(message.find('\r') == std::string_view::npos);
    if (out().ended) return;
    out().messages.emplace_back(message);
    out().bytes += message.size();
    schedule(pair_, out_);
  }

  [[nodiscard]] std::size_t pending() const override { return pair_->lanes[out_].bytes; }
  void pause() override { in().paused = true; }
  void resume() override {
    in().paused = false;
    schedule(pair_, in_);
  }
  void finish() override {
    out().ended = true;
    schedule(pair_, out_);
  }

  void close() override {
    in().receiver = nullptr;
    out().sender = nullptr;
    forget(in());
    in().ended = true;
    if (!out().ended) {
      forget(out());
      finish();
    }
  }

 private:
  static void forget(Lane& lane) {
    lane.messages.clear();
    lane.bytes = 0;
  }
  Lane& in() { return pair_->lanes[in_]; }
  Lane& out() { return pair_->lanes[out_]; }

  std::shared_ptr<Pair> pair_;
  std::size_t in_;
  std::size_t out_;
};

}  // namespace

ChannelPair make_channel_pair(runtime::Loop& loop) {
  auto pair = std::make_shared<Pair>(loop);
  return {std::make_unique<PairedChannel>(pair, 0), std::make_unique<PairedChannel>(pair, 1)};
}

}  // namespace squall::transport
