#include "connector.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "fd_stream.h"
#include "resolver.h"

namespace squall::runtime {

Connector::Connector(EpollLoop& loop, std::string host, std::uint16_t port, TimePoint deadline,
                     ConnectHandler on_connect)
    : loop_(loop),
      ticket_(loop.enroll(*this)),
      host_(std::move(host)),
      port_(port),
      deadline_(deadline),
      on_connect_(std::move(on_connect)) {
  loop_.hold();
}

Connector::~Connector() {
  loop_.cancel(timer_);
  if (watched_) loop_.unwatch(socket_.get());
  loop_.dismiss(ticket_);
  loop_.release();
}

void Connector::start() {
  if (auto addresses = local_addresses(host_, port_)) {
    addresses_ = *std::move(addresses);
    // The handler is never called from inside `connect`.
    return loop_.next_turn(ticket_);
  }
  timer_ = loop_.call_after(deadline_ - loop_.now(), [this] {
    timer_ = TimerId::none;
    fail_with(ErrorKind::timeout, "the name was not resolved in time");
  });
  EpollLoop& loop = loop_;
  const Ticket self = ticket_;
  loop_.resolver().resolve(host_, port_,
                           [this, &loop, self](Result<std::vector<Address>> addresses) {
                             if (loop.alive(self)) on_resolved(std::move(addresses));
                           });
}

void Connector::on_resolved(Result<std::vector<Address>> addresses) {
  loop_.cancel(std::exchange(timer_, TimerId::none));
  if (!addresses) return fail_with(addresses.error().kind, addresses.error().message);
  addresses_ = *std::move(addresses);
  try_next();
}

void Connector::on_turn() { try_next(); }

void Connector::try_next() {
  while (next_ < addresses_.size()) {
    const Address& address = addresses_[next_++];
    socket_.reset(
        ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket_.valid()) {
      drop_attempt(system_text(errno));
      continue;
    }
    if (::connect(socket_.get(), address.raw(), address.size) == 0) return succeed();
    if (errno != EINPROGRESS) {
      drop_attempt(system_text(errno));
      continue;
    }
    watched_ = loop_.watch(ticket_, 0, socket_.get(), EPOLLOUT);
    if (!watched_) {
      drop_attempt(system_text(errno));
      continue;
    }
    // Each address gets its share of the time left, so that a silent one leaves some for the next.
    const Duration left = std::max(deadline_ - loop_.now(), Duration::zero());
    const auto share = left / static_cast<Duration::rep>(addresses_.size() - next_ + 1);
    timer_ = loop_.call_after(share, [this] {
      timer_ = TimerId::none;
      last_kind_ = ErrorKind::timeout;
      drop_attempt("no answer in time");
      try_next();
    });
    return;
  }
  fail_with(last_kind_, last_why_);
}

void Connector::on_events(int, std::uint32_t) {
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error == 0) return succeed();
  last_kind_ = ErrorKind::unavailable;
  drop_attempt(system_text(error));
  try_next();
}

void Connector::drop_attempt(const std::string& why) {
  last_why_ = why;
  loop_.cancel(std::exchange(timer_, TimerId::none));
  if (std::exchange(watched_, false)) loop_.unwatch(socket_.get());
  socket_.reset();
}

void Connector::succeed() {
  const int on = 1;
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  if (std::exchange(watched_, false)) loop_.unwatch(socket_.get());
  report(std::make_unique<FdStream>(loop_, socket_.release(), addresses_[next_ - 1].text()));
}

void Connector::fail_with(ErrorKind kind, const std::string& why) {
  report(fail(kind, "cannot connect to " + endpoint_text(host_, port_) + ": " + why));
}

void Connector::report(Result<std::unique_ptr<ByteStream>> result) {
  ConnectHandler handler = std::move(on_connect_);
  loop_.forget(*this);
  handler(std::move(result));
}

}  // namespace squall::runtime
