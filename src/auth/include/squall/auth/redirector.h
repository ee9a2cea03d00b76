#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "squall/auth/fetch.h"
#include "squall/auth/secret.h"
#include "squall/base/result.h"
#include "squall/runtime/loop.h"
#include "squall/runtime/task.h"

/// @file How a person comes to the authorization server, and its answer back to us.

namespace squall::auth {

/// Leads to an authorization endpoint and waits for the redirect.
class Redirector {
 public:
  virtual ~Redirector() = default;
  /// The redirect URI of the next visit. `earlier` is what was registered before ("" for nothing):
  /// it is taken again when it can be.
  virtual Result<std::string> open(const std::string& earlier) = 0;
  /// Leads to `url`, and gives the URL that came back: the redirect URI with the answer as query.
  /// Only an answer with `state` in it counts.
  virtual Task<Result<std::string>> visit(const std::string& url, const Secret& state) = 0;
};

/// Whether the query of `url` carries this state.
[[nodiscard]] bool answers(std::string_view url, const Secret& state);

/// No browser, no person: asks the authorization endpoint and reads where it redirects to. For
/// tests and for servers that ask nobody.
class HeadlessRedirector : public Redirector {
 public:
  explicit HeadlessRedirector(Fetch& fetch, std::string uri = "http://127.0.0.1:3334/callback")
      : fetch_(fetch), uri_(std::move(uri)) {}
  Result<std::string> open(const std::string& earlier) override;
  Task<Result<std::string>> visit(const std::string& url, const Secret& state) override;

 private:
  Fetch& fetch_;
  std::string uri_;
};

/// Shows a person the way: opens a browser, or prints the address.
using ShowAddress = std::function<Result<void>(const std::string& url)>;
/// Opens `browser`, a command, or with "" the desktop's own (xdg-open). `loop` outlives it; the
/// browser may outlive us.
[[nodiscard]] ShowAddress open_browser(runtime::SystemLoop& loop, std::string browser = {});

/// Receives the redirect on a port of 127.0.0.1 (RFC 8252), and tells the person that the window
/// can be closed. It listens from `open` until the visit is over. Requests for other paths, with
/// another state, or beside GET are refused and change nothing.
class LoopbackRedirector : public Redirector {
 public:
  LoopbackRedirector(runtime::Loop& loop, ShowAddress show,
                     std::chrono::seconds patience = std::chrono::minutes(5));
  ~LoopbackRedirector() override;
  Result<std::string> open(const std::string& earlier) override;
  Task<Result<std::string>> visit(const std::string& url, const Secret& state) override;

 private:
  class Receiver;
  runtime::Loop& loop_;
  ShowAddress show_;
  std::chrono::seconds patience_;
  std::unique_ptr<Receiver> receiver_;
};

}  // namespace squall::auth
