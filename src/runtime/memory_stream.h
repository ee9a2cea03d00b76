#pragma once

#include <memory>
#include <string>

#include "squall/runtime/loop.h"

#include "chunk_queue.h"

namespace squall::runtime {

/// A link between two memory streams, behaving as a TCP connection over loopback does: a limited
/// number of bytes is under way, and delivery is a task of the loop, never part of `send`.
///
/// Shared by its two streams and the tasks posted for them.
class MemoryLink : public std::enable_shared_from_this<MemoryLink> {
 public:
  explicit MemoryLink(Loop& loop) : loop_(loop) {}

  void start(int side, ByteStream::Receiver& receiver);
  void pause(int side) { ports_[side].paused = true; }
  void resume(int side);
  void send(int side, std::string_view bytes);
  [[nodiscard]] std::size_t pending(int side) const { return directions_[side].waiting.size(); }
  void finish(int side);
  void close(int side, bool reset);

 private:
  /// What one side sends.
  struct Direction {
    ChunkQueue under_way;
    ChunkQueue waiting;  // until there is room under way
    bool finished = false;
    bool reset = false;  // the sender, or the link, broke
  };
  /// Where one side receives.
  struct Port {
    ByteStream::Receiver* receiver = nullptr;
    bool open = true;
    bool paused = false;
    bool ended = false;
    bool scheduled = false;
    bool peer_finished = false;  // and its receiver was told so while paused
  };

  void schedule(int side);
  void schedule_drained(int side);
  void deliver(int side);
  void report_drained(int side);
  void end(int side, End how);
  void refill(int side);

  Loop& loop_;
  Direction directions_[2];
  Port ports_[2];
};

class MemoryStream final : public ByteStream {
 public:
  MemoryStream(std::shared_ptr<MemoryLink> link, int side, std::string peer)
      : link_(std::move(link)), side_(side), peer_(std::move(peer)) {}
  ~MemoryStream() override { link_->close(side_, false); }

  void start(Receiver& receiver) override { link_->start(side_, receiver); }
  void pause() override { link_->pause(side_); }
  void resume() override { link_->resume(side_); }
  void send(std::string_view bytes) override { link_->send(side_, bytes); }
  std::size_t pending() const override { return link_->pending(side_); }
  void finish() override { link_->finish(side_); }
  void close() override { link_->close(side_, false); }
  void reset() override { link_->close(side_, true); }
  std::string peer() const override { return peer_; }

 private:
  std::shared_ptr<MemoryLink> link_;
  int side_;
  std::string peer_;
};

/// As make_stream_pair; each stream shows the name of the other.
[[nodiscard]] StreamPair make_named_pair(Loop& loop, std::string first, std::string second);

}  // namespace squall::runtime
