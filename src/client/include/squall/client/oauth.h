#pragma once

#include "squall/auth/authorization.h"
#include "squall/client/authorizer.h"

namespace squall::client {

/// Lets an OAuth authorization get the client's requests in. `authorization` outlives it.
class OAuthAuthorizer final : public Authorizer {
 public:
  explicit OAuthAuthorizer(auth::Authorization& authorization) : authorization_(authorization) {}
  Task<Result<HttpHeaders>> authorize(std::string method, std::string url) override;
  Task<Result<bool>> challenged(AuthChallenge challenge) override;
  void responded(const std::string& url, const HttpHeaders& headers) override;

 private:
  auth::Authorization& authorization_;
};

}  // namespace squall::client
