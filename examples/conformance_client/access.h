#pragma once

#include <memory>
#include <string>

#include "squall/auth/authorization.h"
#include "squall/auth/network_fetch.h"

/// @file What the suite's `auth/` scenarios hand their client, made into an Authorization.

namespace conformance {

/// Access to the server of one scenario. `context` is the JSON that the suite gives along; a server
/// that asks for nothing meets an Authorization that does nothing.
class Access {
 public:
  Access(squall::runtime::Loop& loop, const std::string& scenario,
         const squall::json::Value& context, const std::string& server_url);
  [[nodiscard]] squall::auth::Authorization& authorization() { return *authorization_; }

 private:
  [[nodiscard]] std::unique_ptr<squall::auth::Grant> make_grant(const std::string& scenario,
                                                                const squall::json::Value& context);
  [[nodiscard]] squall::auth::CodeGrantOptions code_options(const std::string& scenario,
                                                            const squall::json::Value& context);

  squall::runtime::Loop& loop_;
  squall::transport::HttpClient http_;
  squall::auth::NetworkFetch fetch_;
  squall::auth::MemoryStore store_;
  squall::auth::HeadlessRedirector redirector_;
  std::unique_ptr<squall::auth::WorkloadIdentity> workload_;
  std::unique_ptr<squall::auth::IdentityAssertion> identity_;
  std::unique_ptr<squall::auth::Grant> grant_;
  std::unique_ptr<squall::auth::Authorization> authorization_;
};

}  // namespace conformance
