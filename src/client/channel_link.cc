#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "squall/client/link.h"

namespace squall::client {

namespace {

/// Bytes that wait for a peer which doesn't read.
constexpr std::size_t kBacklogMax = 16 << 20;

class ChannelLink final : public Link, private transport::MessageChannel::Receiver {
 public:
  ChannelLink(runtime::Loop& loop, std::unique_ptr<transport::MessageChannel> channel)
      : loop_(loop), channel_(std::move(channel)) {}

  void start(Link::Receiver& receiver, const Options& /*options*/) override {
    receiver_ = &receiver;
    channel_->start(*this);
  }
  void send(Outgoing message) override {
    if (channel_ == nullptr) return;
    channel_->send(message.text);
    if (message.ticket == 0) return;
    loop_.post([this, alive = std::weak_ptr(alive_), ticket = message.ticket] {
      if (!alive.expired()) receiver_->on_taken(ticket, std::nullopt);
    });
  }
  void abandon(std::uint64_t /*key*/, bool /*close*/) override {}
  void set_revision(mcp::Revision /*revision*/) override {}
  void close(std::move_only_function<void()> done) override {
    if (channel_ != nullptr) channel_->finish();
    loop_.post([this, alive = std::weak_ptr(alive_), done = std::move(done)]() mutable {
      if (alive.expired()) return;
      channel_.reset();
      done();
    });
  }
  [[nodiscard]] bool congested() const override {
    return channel_ != nullptr && channel_->pending() > kBacklogMax;
  }
  [[nodiscard]] bool is_http() const override { return false; }

 private:
  void on_message(std::string text) override { receiver_->on_message(std::move(text), 0, false); }
  void on_oversize(std::size_t bytes_seen) override {
    receiver_->on_report(
        {Report::Kind::oversize,
         "a message of at least " + std::to_string(bytes_seen) + " bytes was skipped"});
  }
  void on_end(runtime::End end) override {
    Loss loss;
    loss.cause = end == runtime::End::finished ? Loss::Cause::ended : Loss::Cause::reset;
    loss.detail = end == runtime::End::finished ? "the server ended the connection"
                                                : "the connection to the server broke";
    loss.may_have_run = true;
    receiver_->on_over(std::move(loss));
  }

  runtime::Loop& loop_;
  std::unique_ptr<transport::MessageChannel> channel_;
  Link::Receiver* receiver_ = nullptr;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // expires with us
};

}  // namespace

std::unique_ptr<Link> over_channel(runtime::Loop& loop,
                                   std::unique_ptr<transport::MessageChannel> channel) {
  return std::make_unique<ChannelLink>(loop, std::move(channel));
}

}  // namespace squall::client
