#include "fd_stream.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "address.h"

namespace squall::runtime {
namespace {

constexpr int kPiecesPerWrite = 16;

bool is_socket(int fd) {
  struct stat status = {};
  return fd >= 0 && ::fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}

bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

/// Whether nothing but the other side's end is behind `error`.
bool went_away(int error) { return error == EPIPE || error == ECONNRESET; }

/// Makes `fd` non-blocking; the flags to restore, or -1 when there is nothing to take back.
int set_nonblocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || (flags & O_NONBLOCK) != 0) return -1;
  return ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 ? flags : -1;
}

}  // namespace

FdStream::FdStream(EpollLoop& loop, int socket, std::string peer)
    : FdStream(loop, socket, socket, std::move(peer), true) {}

FdStream::FdStream(EpollLoop& loop, int read_fd, int write_fd, std::string name, bool socket)
    : loop_(loop),
      ticket_(loop.enroll(*this)),
      read_fd_(read_fd),
      write_fd_(write_fd),
      peer_(std::move(name)),
      socket_(socket) {}

std::unique_ptr<FdStream> FdStream::adopt(EpollLoop& loop, int read_fd, int write_fd,
                                          std::string name) {
  const bool socket = read_fd == write_fd && is_socket(read_fd);
  // make_unique cannot reach the private constructor.
  std::unique_ptr<FdStream> stream(new FdStream(loop, read_fd, write_fd, std::move(name), socket));
  if (!socket) {
    if (read_fd >= 0) stream->read_flags_ = set_nonblocking(read_fd);
    if (write_fd >= 0 && write_fd != read_fd) stream->write_flags_ = set_nonblocking(write_fd);
  }
  return stream;
}

FdStream::~FdStream() {
  close();
  loop_.dismiss(ticket_);
}

void FdStream::start(Receiver& receiver) {
  receiver_ = &receiver;
  if (ended_) return;
  if (broken_) ask_for_turn();
  rearm();
}

void FdStream::pause() {
  paused_ = true;
  // Epoll is told only when bytes do arrive: most pauses are over before.
  if (holding_ && !writing()) {
    loop_.release();
    holding_ = false;
  }
}

void FdStream::resume() {
  if (!std::exchange(paused_, false)) return;
  hung_up_ = false;
  rearm();
}

void FdStream::send(std::string_view bytes) {
  if (write_fd_ < 0 || finishing_ || broken_ || bytes.empty()) return;
  if (!queue_.empty()) return queue_.append(bytes);
  const std::ptrdiff_t written = write_some(bytes);
  if (written < 0) return break_off(errno);
  bytes.remove_prefix(static_cast<std::size_t>(written));
  if (bytes.empty()) return;
  queue_.append(bytes);
  rearm();
}

void FdStream::finish() {
  if (write_fd_ < 0 || std::exchange(finishing_, true)) return;
  if (queue_.empty()) end_sending();
}

void FdStream::close() {
  queue_.clear();
  ended_ = true;
  rearm();
  close_write_fd();
  close_read_fd();
}

