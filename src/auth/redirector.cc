#include "squall/auth/redirector.h"

#include <utility>

#include "squall/auth/address.h"
#include "squall/auth/form.h"

namespace squall::auth {

namespace {

constexpr int kHopsMax = 10;

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/// A redirect's target, made absolute against the URL that sent it.
Result<std::string> target_of(const FetchResponse& response, const std::string& from) {
  const std::string* location = find_header(response.headers, "Location");
  if (location == nullptr || location->empty()) {
    return fail(ErrorKind::invalid, "the authorization server redirects to nowhere");
  }
  if (!location->starts_with('/')) return *location;
  SQUALL_TRY(const std::string origin, origin_of(from));
  return origin + *location;
}

}  // namespace

Result<std::string> HeadlessRedirector::open(const std::string&) { return uri_; }

Task<Result<std::string>> HeadlessRedirector::visit(const std::string& url, const Secret& state) {
  std::string next = url;
  for (int hop = 0; hop < kHopsMax; ++hop) {
    FetchRequest request("GET", next);
    const Result<FetchResponse> response = co_await fetch_.fetch(std::move(request));
    if (!response) co_return std::unexpected(response.error());
    if (!is_redirect(response->status)) {
      co_return fail(ErrorKind::invalid, "the authorization server answered with status " +
                                             std::to_string(response->status) +
                                             " where a redirect was due");
    }
    auto target = target_of(*response, next);
    if (!target) co_return target;
    if (target->starts_with(uri_ + "?")) {
      if (answers(*target, state)) co_return target;
      co_return fail(ErrorKind::invalid,
                     "the answer of the authorization server has a wrong state");
    }
    const auto sound = check_url(*target, reach_of(url), "the authorization server's redirect");
    if (!sound) co_return std::unexpected(sound.error());
    next = *std::move(target);
  }
  co_return fail(ErrorKind::limit, "the authorization server redirects without end");
}

bool answers(std::string_view url, const Secret& state) {
  const std::size_t mark = url.find('?');
  if (mark == std::string_view::npos) return false;
  const auto parameters = parse_query(url.substr(mark + 1));
  const std::string* given = parameters ? find(*parameters, "state") : nullptr;
  return given != nullptr && state.equals(*given);
}

}  // namespace squall::auth
