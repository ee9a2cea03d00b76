#include "wire.h"

#include <algorithm>
#include <utility>

namespace squall::proxy {

namespace {

using std::chrono::nanoseconds;

constexpr std::size_t kHeldMax = std::size_t{1} << 20;  // of what trickles in

}  // namespace

/// What the HTTP server holds.
class Wire::Handle final : public runtime::ByteStream {
 public:
  explicit Handle(std::shared_ptr<Wire> wire) : wire_(std::move(wire)) {}
  ~Handle() override {
    wire_->receiver_ = nullptr;
    if (!wire_->taken_over_) wire_->close_in_time(false);
  }
  void start(Receiver& receiver) override {
    wire_->receiver_ = &receiver;
    if (wire_->closed_) return;
    wire_->stream_->start(*wire_);
    if (wire_->deaf_) wire_->stream_->pause();
  }
  void pause() override { wire_->stream_->pause(); }
  void resume() override {
    if (!wire_->deaf_) wire_->stream_->resume();
  }
  void send(std::string_view bytes) override {
    if (!wire_->taken_over_) wire_->send(bytes);
  }
  [[nodiscard]] std::size_t pending() const override {
    return wire_->taken_over_ ? 0 : wire_->pending();
  }
  void finish() override {
    if (wire_->taken_over_ || wire_->closing_) return;
    if (wire_->out_.held == 0) return wire_->stream_->finish();
    wire_->close_in_time(false);
  }
  void close() override {
    wire_->receiver_ = nullptr;
    if (!wire_->taken_over_) wire_->close_in_time(false);
  }
  void reset() override {
    wire_->receiver_ = nullptr;
    if (!wire_->taken_over_) wire_->close_in_time(true);
  }
  [[nodiscard]] std::string peer() const override { return wire_->name(); }

