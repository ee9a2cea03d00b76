#include <algorithm>
#include <cstring>
#include <utility>

#include "squall/base/assert.h"
#include "squall/transport/channel.h"

#include "lifetime.h"

namespace squall::transport {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
/// A carriage return and a byte order mark may be held beside the line itself.
constexpr std::size_t kSlackBytes = 4;
/// Replies to lines that came together leave together, up to this much; larger messages aren't
/// copied, and larger buffers aren't kept.
constexpr std::size_t kGatheredBytesMax = 64 << 10;

class LineChannel final : public MessageChannel, private runtime::ByteStream::Receiver {
 public:
  LineChannel(std::unique_ptr<runtime::ByteStream> stream, LineLimits limits)
      : stream_(std::move(stream)), limits_(limits) {}
  ~LineChannel() override { flush(); }

  void start(MessageChannel::Receiver& receiver) override {
    receiver_ = &receiver;
    stream_->start(*this);
  }

  void send(std::string_view message) override {
    SQUALL_ASSERT(message.find('\n') == std::string_view::npos);
    SQUALL_ASSERT(message.find('\r') == std::string_view::npos);
    if (message.size() > kGatheredBytesMax) {
      flush();
      stream_->send(message);
      stream_->send("\n");
      return;
    }
    out_ += message;
    out_ += '\n';
    if (!more_follows_ || out_.size() > kGatheredBytesMax) flush();
  }

  [[nodiscard]] std::size_t pending() const override { return stream_->pending(); }
  void pause() override { stream_->pause(); }
  void resume() override { stream_->resume(); }
  void finish() override {
    flush();
    stream_->finish();
  }
  void close() override {
    flush();
    closed_ = true;
    stream_->close();
  }

 private:
  void on_bytes(std::string_view bytes) override {
    LifetimeWatch watch(life_);
    while (!bytes.empty() && !closed_) {
      const std::size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end);
      if (end == std::string_view::npos) {
        hold(part);
        break;
      }
      bytes.remove_prefix(end + 1);
      // A lone line, and the last of several, are answered without delay.
      more_follows_ = bytes.find('\n') != std::string_view::npos;
      end_line(part);
      if (watch.ended()) return;
    }
    more_follows_ = false;
    flush();
  }

  void on_end(runtime::End end) override {
    LifetimeWatch watch(life_);
    // A peer that ends behind its last message need not have ended the line.
    if (end == runtime::End::finished) end_line("");
    if (!watch.ended() && !closed_) receiver_->on_end(end);
  }

  void on_drained() override { receiver_->on_drained(); }

  void flush() {
    if (out_.empty()) return;
    stream_->send(out_);
    out_.clear();
    if (out_.capacity() > 2 * kGatheredBytesMax) out_ = {};
  }

  [[nodiscard]] std::size_t held_max() const { return limits_.line_bytes_max + kSlackBytes; }

  void hold(std::string_view part) {
    seen_ += part.size();
    if (seen_ > held_max()) {
      line_ = {};
      return;
    }
    if (seen_ > line_.capacity()) {
      // Doubling keeps it linear; the cap keeps the last doubling from going beyond the limit.
      line_.reserve(std::min(held_max(), std::max(seen_, 2 * line_.capacity())));
    }
    line_ += part;
  }

  /// Ends the line that `part` is the last piece of.
  void end_line(std::string_view part) {
    if (seen_ == 0) {
      deliver(part, nullptr);
      return;
    }
    hold(part);
    const std::size_t seen = std::exchange(seen_, 0);
    std::string line = std::exchange(line_, {});
    if (seen > held_max()) {
      first_ = false;
      receiver_->on_oversize(seen);
      return;
    }
    deliver(line, &line);
  }

  /// `whole` is the string behind `line`, when there is one to move from.
  void deliver(std::string_view line, std::string* whole) {
    const std::size_t seen = line.size();
    if (std::exchange(first_, false) && line.starts_with(kByteOrderMark)) {
      line.remove_prefix(kByteOrderMark.size());
      if (whole != nullptr) whole->erase(0, kByteOrderMark.size());
      if (whole != nullptr) line = *whole;
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) return;
    if (line.size() > limits_.line_bytes_max) {
      receiver_->on_oversize(seen);
      return;
    }
    if (whole == nullptr) {
      receiver_->on_message(std::string(line));
      return;
    }
    whole->resize(line.size());
    receiver_->on_message(std::move(*whole));
  }

  std::unique_ptr<runtime::ByteStream> stream_;
  LineLimits limits_;
  MessageChannel::Receiver* receiver_ = nullptr;
  std::string line_;           // the line at hand, when it came in several pieces
  std::size_t seen_ = 0;       // its bytes so far, held or not
  std::string out_;            // what waits to leave with the next flush
  bool more_follows_ = false;  // behind the line being delivered
  bool first_ = true;
  bool closed_ = false;
  Lifetime life_;
};

}  // namespace

std::unique_ptr<MessageChannel> make_line_channel(std::unique_ptr<runtime::ByteStream> stream,
                                                  LineLimits limits) {
  return std::make_unique<LineChannel>(std::move(stream), limits);
}

}  // namespace squall::transport
