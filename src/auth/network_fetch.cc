#include "squall/auth/network_fetch.h"

#include <algorithm>
#include <utility>

#include "squall/auth/metadata.h"
#include "squall/runtime/one_shot.h"
#include "squall/transport/http_client.h"

namespace squall::auth {

namespace {

/// One request under way. Destroying it ends its connection.
class Exchange final : public transport::HttpClientHandler {
 public:
  Exchange(runtime::Loop& loop, const transport::Url& url, std::chrono::milliseconds patience)
      : loop_(loop),
        authority_(url.authority()),
        answer_(loop),
        connection_(loop, url, limits()),
        timer_(loop.call_after(patience, [this] {
          timer_ = runtime::TimerId::none;
          give_up(ErrorKind::timeout, "did not answer in time");
        })) {}
  ~Exchange() {
    if (timer_ != runtime::TimerId::none) loop_.cancel(timer_);
  }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  runtime::OneShot<Result<FetchResponse>>& start(transport::HttpClientRequest request) {
    connection_.request(std::move(request), *this);
    return answer_;
  }

  void on_response(const transport::HttpClientResponse& response) override {
    response_.status = response.status;
    response_.headers = response.headers;
  }
  void on_body(std::string_view bytes) override {
    // The connection bounds bodies, but not those that call themselves event streams.
    if (response_.body.size() + bytes.size() > kDocumentBytesMax) {
      give_up(ErrorKind::limit, "answered with too large a document");
      return;
    }
    response_.body += bytes;
  }
  void on_done() override { answer_.set(std::move(response_)); }
  void on_failed(const Error& error, bool) override {
    answer_.set(fail(error.kind, authority_ + ": " + error.message));
  }

 private:
  static transport::HttpClientLimits limits() {
    transport::HttpClientLimits limits;
    limits.body_bytes_max = kDocumentBytesMax;
    return limits;
  }
  void give_up(ErrorKind kind, const char* what) {
    connection_.cancel();
    answer_.set(fail(kind, authority_ + " " + what));
  }

  runtime::Loop& loop_;
  std::string authority_;
  FetchResponse response_;
  runtime::OneShot<Result<FetchResponse>> answer_;
  transport::HttpClientConnection connection_;
  runtime::TimerId timer_;
};

}  // namespace

Task<Result<FetchResponse>> NetworkFetch::fetch(FetchRequest request) {
  const Result<transport::Url> url = transport::Url::parse(request.url);
  if (!url) co_return std::unexpected(url.error());
  Exchange exchange(loop_, *url, patience_);
  transport::HttpClientRequest sent;
  sent.method = std::move(request.method);
  sent.target = url->target;
  sent.headers = std::move(request.headers);
  sent.headers.emplace_back("User-Agent", "squall");
  sent.body = std::move(request.body);
  Result<FetchResponse> response = co_await exchange.start(std::move(sent));
  co_return response;
}

}  // namespace squall::auth
