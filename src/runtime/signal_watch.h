#pragma once

#include <functional>
#include <memory>

#include "epoll_loop.h"

namespace squall::runtime {

/// Hears of one signal through an eventfd that the signal handler writes to. Whichever thread the
/// kernel picks for the signal, the loop hears of it; no thread's mask has to be changed.
class SignalWatch final : private EventHandler {
 public:
  [[nodiscard]] static Result<std::unique_ptr<SignalWatch>> open(
      EpollLoop& loop, int signal, std::move_only_function<void()> handler);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  SignalWatch(EpollLoop& loop, int signal, std::move_only_function<void()> handler);
  void on_events(int side, std::uint32_t events) override;

  EpollLoop& loop_;
  Ticket ticket_;
  int signal_;
  std::move_only_function<void()> handler_;
  bool installed_ = false;
};

}  // namespace squall::runtime
