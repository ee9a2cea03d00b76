#pragma once

#include <memory>
#include <optional>

#include "core.h"
#include "gate.h"
#include "handshake.h"

namespace squall::client {

/// Sees requests through: waits for the handshake, renews a session that the server forgot, and
/// sends again what is safe to repeat.
class Caller {
 public:
  explicit Caller(Core& core)
      : core_(core),
        handshake_(core),
        ready_(core.loop()),
        renewed_(core.loop()),
        changed_(core.loop()) {
    renewed_.open();
  }

  Task<Outcome<Server>> connect();
  /// Waits for the handshake; why there is no connection, if there is none.
  Task<std::optional<Failure>> connected();
  /// `request` stays where it is until the end.
  Task<Outcome<Answer>> perform(const Request& request);
  [[nodiscard]] const Server* server() const noexcept { return server_ ? &*server_ : nullptr; }
  [[nodiscard]] Core& core() noexcept { return core_; }
  /// Waits until there is another session than that one, or the link is over.
  Task<void> next_session(std::uint64_t session);
  /// The link is over: nobody need wait for another session.
  void on_over() { changed_.open(); }
  /// Grows with each new session: what the server knew of us before is gone.
  [[nodiscard]] std::uint64_t session() const noexcept { return session_; }

 private:
  Task<bool> renew(std::uint64_t lost_session);
  [[nodiscard]] bool may_repeat(const Request& request, const Failure& why) const;

  Core& core_;
  Handshake handshake_;
  std::optional<Server> server_;
  Gate ready_;
  Gate renewed_;  // shut while one request renews the session for all
  Gate changed_;  // opened for a moment when there is a new session
  bool connecting_ = false;
  std::optional<Failure> failed_;
  std::uint64_t session_ = 0;
};

}  // namespace squall::client
