#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "address.h"
#include "epoll_loop.h"
#include "unique_fd.h"

namespace squall::runtime {

/// One `connect`: resolves, tries the addresses in turn, reports once, and then is destroyed by
/// its loop, which owns it.
class Connector final : private EventHandler {
 public:
  Connector(EpollLoop& loop, std::string host, std::uint16_t port, TimePoint deadline,
            ConnectHandler on_connect);
  ~Connector();
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;

  void start();
  void on_resolved(Result<std::vector<Address>> addresses);

 private:
  void on_events(int side, std::uint32_t events) override;
  void on_turn() override;
  void try_next();
  /// Gives up the present address.
  void drop_attempt(const std::string& why);
  void succeed();
  void fail_with(ErrorKind kind, const std::string& why);
  void report(Result<std::unique_ptr<ByteStream>> result);

  EpollLoop& loop_;
  Ticket ticket_;
  std::string host_;
  std::uint16_t port_;
  TimePoint deadline_;
  ConnectHandler on_connect_;
  std::vector<Address> addresses_;
  std::size_t next_ = 0;
  UniqueFd socket_;
  bool watched_ = false;
  TimerId timer_ = TimerId::none;
  ErrorKind last_kind_ = ErrorKind::unavailable;
  std::string last_why_ = "no address";
};

}  // namespace squall::runtime
