#include "squall/auth/network_fetch.h"

#include <utility>

#include "squall/auth/metadata.h"

namespace squall::auth {

Task<Result<FetchResponse>> NetworkFetch::fetch(FetchRequest request) {
  const Result<transport::Url> url = transport::Url::parse(request.url);
  if (!url) co_return std::unexpected(url.error());
  transport::HttpFetch sent(std::move(request.method), *url);
  sent.headers = std::move(request.headers);
  sent.headers.emplace_back("User-Agent", "squall");
  sent.body = std::move(request.body);
  sent.body_bytes_max = kDocumentBytesMax;
  sent.timeout = patience_;
  sent.follow_redirects = false;
  Result<transport::HttpResponse> response = co_await client_.fetch(std::move(sent));
  if (!response) co_return std::unexpected(response.error());
  FetchResponse whole;
  whole.status = response->status;
  whole.headers = std::move(response->headers);
  whole.body = std::move(response->body);
  co_return whole;
}

}  // namespace squall::auth
