#include "caller.h"

#include <utility>

#include "squall/runtime/sleep.h"

#include "back_off.h"

namespace squall::client {

Task<Outcome<Server>> Caller::connect() {
  if (connecting_) {
    Loss twice{.cause = Loss::Cause::local, .detail = "connect was called twice"};
    co_return std::unexpected(lost(std::move(twice)));
  }
  connecting_ = true;
  Outcome<Server> server = co_await handshake_.run();
  if (server) {
    server_ = *server;
  } else {
    failed_ = server.error();
  }
  ready_.open();
  co_return server;
}

Task<std::optional<Failure>> Caller::connected() {
  if (server_) co_return std::nullopt;
  if (!connecting_) {
    Loss unready{.cause = Loss::Cause::not_connected, .detail = "connect was not called"};
    co_return lost(std::move(unready));
  }
  if (!ready_.is_open()) co_await ready_.wait();
  if (server_) co_return std::nullopt;
  Loss unready{.cause = Loss::Cause::not_connected};
  unready.detail = "connect failed: " + failed_->message;
  co_return lost(std::move(unready));
}

Task<Outcome<Answer>> Caller::perform(const Request& request) {
  if (!server_) {
    std::optional<Failure> unready = co_await connected();
    if (unready) co_return std::unexpected(*std::move(unready));
  }
  bool session_renewed = false;
  for (unsigned attempt = 1;; ++attempt) {
    if (!renewed_.is_open()) co_await renewed_.wait();
    const std::uint64_t session = session_;
    Outcome<Answer> outcome = co_await core_.exchange(request);
    if (outcome || outcome.error().kind != OutcomeKind::lost) co_return outcome;
    const Failure& why = outcome.error();
    if (why.loss.cause == Loss::Cause::session) {
      if (core_.options().sessions == SessionPolicy::report || session_renewed) co_return outcome;
      session_renewed = true;
      const bool renewed = co_await renew(session);
      if (!renewed || !request.safe) co_return outcome;
      core_.report(Report::Kind::retrying, request.method + " once more, in a new session");
      continue;
    }
    if (attempt >= core_.options().retry.attempts || !may_repeat(request, why)) co_return outcome;
    const auto pause = back_off(core_.options(), attempt, why.loss.retry_after_ms);
    core_.report(Report::Kind::retrying, request.method + " once more: " + why.message);
    co_await runtime::sleep(core_.loop(), pause);
  }
}

/// What the server can't have begun on may be repeated whatever it is. Only over HTTP, where a
/// request has a connection of its own: a channel that is over stays so.
bool Caller::may_repeat(const Request& request, const Failure& why) const {
  if (core_.over()) return false;
  if (why.loss.cause == Loss::Cause::connect && !why.loss.may_have_run) return true;
  if (!request.safe) return false;
  switch (why.loss.cause) {
    case Loss::Cause::connect:
    case Loss::Cause::ended:
    case Loss::Cause::reset:
      return true;
    case Loss::Cause::http_status: {
      const int status = why.loss.status;
      return status == 429 || status == 502 || status == 503 || status == 504;
    }
    case Loss::Cause::not_connected:
    case Loss::Cause::child_exited:
    case Loss::Cause::session:
    case Loss::Cause::unauthorized:
    case Loss::Cause::local:
      return false;
  }
  return false;
}

/// One handshake for all whose session is gone; whether there is a new one.
Task<bool> Caller::renew(std::uint64_t lost_session) {
  if (!renewed_.is_open()) co_await renewed_.wait();
  if (session_ != lost_session) co_return true;
  renewed_.shut();
  // Destroyed with the call that happens to do it: the others then find the old session, and the
  // first of them tries.
  const GateOpener reopen(renewed_);
  core_.report(Report::Kind::session_lost, "the server forgot the session: a new handshake");
  Outcome<Server> server = co_await handshake_.again();
  if (!server) {
    core_.report(Report::Kind::session_lost, "no new session: " + server.error().message);
    co_return false;
  }
  server_ = *std::move(server);
  ++session_;
  changed_.open();
  changed_.shut();
  co_return true;
}

Task<void> Caller::next_session(std::uint64_t session) {
  while (session_ == session && !core_.over()) co_await changed_.wait_once();
}

}  // namespace squall::client