 private:
  std::shared_ptr<Wire> wire_;
};

Wire::Wire(runtime::Loop& loop, std::unique_ptr<runtime::ByteStream> stream, std::uint64_t number,
           std::function<void(std::uint64_t)> on_over)
    : loop_(loop), stream_(std::move(stream)), number_(number), on_over_(std::move(on_over)) {
  in_.queue = std::make_shared<Slowly>(loop);
  out_.queue = std::make_shared<Slowly>(loop);
}

Wire::~Wire() = default;

std::unique_ptr<runtime::ByteStream> Wire::handle() {
  return std::make_unique<Handle>(shared_from_this());
}

void Wire::befall(const inject::Line& line) {
  using What = inject::Line::What;
  switch (line.what) {
    case What::refuse:
      served_ = false;
      close_now(true);
      break;
    case What::close:
      served_ = false;
      close_now(false);
      break;
    case What::ignore:
      served_ = false;
      break;
    case What::deaf:
      deaf_ = true;
      break;
    case What::mute:
      mute_ = true;
      break;
    case What::close_slowly:
      close_delay_ = line.after;
      break;
    case What::pace:
      pace_ = line.pace;
      break;
    case What::reset:
      if (line.when == inject::Line::When::now) {
        close_now(true);
      } else {
        reset_ = line;
      }
      break;
  }
}

void Wire::take_over() { taken_over_ = true; }
void Wire::write(std::string_view bytes) { send(bytes); }
std::size_t Wire::pending() const { return closed_ ? 0 : stream_->pending() + out_.held; }

void Wire::send(std::string_view bytes) {
  if (closed_ || closing_ || mute_ || bytes.empty()) return;
  using When = inject::Line::When;
  if (reset_ && reset_->when == When::before_response) return close_now(true);
  if (reset_ && reset_->when == When::during_response) {
    const std::uint64_t left = reset_->bytes - std::min(reset_->bytes, response_bytes_);
    if (bytes.size() >= left) {
      stream_->send(bytes.substr(0, static_cast<std::size_t>(left)));
      return close_in_time(true);
    }
  }
  response_bytes_ += bytes.size();
  const bool slow = pace_.latency.count() != 0 || pace_.jitter.count() != 0 ||
                    pace_.bytes_per_second != 0 || pace_.slice != 0;
  if (!slow) return stream_->send(bytes);
  send_slowly(out_, bytes, [this](std::string piece) {
    if (closed_) return;
    stream_->send(piece);
    if (out_.held == 0 && closing_) close_now(false);
  });
}

void Wire::send_slowly(Trickle& way, std::string_view bytes,
                       std::function<void(std::string)> arrive) {
  // Jitter comes in turns, so that what is sent stays in order and can be foretold.
  const nanoseconds lag = pace_.latency + pace_.jitter / 2 * (way.turns++ % 3);
  runtime::TimePoint due = std::max(way.queue->next(), loop_.now() + lag);
  const std::size_t slice = pace_.slice == 0 ? bytes.size() : pace_.slice;
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, slice);
    bytes.remove_prefix(piece.size());
    if (pace_.bytes_per_second != 0) {
      // Buffers are far too small for this to overflow.
      due += nanoseconds(piece.size() * std::uint64_t{1'000'000'000} / pace_.bytes_per_second);
    }
    way.held += piece.size();
    way.queue->at(due, [self = weak_from_this(), &way, arrive, piece = std::string(piece)] {
      const auto alive = self.lock();
      if (!alive) return;
      way.held -= piece.size();
      arrive(piece);
    });
  }
}

void Wire::on_bytes(std::string_view bytes) {
  if (receiver_ == nullptr || deaf_) return;
  if (pace_ == inject::Pace{}) return receiver_->on_bytes(bytes);
  send_slowly(in_, bytes, [this](std::string piece) {
    if (in_.held < kHeldMax && !deaf_ && !closed_) stream_->resume();
    if (receiver_ != nullptr) receiver_->on_bytes(piece);
  });
  if (in_.held >= kHeldMax) stream_->pause();
}
void Wire::on_end(runtime::End end) {
  const auto self = shared_from_this();
  // What trickles comes before the end; who sends nothing more is served to the end.
  if (in_.held != 0 && end == runtime::End::finished) {
    in_.queue->at(in_.queue->next(), [self, end] {
      if (self->receiver_ != nullptr) self->receiver_->on_end(end);
    });
    return;
  }
  if (end == runtime::End::reset) closed_ = true;
  if (receiver_ != nullptr) receiver_->on_end(end);
  if (closed_) tell_over();
}
void Wire::on_drained() {
  const auto self = shared_from_this();
  if (closing_ && out_.held == 0) return close_now(false);
  if (receiver_ != nullptr && !taken_over_) receiver_->on_drained();
}
void Wire::on_peer_finished() {
  if (receiver_ != nullptr) receiver_->on_peer_finished();
}

void Wire::response_over() {
  response_bytes_ = 0;
  if (reset_ && reset_->when == inject::Line::When::after_response) close_in_time(true);
}

void Wire::end(bool reset) { close_in_time(reset); }

void Wire::close_in_time(bool reset) {
  if (closed_ || closing_) return;
  closing_ = true;
  const auto go = [self = shared_from_this(), reset] {
    // A reset throws away what the kernel still holds: it has this long to leave.
    if (!reset && self->pending() != 0) return self->stream_->finish();
    self->close_now(reset);
  };
  if (close_delay_.count() != 0) {
    loop_.call_after(close_delay_, go);
  } else if (out_.held != 0) {
    out_.queue->at(out_.queue->next(), go);
  } else {
    loop_.post(go);
  }
}
void Wire::close_now(bool reset) {
  if (std::exchange(closed_, true)) return;
  if (reset) {
    stream_->reset();
  } else {
    stream_->close();
  }
  // The HTTP server learns of it as if the peer had gone.
  loop_.post([self = shared_from_this()] {
    if (self->receiver_ != nullptr)
      std::exchange(self->receiver_, nullptr)->on_end(runtime::End::reset);
    self->tell_over();
  });
}
void Wire::tell_over() {
  if (std::exchange(told_, true) || !on_over_) return;
  loop_.post([self = shared_from_this()] { self->on_over_(self->number_); });
}

}  // namespace squall::proxy
