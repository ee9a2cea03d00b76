#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "chunk_queue.h"
#include "epoll_loop.h"

namespace squall::runtime {

/// A stream over one socket, or over one or two other descriptors.
class FdStream final : public ByteStream, private EventHandler {
 public:
  /// Over a connected, non-blocking socket.
  FdStream(EpollLoop& loop, int socket, std::string peer);
  /// Over any descriptors; -1 leaves a direction out. Non-blocking mode is set where it is needed,
  /// and taken back on closing, for others may share the open file (a terminal).
  [[nodiscard]] static std::unique_ptr<FdStream> adopt(EpollLoop& loop, int read_fd, int write_fd,
                                                       std::string name);
  ~FdStream() override;

  void start(Receiver& receiver) override;
  void pause() override;
  void resume() override;
  void send(std::string_view bytes) override;
  std::size_t pending() const override { return queue_.size(); }
  void finish() override;
  void close() override;
  void reset() override;
  std::string what_broke() const override;
  std::string peer() const override { return peer_; }

 private:
  static constexpr int kReadSide = 0;
  static constexpr int kWriteSide = 1;
  /// In watched_: not in epoll at all.
  static constexpr std::int16_t kUnwatched = -1;

  FdStream(EpollLoop& loop, int read_fd, int write_fd, std::string name, bool socket);

  void on_events(int side, std::uint32_t events) override;
  void on_turn() override;

  [[nodiscard]] bool one_descriptor() const { return read_fd_ == write_fd_; }
  [[nodiscard]] bool reading() const { return receiver_ != nullptr && !paused_ && !ended_; }
  [[nodiscard]] bool writing() const { return !queue_.empty() && write_fd_ >= 0; }
  /// Makes epoll and the loop's count of holds agree with our state.
  void rearm();
  void set_watch(int side, int fd, std::int16_t wanted);
  void ask_for_turn();
  void receive();
  void flush();
  /// Writes as much of `bytes` as is taken at once; -1 when the stream broke.
  [[nodiscard]] std::ptrdiff_t write_some(std::string_view bytes);
  /// The write direction is broken: what has arrived is still delivered, then the end.
  void break_off(int error);
  /// The last call to the receiver, and the last thing we do.
  void end(End how);
  void end_sending();
  void close_read_fd();
  void close_write_fd();

  EpollLoop& loop_;
  Receiver* receiver_ = nullptr;
  Ticket ticket_;
  int read_fd_;
  int write_fd_;
  ChunkQueue queue_;
  std::string peer_;
  int read_flags_ = -1;  // file status flags to restore
  int write_flags_ = -1;
  int read_error_ = 0;  // what the system said when it broke
  int write_error_ = 0;
  std::int16_t watched_[2] = {kUnwatched, kUnwatched};
  bool socket_;
  bool paused_ = false;
  bool ended_ = false;
  bool finishing_ = false;
  bool broken_ = false;      // a write failed
  bool hung_up_ = false;     // epoll would report it over and over while we are paused
  bool peer_finished_ = false;  // and the receiver was told so while it was paused
  bool unpollable_ = false;  // a regular file: always readable, read in turns
  bool turn_asked_ = false;
  bool holding_ = false;
};

}  // namespace squall::runtime
