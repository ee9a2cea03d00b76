#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "squall/auth/grant.h"
#include "squall/auth/network_fetch.h"
#include "squall/auth/redirector.h"
#include "squall/cli/cli.h"
#include "squall/client/oauth.h"

#include "target.h"

namespace squall::cli {

/// Opens a person's browser, by $BROWSER or xdg-open, and shows the address in any case, for the
/// browser may be on another machine. With `alone`, the address is all.
[[nodiscard]] auth::ShowAddress show_address(runtime::SystemLoop& loop, Console& console,
                                             const Variables& variables, bool alone);

/// Where credentials are kept between runs; "" when there is no home for them.
[[nodiscard]] std::filesystem::path credentials_file(const Variables& variables);

/// Lets a command into a protected server: a person logs in once, and credentials are kept for the
/// next time, for their owner alone.
class Access {
 public:
  /// `client_id` is an account set up by hand, whose secret is SQUALL_CLIENT_SECRET; "": none.
  Access(runtime::SystemLoop& loop, const std::string& url, const client::HttpLinkOptions& http,
         const Variables& variables, const std::string& client_id, auth::ShowAddress show);
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;
  [[nodiscard]] client::Authorizer& authorizer() { return authorizer_; }

 private:
  transport::HttpClient http_;
  auth::NetworkFetch fetch_;
  std::unique_ptr<auth::Store> store_;
  auth::LoopbackRedirector redirector_;
  auth::CodeGrant grant_;
  auth::Authorization authorization_;
  client::OAuthAuthorizer authorizer_;
};

}  // namespace squall::cli
