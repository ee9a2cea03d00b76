#include "squall/auth/authorization.h"

#include <algorithm>
#include <utility>

#include "squall/runtime/turnstile.h"

#include "discovery.h"

namespace squall::auth {

namespace {

/// What of a server's challenges concerns us.
struct Demand {
  bool bearer = false;
  bool dpop = false;
  bool none = true;  ///< no challenge at all, of any scheme
  std::string error;
  std::string resource_metadata;
  Scopes scopes;
};

void take(std::string& into, const Challenge& challenge, std::string_view name) {
  const std::string* value = challenge.find(name);
  if (value != nullptr && into.empty()) into = *value;
}

Demand read_demand(const Headers& response) {
  Demand demand;
  std::string scope;
  for (std::size_t i = 0; i < kChallengesMax; ++i) {
    const std::string* header = find_header(response, "WWW-Authenticate", i);
    if (header == nullptr) break;
    const auto challenges = parse_challenges(*header);
    if (!challenges) continue;  // what nobody can read is no challenge
    demand.none &= challenges->empty();
    for (const Challenge& challenge : *challenges) {
      const bool bearer = challenge.scheme == "bearer";
      const bool dpop = challenge.scheme == "dpop";
      if (!bearer && !dpop) continue;
      demand.bearer |= bearer;
      demand.dpop |= dpop;
      take(demand.error, challenge, "error");
      take(demand.resource_metadata, challenge, "resource_metadata");
      take(scope, challenge, "scope");
    }
  }
  demand.scopes = parse_scopes(scope);
  return demand;
}

bool includes(const Scopes& all, const Scopes& some) {
  return std::all_of(some.begin(), some.end(),
                     [&all](const std::string& scope) { return contains(all, scope); });
}

std::string header_text(const Headers& headers, std::string_view name) {
  const std::string* value = find_header(headers, name);
  return value == nullptr ? std::string() : *value;
}

}  // namespace

class Authorization::Impl {
 public:
  Impl(runtime::Loop& loop, Fetch& fetch, Store& store, Grant& grant, std::string server_url,
       AuthorizationOptions options)
      : loop_(loop),
        store_(store),
        grant_(grant),
        resource_(canonical_resource(server_url).value_or(server_url)),
        origin_(origin_of(server_url).value_or("")),
        options_(options),
        discovery_(fetch, std::move(server_url)),
        turnstile_(loop) {}

  Task<Result<Headers>> headers(const std::string& method, const std::string& url);
  Task<Result<bool>> denied(const Denial& denial);
  void note(const std::string& url, const Headers& response) {
    if (dpop_ != nullptr && is_ours(url)) dpop_->learn(url, response);
  }

 private:
  /// What a flow is about, once discovery has found it out.
  struct Plan {
    Terms terms;
    bool same_issuer = false;  ///< the one that gave the token we have
  };

  [[nodiscard]] bool is_ours(const std::string& url) const;
  Result<void> load();
  [[nodiscard]] bool is_expiring() const;
  [[nodiscard]] bool is_expired() const;
  Task<Result<void>> renew_before_use();
  [[nodiscard]] Headers current_headers(const std::string& method, const std::string& url) const;
  [[nodiscard]] std::string authorization() const;

  Task<Result<bool>> step_up(const Demand& demand);
  Task<Result<bool>> authorize(const Demand& demand, const Scopes& wanted, bool may_renew);
  Task<Result<Plan>> make_plan(const Demand& demand, const Scopes& wanted);
  [[nodiscard]] std::string choose_issuer(const std::optional<ResourceMetadata>& resource) const;
  Result<void> use_dpop(Terms& terms, bool must, bool may);
  Result<void> begin_flow();
  Result<void> adopt(const Terms& terms, const Token& token, bool renewed);
  Result<void> drop();

