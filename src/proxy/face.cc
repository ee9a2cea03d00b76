#include "face.h"

#include <algorithm>
#include <utility>

namespace squall::proxy {

namespace {

constexpr std::size_t kErrorsPendingMax = std::size_t{1} << 20;
constexpr std::size_t kPiecesDoneMax = std::size_t{64} << 10;  // kept before the rest moves up
constexpr std::size_t kFloodPiece = std::size_t{16} << 10;
constexpr std::chrono::milliseconds kFloodTick{10};
/// A message that is to leave with another doesn't wait longer for one.
constexpr std::chrono::milliseconds kJoinPatience{50};

}  // namespace

/// Hears of a stream that is only written to.
struct Face::Drain final : runtime::ByteStream::Receiver {
  explicit Drain(std::function<void()> drained, std::function<void()> ended)
      : on_empty(std::move(drained)), on_gone(std::move(ended)) {}
  void on_bytes(std::string_view /*bytes*/) override {}
  void on_end(runtime::End /*end*/) override { on_gone(); }
  void on_drained() override { on_empty(); }
  std::function<void()> on_empty;
  std::function<void()> on_gone;
};

Face::Face(runtime::Loop& loop, Streams streams, std::size_t line_bytes_max, Owner& owner)
    : loop_(loop),
      owner_(owner),
      output_(std::move(streams.output)),
      errors_(std::move(streams.errors)) {
  transport::LineLimits limits;
  limits.line_bytes_max = line_bytes_max;
  input_channel_ = transport::make_line_channel(std::move(streams.input), limits);
  output_drain_ = std::make_unique<Drain>(
      [this] {
        if (pending() == 0) owner_.on_face_drained();
      },
      [this] {
        output_closed_ = true;
        owner_.on_client_end();
      });
  errors_drain_ = std::make_unique<Drain>([this] { on_errors_drained(); }, [] {});
}

Face::~Face() {
  for (const runtime::TimerId timer : {piece_timer_, join_timer_, flood_timer_}) {
    if (timer != runtime::TimerId::none) loop_.cancel(timer);
  }
}

void Face::begin() {
  output_->start(*output_drain_);
  if (errors_) errors_->start(*errors_drain_);
  if (!deaf_) input_channel_->start(*this);
}

void Face::on_end(runtime::End /*end*/) { owner_.on_client_end(); }

void Face::message(std::string_view bytes) {
  std::string line;
  line.reserve(bytes.size() + end_of_line_.size());
  line += bytes;
  line += end_of_line_;
  if (!joins_) return write(std::move(line));
  joined_ += line;
  if (join_timer_ != runtime::TimerId::none) return flush_joined();
  join_timer_ = loop_.call_after(kJoinPatience, [this] {
    join_timer_ = runtime::TimerId::none;
    flush_joined();
  });
}
void Face::flush_joined() {
  if (join_timer_ != runtime::TimerId::none) {
    loop_.cancel(std::exchange(join_timer_, runtime::TimerId::none));
  }
  write(std::exchange(joined_, {}));
}
void Face::raw(std::string_view bytes) {
  if (!joined_.empty()) flush_joined();
  write(std::string(bytes));
}

void Face::write(std::string bytes) {
  if (output_closed_ || bytes.empty()) return;
  if (piece_ == 0) return output_->send(bytes);
  pieces_ += bytes;
  if (piece_timer_ == runtime::TimerId::none) write_piece();
}
void Face::write_piece() {
  piece_timer_ = runtime::TimerId::none;
  const std::string_view piece = std::string_view(pieces_).substr(pieces_at_, piece_);
  output_->send(piece);
  pieces_at_ += piece.size();
  if (pieces_at_ == pieces_.size() || pieces_at_ > kPiecesDoneMax) {
    pieces_.erase(0, std::exchange(pieces_at_, 0));
  }
  if (!pieces_.empty()) {
    piece_timer_ = loop_.call_after(piece_pause_, [this] { write_piece(); });
  } else if (finishing_) {
    output_->finish();
  }
}

std::size_t Face::pending() const {
  return output_->pending() + pieces_.size() - pieces_at_ + joined_.size();
}

void Face::errors(std::string_view bytes) {
  if (!errors_) return;
  if (errors_->pending() + bytes.size() > kErrorsPendingMax) {
    errors_lost_ += bytes.size();
    return;
  }
  errors_->send(bytes);
}
void Face::on_errors_drained() {
  if (errors_lost_ != 0) {
    const std::uint64_t lost = std::exchange(errors_lost_, 0);
    errors_->send("squall: " + std::to_string(lost) + " bytes of stderr found no reader\n");
  }
  if (flood_left_ != 0 && flood_rate_ == 0) flood(flood_left_, 0);
}

void Face::flood(std::uint64_t bytes, std::uint64_t rate) {
  if (!errors_) return;
  flood_left_ = bytes;
  flood_rate_ = rate;
  std::uint64_t now = std::min<std::uint64_t>(kFloodPiece, bytes);
  if (rate != 0) {
    now = std::clamp<std::uint64_t>(rate * kFloodTick.count() / 1000, 1, now);
  }
  std::string noise;
  constexpr std::string_view kLine = "DEBUG server: nothing of interest has happened again\n";
  while (noise.size() < now) noise += kLine.substr(0, now - noise.size());
  flood_left_ -= now;
  errors_->send(noise);
  if (flood_left_ == 0 || flood_timer_ != runtime::TimerId::none) return;
  // Without a rate the reader sets it: the next piece goes when this one has.
  if (rate == 0 && errors_->pending() != 0) return;
  const auto tick = rate == 0 ? std::chrono::milliseconds{} : kFloodTick;
  flood_timer_ = loop_.call_after(tick, [this] {
    flood_timer_ = runtime::TimerId::none;
    flood(flood_left_, flood_rate_);
  });
}

void Face::resume() {
  if (!deaf_) input_channel_->resume();
}
void Face::split(std::size_t bytes, std::chrono::nanoseconds pause) {
  piece_ = std::max<std::size_t>(bytes, 1);
  piece_pause_ = pause;
}
void Face::close_input() {
  deaf_ = true;
  input_channel_->close();
}
void Face::close_output() {
  finish();
  output_closed_ = true;
}
void Face::stop_reading() {
  deaf_ = true;
  input_channel_->pause();
}
void Face::finish() {
  if (!joined_.empty()) flush_joined();
  finishing_ = true;
  if (pieces_.empty()) output_->finish();
}

}  // namespace squall::proxy
