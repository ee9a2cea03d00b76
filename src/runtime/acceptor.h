#pragma once

#include <cstdint>
#include <memory>

#include "epoll_loop.h"
#include "unique_fd.h"

namespace squall::runtime {

/// A listening socket. Out of descriptors it rests a little instead of spinning.
class Acceptor final : public Listener, private EventHandler {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Listener>> open(EpollLoop& loop,
                                                              const ListenOptions& options,
                                                              AcceptHandler on_accept);
  Acceptor(EpollLoop& loop, UniqueFd socket, std::uint16_t port, AcceptHandler on_accept);
  ~Acceptor() override;

  std::uint16_t port() const override { return port_; }
  void pause() override;
  void resume() override;

 private:
  void on_events(int side, std::uint32_t events) override;
  /// Accepts one connection; whether there may be more, and we are still there to take them.
  bool accept_one();
  void rest();
  void rearm();

  EpollLoop& loop_;
  Ticket ticket_;
  UniqueFd socket_;
  std::uint16_t port_;
  AcceptHandler on_accept_;
  TimerId rest_ = TimerId::none;
  bool paused_ = false;
  bool watched_ = false;
};

}  // namespace squall::runtime