  runtime::Loop& loop_;
  Store& store_;
  Grant& grant_;
  std::string resource_;  // the server's URL in one spelling; what its token is stored under
  std::string origin_;
  AuthorizationOptions options_;
  Discovery discovery_;
  runtime::Turnstile turnstile_;
  bool loaded_ = false;
  std::optional<StoredToken> token_;
  bool renewed_ = false;        ///< the token came from a refresh token
  std::unique_ptr<Dpop> dpop_;  ///< made when first needed; kept, as tokens are bound to its key
  std::deque<runtime::TimePoint> flows_;
};

bool Authorization::Impl::is_ours(const std::string& url) const {
  const auto origin = origin_of(url);
  return origin && *origin == origin_;
}

Result<void> Authorization::Impl::load() {
  if (loaded_) return {};
  SQUALL_TRY(token_, store_.token(resource_));
  if (token_ && !token_->dpop_key.empty()) {
    SQUALL_TRY(auto key, SigningKey::from_pem(token_->dpop_key));
    dpop_ = std::make_unique<Dpop>(std::move(key));
  }
  if (token_ && token_->token.dpop && dpop_ == nullptr) token_.reset();  // its key is lost
  loaded_ = true;
  return {};
}

bool Authorization::Impl::is_expiring() const {
  return token_ && token_->token.expires &&
         *token_->token.expires - options_.expiry_skew <= loop_.wall_time();
}

bool Authorization::Impl::is_expired() const {
  return token_ && token_->token.expires && *token_->token.expires <= loop_.wall_time();
}

std::string Authorization::Impl::authorization() const {
  if (!token_) return "";
  return (token_->token.dpop ? "DPoP " : "Bearer ") + token_->token.access_token.reveal();
}

Headers Authorization::Impl::current_headers(const std::string& method,
                                             const std::string& url) const {
  Headers headers;
  if (!token_) return headers;
  headers.emplace_back("Authorization", authorization());
  if (token_->token.dpop) {
    headers.emplace_back("DPoP",
                         dpop_->proof(method, url, token_->token.access_token, loop_.wall_time()));
  }
  return headers;
}

Task<Result<Headers>> Authorization::Impl::headers(const std::string& method,
                                                   const std::string& url) {
  if (!is_ours(url)) co_return Headers();
  const runtime::Turnstile::Pass pass = co_await turnstile_.enter();
  const Result<void> loaded = load();
  if (!loaded) co_return std::unexpected(loaded.error());
  if (is_expiring()) {
    const Result<void> renewed = co_await renew_before_use();
    if (!renewed) co_return std::unexpected(renewed.error());
  }
  co_return current_headers(method, url);
}

Task<Result<void>> Authorization::Impl::renew_before_use() {
  const bool assume = origin_ == token_->issuer;
  Result<ServerMetadata> server = co_await discovery_.find_server(token_->issuer, assume);
  Refusal why;
  if (server) {
    Terms terms;
    terms.server = *std::move(server);
    terms.resource = token_->resource;
    terms.scopes = token_->requested;
    if (token_->token.dpop) terms.dpop = dpop_.get();
    const Token old = token_->token;
    const TokenResult token = co_await grant_.renew(terms, old);
    if (token) co_return adopt(terms, *token, true);
    why = token.error();
  } else {
    why.error = server.error();
  }
  // A refusal says that the token's time is over: the server will ask for a new one. Otherwise the
  // old one serves while it lasts.
  if (!why.code.empty()) co_return drop();
  if (is_expired()) co_return std::unexpected(why.error);
  co_return Result<void>();
}

Task<Result<bool>> Authorization::Impl::denied(const Denial& denial) {
  if ((denial.status != 401 && denial.status != 403) || !is_ours(denial.url)) co_return false;
  const runtime::Turnstile::Pass pass = co_await turnstile_.enter();
  const Result<void> loaded = load();
  if (!loaded) co_return std::unexpected(loaded.error());
  const Demand demand = read_demand(denial.response);
  const bool ours = demand.bearer || demand.dpop || (demand.none && denial.status == 401);
  if (!ours || denial.attempt >= kAttemptsMax) co_return false;
  // Somebody else's flow has brought another token since this request left.
  if (token_ && authorization() != header_text(denial.sent, "Authorization")) co_return true;

  if (dpop_ != nullptr) dpop_->learn(denial.url, denial.response);
  if (demand.error == "use_dpop_nonce" && token_) {
    co_return find_header(denial.response, "DPoP-Nonce") != nullptr;
  }
  if (denial.status == 403) {
    Result<bool> stepped = co_await step_up(demand);
    co_return stepped;
  }
  if (token_ && denial.attempt > 0 && !renewed_) {
    const Result<void> dropped = drop();
    if (!dropped) co_return std::unexpected(dropped.error());
    co_return fail(ErrorKind::invalid, "the server refuses the token that was made for it");
  }
  const bool may_renew = denial.attempt == 0;
  Result<bool> authorized = co_await authorize(demand, demand.scopes, may_renew);
  co_return authorized;
}

Task<Result<bool>> Authorization::Impl::step_up(const Demand& demand) {
  if (!token_ || demand.error != "insufficient_scope" || demand.scopes.empty()) co_return false;
  // What was asked for once and isn't enough doesn't become enough by asking again.
  if (includes(token_->requested, demand.scopes)) co_return false;
  Result<bool> authorized = co_await authorize(demand, demand.scopes, false);
  co_return authorized;
}

Task<Result<bool>> Authorization::Impl::authorize(const Demand& demand, const Scopes& wanted,
                                                  bool may_renew) {
  const Result<void> begun = begin_flow();
  if (!begun) co_return std::unexpected(begun.error());
  const Result<Plan> plan = co_await make_plan(demand, wanted);
  if (!plan) co_return std::unexpected(plan.error());
  const Terms& terms = plan->terms;
  const bool renewable = may_renew && plan->same_issuer && token_->resource == terms.resource &&
                         !token_->token.refresh_token.empty() &&
                         token_->token.dpop == (terms.dpop != nullptr) &&
                         includes(token_->requested, terms.scopes);
  if (renewable) {
    const Token old = token_->token;
    const TokenResult token = co_await grant_.renew(terms, old);
    if (token || token.error().code.empty()) {
      const Result<void> done =
          token ? adopt(terms, *token, true) : Result<void>(std::unexpected(token.error().error));
      if (!done) co_return std::unexpected(done.error());
      co_return true;
    }
  }
  const TokenResult token = co_await grant_.obtain(terms);
  if (!token) co_return std::unexpected(token.error().error);
  const Result<void> adopted = adopt(terms, *token, false);
  if (!adopted) co_return std::unexpected(adopted.error());
  co_return true;
}

std::string Authorization::Impl::choose_issuer(
    const std::optional<ResourceMetadata>& resource) const {
  if (!resource) return origin_;
  const auto& issuers = resource->authorization_servers;
  const auto known = std::find_if(issuers.begin(), issuers.end(),
                                  [this](const std::string& one) { return grant_.knows(one); });
  return known == issuers.end() ? issuers.front() : *known;
}

Task<Result<Authorization::Impl::Plan>> Authorization::Impl::make_plan(const Demand& demand,
                                                                       const Scopes& wanted) {
  const auto resource = co_await discovery_.find_resource(demand.resource_metadata);
  if (!resource) co_return std::unexpected(resource.error());
  const std::string issuer = choose_issuer(*resource);
  Result<ServerMetadata> server = co_await discovery_.find_server(issuer, !*resource);
  if (!server) co_return std::unexpected(server.error());

  Plan plan;
  plan.same_issuer = token_ && token_->issuer == issuer;
  Terms& terms = plan.terms;
  terms.server = *std::move(server);
  terms.resource = *resource ? (*resource)->resource : resource_;
  // What was granted before is asked for again, or the new token would lose it.
  if (plan.same_issuer) terms.scopes = token_->requested;
  if (!wanted.empty()) {
    terms.scopes = merge_scopes(std::move(terms.scopes), wanted);
  } else if (*resource) {
    terms.scopes = merge_scopes(std::move(terms.scopes), (*resource)->scopes_supported);
  }
  const bool offline = grant_.wants_refresh() && !terms.scopes.empty() &&
                       contains(terms.server.scopes_supported, "offline_access");
  if (offline) terms.scopes = merge_scopes(std::move(terms.scopes), Scopes(1, "offline_access"));
  const bool must = (demand.dpop && !demand.bearer) || (*resource && (*resource)->dpop_required);
  const Result<void> bound = use_dpop(terms, must, demand.dpop || options_.prefer_dpop);
  if (!bound) co_return std::unexpected(bound.error());
  co_return plan;
}

Result<void> Authorization::Impl::use_dpop(Terms& terms, bool must, bool may) {
  const auto& algorithms = terms.server.dpop_algorithms;
  const bool can = std::find(algorithms.begin(), algorithms.end(), "ES256") != algorithms.end();
  if (must && !can && !algorithms.empty()) {
    return fail(ErrorKind::invalid, "the authorization server takes no proof signed by ES256");
  }
  if (!must && !(may && can)) return {};
  if (dpop_ == nullptr) dpop_ = std::make_unique<Dpop>();
  terms.dpop = dpop_.get();
  return {};
}

Result<void> Authorization::Impl::begin_flow() {
  const runtime::TimePoint now = loop_.now();
  while (!flows_.empty() && now - flows_.front() >= kFlowsWindow) flows_.pop_front();
  if (flows_.size() == kFlowsMax) {
    return fail(ErrorKind::limit, "the server has asked for a new token too often");
  }
  flows_.push_back(now);
  return {};
}

Result<void> Authorization::Impl::adopt(const Terms& terms, const Token& token, bool renewed) {
  StoredToken stored;
  stored.token = token;
  stored.issuer = terms.server.issuer;
  stored.resource = terms.resource;
  stored.requested = terms.scopes;
  if (token.dpop) stored.dpop_key = dpop_->key().pem();
  token_ = std::move(stored);
  renewed_ = renewed;
  return store_.keep_token(resource_, token_);
}

Result<void> Authorization::Impl::drop() {
  token_.reset();
  return store_.keep_token(resource_, std::nullopt);
}

Authorization::Authorization(runtime::Loop& loop, Fetch& fetch, Store& store, Grant& grant,
                             std::string server_url, AuthorizationOptions options)
    : impl_(std::make_unique<Impl>(loop, fetch, store, grant, std::move(server_url), options)) {}

Authorization::~Authorization() = default;

Task<Result<Headers>> Authorization::headers(const std::string& method, const std::string& url) {
  return impl_->headers(method, url);
}

Task<Result<bool>> Authorization::denied(const Denial& denial) { return impl_->denied(denial); }

void Authorization::note(const std::string& url, const Headers& response) {
  impl_->note(url, response);
}

}  // namespace squall::auth
