#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "epoll_loop.h"
#include "unique_fd.h"

namespace squall::runtime {

/// A listening socket. Out of descriptors it rests a little instead of spinning.
class Acceptor final : public Listener, private EventHandler {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Listener>> open(EpollLoop& loop,
                                                              const ListenOptions& options,
                                                              AcceptHandler on_accept);
  using ExhaustedHandler = std::function<void(const std::string& why)>;

  Acceptor(EpollLoop& loop, UniqueFd socket, std::uint16_t port, AcceptHandler on_accept,
           ExhaustedHandler on_exhausted);
  ~Acceptor() override;

  std::uint16_t port() const override { return port_; }
  void pause() override;
  void resume() override;

 private:
  void on_events(int side, std::uint32_t events) override;
  /// Accepts one connection; whether there may be more, and we are still there to take them.
  bool accept_one();
  void rest(int error);
  void tell_exhausted(int error);
  void rearm();

  EpollLoop& loop_;
  Ticket ticket_;
  UniqueFd socket_;
  std::uint16_t port_;
  AcceptHandler on_accept_;
  ExhaustedHandler on_exhausted_;
  std::optional<TimePoint> told_;  // that we are exhausted
  TimerId rest_ = TimerId::none;
  bool paused_ = false;
  bool watched_ = false;
};

}  // namespace squall::runtime
