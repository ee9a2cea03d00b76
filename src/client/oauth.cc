#include "squall/client/oauth.h"

#include <utility>

namespace squall::client {

Task<Result<HttpHeaders>> OAuthAuthorizer::authorize(std::string method, std::string url) {
  Result<HttpHeaders> headers = co_await authorization_.headers(method, url);
  co_return headers;
}

Task<Result<bool>> OAuthAuthorizer::challenged(AuthChallenge challenge) {
  auth::Denial denial(std::move(challenge.method), std::move(challenge.url), challenge.status);
  denial.response = std::move(challenge.headers);
  denial.sent = std::move(challenge.sent);
  denial.attempt = challenge.attempt;
  Result<bool> again = co_await authorization_.denied(denial);
  co_return again;
}

void OAuthAuthorizer::responded(const std::string& url, const HttpHeaders& headers) {
  authorization_.note(url, headers);
}

}  // namespace squall::client
