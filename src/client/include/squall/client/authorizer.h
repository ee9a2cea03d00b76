#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/runtime/task.h"

namespace squall::client {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

/// A response that asks for (other) credentials.
struct AuthChallenge {
  std::string method;  ///< of the request that was refused
  std::string url;
  int status = 401;     ///< 401 or 403
  HttpHeaders headers;  ///< of the response: WWW-Authenticate, DPoP-Nonce ...
  HttpHeaders sent;     ///< what `authorize` gave for the request: others may have renewed since
  int attempt = 0;      ///< how often this request was challenged before
};

/// Gets HTTP requests let in. Belongs to the client's loop; outlives the link.
class Authorizer {
 public:
  virtual ~Authorizer() = default;
  /// The headers to add: Authorization, DPoP. None as long as nobody has asked for any. An error
  /// fails the request, unsent.
  virtual Task<Result<HttpHeaders>> authorize(std::string method, std::string url) = 0;
  /// The server refused: get other credentials if there are any. True: send the request again.
  /// An error fails it with that error's text. Called again when the next attempt is refused too,
  /// so it is the one to give up; the link gives up after kChallengesMax in any case.
  virtual Task<Result<bool>> challenged(AuthChallenge challenge) = 0;
  /// Each response's headers, refused or not (a DPoP-Nonce may come with any).
  virtual void responded(const std::string& url, const HttpHeaders& headers) {
    static_cast<void>(url);
    static_cast<void>(headers);
  }

  static constexpr int kChallengesMax = 8;
};

}  // namespace squall::client
