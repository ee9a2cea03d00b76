#include "discovery.h"

#include <utility>

#include "squall/base/text.h"

namespace squall::auth {

namespace {

/// Servers that answer every path with a page have no document there.
bool is_page(const FetchResponse& response) {
  const std::string* type = find_header(response.headers, "Content-Type");
  return type != nullptr && base::to_lower(*type).starts_with("text/html");
}

}  // namespace

Task<Result<std::optional<std::string>>> Discovery::get(const std::string& url) {
  using Found = std::optional<std::string>;
  FetchRequest request("GET", url);
  request.headers.emplace_back("Accept", "application/json");
  Result<FetchResponse> response = co_await fetch_.fetch(std::move(request));
  if (!response) co_return std::unexpected(response.error());
  if (response->status == 200 && !is_page(*response)) co_return Found(std::move(response->body));
  if (response->status >= 500) {
    co_return fail(ErrorKind::unavailable,
                   url + " answered with status " + std::to_string(response->status));
  }
  co_return Found();
}

Task<Result<std::optional<ResourceMetadata>>> Discovery::find_resource(const std::string& named) {
  using Found = std::optional<ResourceMetadata>;
  Result<std::vector<std::string>> urls = resource_metadata_urls(server_url_);
  if (!urls) co_return std::unexpected(urls.error());
  if (!named.empty()) {
    const Result<void> sound = check_url(named, reach_, "the challenge's resource_metadata");
    if (!sound) co_return std::unexpected(sound.error());
    urls->assign(1, named);
  }
  for (const std::string& url : *urls) {
    const Result<std::optional<std::string>> text = co_await get(url);
    if (!text) co_return std::unexpected(text.error());
    if (!*text) continue;
    const Result<ResourceMetadata> metadata = parse_resource_metadata(**text, server_url_);
    if (!metadata) {
      co_return fail(metadata.error().kind, url + ": " + metadata.error().message);
    }
    co_return Found(*metadata);
  }
  if (!named.empty()) {
    co_return fail(ErrorKind::not_found,
                   "there is no metadata at " + named + ", where the server's challenge leads to");
  }
  co_return Found();
}

Task<Result<ServerMetadata>> Discovery::find_server(const std::string& issuer, bool assume) {
  const Result<std::vector<std::string>> urls = server_metadata_urls(issuer);
  if (!urls) co_return std::unexpected(urls.error());
  for (const std::string& url : *urls) {
    const Result<std::optional<std::string>> text = co_await get(url);
    if (!text) co_return std::unexpected(text.error());
    if (!*text) continue;
    Result<ServerMetadata> metadata = parse_server_metadata(**text, issuer, reach_);
    if (!metadata) {
      co_return fail(metadata.error().kind, url + ": " + metadata.error().message);
    }
    co_return metadata;
  }
  if (assume) co_return assumed_metadata(issuer);
  co_return fail(ErrorKind::not_found,
                 "the authorization server " + issuer + " publishes no metadata");
}

}  // namespace squall::auth