void FdStream::reset() {
  if (socket_ && read_fd_ >= 0) {
    const linger now = {.l_onoff = 1, .l_linger = 0};
    ::setsockopt(read_fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  }
  close();
}

std::string FdStream::what_broke() const {
  if (write_error_ != 0 && !went_away(write_error_)) {
    return "cannot write: " + system_text(write_error_);
  }
  // A terminal that is gone reads as EIO.
  if (read_error_ == 0 || read_error_ == EIO || went_away(read_error_)) return {};
  return "cannot read: " + system_text(read_error_);
}

void FdStream::on_events(int side, std::uint32_t events) {
  const bool write_side = side == kWriteSide || one_descriptor();
  if (write_side && writing() && (events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) {
    EpollLoop& loop = loop_;
    const Ticket self = ticket_;
    flush();
    if (!loop.alive(self)) return;
  }
  if (side != kReadSide || ended_ || receiver_ == nullptr) return;
  if ((events & (EPOLLIN | EPOLLRDHUP | EPOLLERR | EPOLLHUP)) == 0) return;
  if (!paused_) return receive();
  if ((events & EPOLLERR) != 0) return end(End::reset);
  if ((events & EPOLLHUP) != 0) hung_up_ = true;
  const bool finished = (events & (EPOLLRDHUP | EPOLLHUP)) != 0 && !peer_finished_;
  if (finished) peer_finished_ = true;
  rearm();
  if (finished) receiver_->on_peer_finished();
}

void FdStream::on_turn() {
  turn_asked_ = false;
  if (ended_ || receiver_ == nullptr) return;
  if (broken_ && (paused_ || read_fd_ < 0)) return end(End::reset);
  if (reading() && read_fd_ >= 0) receive();
}

void FdStream::ask_for_turn() {
  if (!std::exchange(turn_asked_, true)) loop_.next_turn(ticket_);
}

void FdStream::rearm() {
  const bool heard = receiver_ != nullptr && !ended_ && !broken_ && !hung_up_ && !unpollable_;
  std::int16_t in = kUnwatched;
  if (heard) in = 0;
  if (heard && reading()) in = EPOLLIN;
  // What is not read hides the end behind it, of which a paused receiver wants to know.
  if (heard && paused_ && socket_ && !peer_finished_) in = EPOLLRDHUP;
  std::int16_t out = writing() ? std::int16_t{EPOLLOUT} : kUnwatched;
  if (one_descriptor() && out != kUnwatched) {
    in = static_cast<std::int16_t>((in == kUnwatched ? 0 : in) | out);
    out = kUnwatched;
  }
  if (read_fd_ >= 0) set_watch(kReadSide, read_fd_, in);
  if (write_fd_ >= 0) set_watch(kWriteSide, write_fd_, out);
  if (unpollable_ && reading()) ask_for_turn();
  const bool wants_hold = (reading() && read_fd_ >= 0) || writing();
  if (wants_hold == holding_) return;
  holding_ = wants_hold;
  if (wants_hold) {
    loop_.hold();
  } else {
    loop_.release();
  }
}

void FdStream::set_watch(int side, int fd, std::int16_t wanted) {
  std::int16_t& watched = watched_[side];
  if (watched == wanted) return;
  if (wanted == kUnwatched) {
    loop_.unwatch(fd);
  } else if (watched != kUnwatched) {
    loop_.rewatch(ticket_, side, fd, static_cast<std::uint32_t>(wanted));
  } else if (!loop_.watch(ticket_, side, fd, static_cast<std::uint32_t>(wanted))) {
    if (side == kReadSide && errno == EPERM) {
      unpollable_ = true;
    } else {
      // Out of memory or of watches: there is no way to hear of this stream.
      break_off(errno);
    }
    return;
  }
  watched = wanted;
}

void FdStream::receive() {
  EpollLoop& loop = loop_;
  const Ticket self = ticket_;
  const std::span<char> buffer = loop.read_buffer();
  const ssize_t count = socket_ ? ::recv(read_fd_, buffer.data(), buffer.size(), MSG_DONTWAIT)
                                : ::read(read_fd_, buffer.data(), buffer.size());
  if (count == 0) return end(broken_ ? End::reset : End::finished);
  if (count < 0) {
    if (!would_block(errno)) read_error_ = errno;
    if (read_error_ != 0 || broken_) end(End::reset);
    return;
  }
  receiver_->on_bytes({buffer.data(), static_cast<std::size_t>(count)});
  if (loop.alive(self) && (unpollable_ || broken_) && reading()) ask_for_turn();
}

void FdStream::flush() {
  iovec pieces[kPiecesPerWrite];
  msghdr message = {};
  message.msg_iov = pieces;
  message.msg_iovlen = static_cast<std::size_t>(queue_.gather(pieces, kPiecesPerWrite));
  const ssize_t written = socket_
                              ? ::sendmsg(write_fd_, &message, MSG_NOSIGNAL | MSG_DONTWAIT)
                              : ::writev(write_fd_, pieces, static_cast<int>(message.msg_iovlen));
  if (written < 0 && would_block(errno)) return;
  if (written < 0) {
    break_off(errno);
    // Nobody hears of a reset after the end of the other direction, and must not wait for ever.
    if (ended_ && receiver_ != nullptr) receiver_->on_drained();
    return;
  }
  queue_.consume(static_cast<std::size_t>(written));
  if (!queue_.empty()) return;
  if (finishing_) end_sending();
  rearm();
  if (receiver_ != nullptr) receiver_->on_drained();
}

std::ptrdiff_t FdStream::write_some(std::string_view bytes) {
  const ssize_t written =
      socket_ ? ::send(write_fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT)
              : ::write(write_fd_, bytes.data(), bytes.size());
  if (written >= 0) return written;
  return would_block(errno) ? 0 : -1;
}

void FdStream::break_off(int error) {
  broken_ = true;
  write_error_ = error;
  queue_.clear();
  rearm();
  if (!one_descriptor()) close_write_fd();
  if (receiver_ != nullptr && !ended_) ask_for_turn();
}

void FdStream::end(End how) {
  ended_ = true;
  if (how == End::reset) {
    close();
  } else {
    rearm();
  }
  receiver_->on_end(how);
}

void FdStream::end_sending() {
  if (socket_) {
    ::shutdown(write_fd_, SHUT_WR);
  } else if (!one_descriptor()) {
    close_write_fd();
  }
}

void FdStream::close_read_fd() {
  if (read_fd_ < 0) return;
  if (read_flags_ >= 0) ::fcntl(read_fd_, F_SETFL, read_flags_);
  ::close(std::exchange(read_fd_, -1));
}

void FdStream::close_write_fd() {
  if (write_fd_ < 0) return;
  if (write_fd_ == read_fd_) {
    write_fd_ = -1;
    return;
  }
  if (watched_[kWriteSide] != kUnwatched) {
    loop_.unwatch(write_fd_);
    watched_[kWriteSide] = kUnwatched;
  }
  if (write_flags_ >= 0) ::fcntl(write_fd_, F_SETFL, write_flags_);
  ::close(std::exchange(write_fd_, -1));
}

}  // namespace squall::runtime
