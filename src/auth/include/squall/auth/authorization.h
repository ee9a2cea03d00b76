#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "squall/auth/challenge.h"
#include "squall/auth/fetch.h"
#include "squall/auth/grant.h"
#include "squall/auth/store.h"

namespace squall::auth {

/// A request that a server answered with 401 or 403.
struct Denial {
  Denial(std::string request_method, std::string request_url, int response_status)
      : method(std::move(request_method)), url(std::move(request_url)), status(response_status) {}
  std::string method;
  std::string url;
  int status;
  Headers response;  ///< its headers
  Headers sent;      ///< what `headers` gave for the request
  int attempt = 0;   ///< how often the request was sent again already
};

struct AuthorizationOptions {
  std::chrono::seconds expiry_skew{30};  ///< tokens are renewed that long before they expire
  bool prefer_dpop = false;              ///< bind tokens to a key wherever the server can
};

/// Access to one MCP server: gives each request its headers, and makes of a refusal a new token, or
/// says that there is none to be had.
///
/// One flow runs at a time, and requests wait for it rather than start another. Bounded against
/// servers that refuse for ever: a request is sent again `kAttemptsMax` times at most, a scope that
/// was asked for is not asked for again, and `kFlowsMax` flows begin in `kFlowsWindow`.
///
/// Belongs to its loop's thread, and outlives the tasks it gives out.
class Authorization {
 public:
  static constexpr int kAttemptsMax = 3;
  static constexpr std::size_t kFlowsMax = 16;
  static constexpr std::chrono::minutes kFlowsWindow{10};

  /// All but the options outlive it. `server_url` is the MCP endpoint.
  Authorization(runtime::Loop& loop, Fetch& fetch, Store& store, Grant& grant,
                std::string server_url, AuthorizationOptions options = {});
  ~Authorization();
  Authorization(const Authorization&) = delete;
  Authorization& operator=(const Authorization&) = delete;

  /// What to send along: nothing as long as there is no token, and nothing to another origin. Every
  /// sending of a request needs its own. Renews a token that is about to expire.
  Task<Result<Headers>> headers(const std::string& method, const std::string& url);
  /// Whether to send the request again, with new headers. False: the answer stands. An error: there
  /// is no access, and why.
  Task<Result<bool>> denied(const Denial& denial);
  /// Takes the nonce of any other answer, so that the next proof has it.
  void note(const std::string& url, const Headers& response);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace squall::auth
