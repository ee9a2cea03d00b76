#include "acceptor.h"

#include <cerrno>
#include <expected>
#include <utility>
#include <vector>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "address.h"
#include "fd_stream.h"

namespace squall::runtime {
namespace {

using namespace std::chrono_literals;

/// So many connections are taken in one go before others have their turn.
constexpr int kAcceptsPerWake = 64;
/// How long to leave connections in the backlog when we are out of descriptors or memory.
constexpr Duration kRest = 100ms;
constexpr Duration kToldAgainAfter = 1min;

Error listen_error(const ListenOptions& options, const std::string& why) {
  return Error{ErrorKind::unavailable,
               "cannot listen on " + endpoint_text(options.host, options.port) + ": " + why};
}

void switch_on(int fd, int level, int option) {
  const int on = 1;
  ::setsockopt(fd, level, option, &on, sizeof on);
}

constexpr int kUnsentBytes = 32 << 10;

/// A listening socket, or the system's error.
std::expected<UniqueFd, int> bind_one(const ListenOptions& options, const Address& address) {
  UniqueFd fd(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd.valid()) return std::unexpected(errno);
  switch_on(fd.get(), SOL_SOCKET, SO_REUSEADDR);
  if (options.port_use == PortUse::joins) switch_on(fd.get(), SOL_SOCKET, SO_REUSEPORT);
  // Accepted sockets inherit these two, which saves two system calls for each.
  switch_on(fd.get(), IPPROTO_TCP, TCP_NODELAY);
  switch_on(fd.get(), SOL_SOCKET, SO_KEEPALIVE);
  // The kernel takes on little that it can't send yet, so that a slow reader's progress shows here
  // and memory stays with us to bound. Inherited too.
  ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kUnsentBytes, sizeof kUnsentBytes);
  if (::bind(fd.get(), address.raw(), address.size) != 0) return std::unexpected(errno);
  // Only now: bound with it, the first one would join whoever else shares the port.
  if (options.port_use == PortUse::first) switch_on(fd.get(), SOL_SOCKET, SO_REUSEPORT);
  if (::listen(fd.get(), options.backlog) != 0) return std::unexpected(errno);
  return fd;
}

/// Whether another address of the same name may do: this machine has no such address, which is
/// common for IPv6. A port that is taken on one address is taken.
bool lacks_address(int error) {
  return error == EADDRNOTAVAIL || error == EAFNOSUPPORT || error == EPROTONOSUPPORT;
}

bool out_of_resources(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

Result<std::unique_ptr<Listener>> Acceptor::open(EpollLoop& loop, const ListenOptions& options,
                                                 AcceptHandler on_accept) {
  std::optional<std::vector<Address>> addresses = local_addresses(options.host, options.port);
  if (!addresses) {
    // Once at start-up, so waiting for the resolver here is no harm.
    auto resolved = resolve_blocking(options.host, options.port);
    if (!resolved) return std::unexpected(listen_error(options, resolved.error().message));
    addresses = *std::move(resolved);
  }
  std::expected<UniqueFd, int> socket = std::unexpected(EADDRNOTAVAIL);
  for (const Address& address : *addresses) {
    socket = bind_one(options, address);
    if (socket.has_value() || !lacks_address(socket.error())) break;
  }
  if (!socket.has_value()) {
    return std::unexpected(listen_error(options, system_text(socket.error())));
  }
  Address bound;
  ::getsockname(socket->get(), bound.raw(), &bound.size);
  return std::make_unique<Acceptor>(loop, *std::move(socket), bound.port(), std::move(on_accept),
                                    options.on_exhausted);
}

Acceptor::Acceptor(EpollLoop& loop, UniqueFd socket, std::uint16_t port, AcceptHandler on_accept,
                   ExhaustedHandler on_exhausted)
    : loop_(loop),
      ticket_(loop.enroll(*this)),
      socket_(std::move(socket)),
      port_(port),
      on_accept_(std::move(on_accept)),
      on_exhausted_(std::move(on_exhausted)) {
  loop_.hold();
  rearm();
}

Acceptor::~Acceptor() {
  loop_.cancel(rest_);
  if (watched_) loop_.unwatch(socket_.get());
  loop_.dismiss(ticket_);
  loop_.release();
}

void Acceptor::pause() {
  paused_ = true;
  rearm();
}

void Acceptor::resume() {
  paused_ = false;
  rearm();
}

void Acceptor::on_events(int, std::uint32_t) {
  for (int i = 0; i < kAcceptsPerWake; ++i) {
    if (!accept_one()) return;
  }
}

bool Acceptor::accept_one() {
  Address peer;
  const int fd = ::accept4(socket_.get(), peer.raw(), &peer.size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) {
    if (out_of_resources(errno)) rest(errno);
    // Whatever else went wrong is one connection's trouble; the next wake takes up the others.
    return false;
  }
  EpollLoop& loop = loop_;
  const Ticket self = ticket_;
  // The handler may destroy us, and must not be destroyed while it runs.
  AcceptHandler handler = std::move(on_accept_);
  handler(std::make_unique<FdStream>(loop, fd, peer.text()));
  if (!loop.alive(self)) return false;
  on_accept_ = std::move(handler);
  return !paused_;
}

void Acceptor::tell_exhausted(int error) {
  const TimePoint now = loop_.now();
  if (!on_exhausted_ || (told_ && now - *told_ < kToldAgainAfter)) return;
  told_ = now;
  on_exhausted_(system_text(error));
}

void Acceptor::rest(int error) {
  tell_exhausted(error);
  if (rest_ != TimerId::none) return;
  rest_ = loop_.call_after(kRest, [this] {
    rest_ = TimerId::none;
    rearm();
  });
  rearm();
}

void Acceptor::rearm() {
  const bool wanted = !paused_ && rest_ == TimerId::none;
  if (wanted == watched_) return;
  if (!wanted) {
    loop_.unwatch(socket_.get());
    watched_ = false;
  } else if (loop_.watch(ticket_, 0, socket_.get(), EPOLLIN)) {
    watched_ = true;
  } else {
    rest(errno);
  }
}

}  // namespace squall::runtime
