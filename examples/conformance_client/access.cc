#include "access.h"

#include <utility>

namespace conformance {

using namespace squall;
using namespace squall::auth;

namespace {

std::string text(const json::Value& context, std::string_view name) {
  return std::string(context.find_string(name).value_or(""));
}

Account account_of(const json::Value& context) {
  Account account;
  account.id = text(context, "client_id");
  account.secret = Secret(text(context, "client_secret"));
  const Secret pem(text(context, "private_key_pem"));
  if (!pem.empty()) account.key = SigningKey::from_pem(pem).value_or(nullptr);
  return account;
}

/// A source that has one text from the beginning.
std::function<Result<Secret>()> constant(const json::Value& context, std::string_view name) {
  return [secret = Secret(text(context, name))]() -> Result<Secret> { return secret; };
}

}  // namespace

Access::Access(runtime::Loop& loop, const std::string& scenario, const json::Value& context,
               const std::string& server_url)
    : loop_(loop),
      http_(loop),
      fetch_(http_),
      redirector_(fetch_),
      grant_(make_grant(scenario, context)),
      authorization_(std::make_unique<Authorization>(loop, fetch_, store_, *grant_, server_url)) {}

std::unique_ptr<Grant> Access::make_grant(const std::string& scenario, const json::Value& context) {
  const KnownAccount known{text(context, "issuer"), account_of(context)};
  if (scenario.starts_with("auth/client-credentials-")) {
    return std::make_unique<ClientCredentialsGrant>(loop_, fetch_, known);
  }
  if (scenario == "auth/wif-jwt-bearer") {
    workload_ = std::make_unique<WorkloadIdentity>(constant(context, "valid_jwt"));
    return std::make_unique<AssertionGrant>(loop_, fetch_, known, *workload_);
  }
  if (scenario == "auth/enterprise-managed-authorization") {
    IdentityProvider provider;
    provider.issuer = text(context, "idp_issuer");
    provider.token_endpoint = text(context, "idp_token_endpoint");
    provider.account.id = text(context, "idp_client_id");
    identity_ = std::make_unique<IdentityAssertion>(loop_, fetch_, provider,
                                                    constant(context, "idp_id_token"));
    return std::make_unique<AssertionGrant>(loop_, fetch_, known, *identity_);
  }
  return std::make_unique<CodeGrant>(loop_, fetch_, store_, redirector_,
                                     code_options(scenario, context));
}

CodeGrantOptions Access::code_options(const std::string& scenario, const json::Value& context) {
  CodeGrantOptions options;
  options.client_name = "Squall conformance client";
  // The suite looks at a registration where it can, so the document is shown where it is asked for.
  if (scenario == "auth/basic-cimd") {
    options.metadata_document = "https://conformance-test.local/client-metadata.json";
  }
  if (context.contains("client_id")) {
    options.accounts.push_back({text(context, "issuer"), account_of(context)});
  }
  return options;
}

}  // namespace conformance
