#include "http_dialer.h"

#include <algorithm>
#include <utility>

namespace squall::transport {

namespace {

constexpr std::size_t kReplyBytesMax = 16 << 10;
constexpr std::size_t kReplyHeadersMax = 64;

}  // namespace

void HttpDialer::dial(Handler handler) {
  handler_ = std::move(handler);
  const Url& first = route_.proxy ? route_.proxy->address : origin_;
  loop_.connect(first.host, first.port, step_timeout_,
                [this, alive = std::weak_ptr(alive_)](auto stream) {
                  if (alive.expired()) return;
                  if (!stream) return fail_with(stream.error().kind, stream.error().message);
                  on_connected(*std::move(stream));
                });
}

void HttpDialer::on_connected(std::unique_ptr<runtime::ByteStream> stream) {
  dialed_.stream = std::move(stream);
  const bool needs_tls =
      origin_.scheme == "https" || (route_.proxy && route_.proxy->address.scheme == "https");
  if (needs_tls && route_.tls == nullptr) {
    return fail_with(ErrorKind::unavailable, "TLS was not prepared for");
  }
  if (route_.proxy && route_.proxy->address.scheme == "https") wrap(route_.proxy->address.host);
  if (origin_.scheme != "https") return finish();
  if (route_.proxy) return ask_for_tunnel();
  wrap(origin_.host);
  finish();
}

void HttpDialer::wrap(const std::string& host) {
  auto tls =
      make_tls_client_stream(loop_, std::move(dialed_.stream), route_.tls, host, step_timeout_);
  dialed_.tls = tls.get();
  dialed_.stream = std::move(tls);
}

void HttpDialer::ask_for_tunnel() {
  std::string request = "CONNECT " + origin_.authority() + " HTTP/1.1\r\n";
  append_header(request, "Host", origin_.authority());
  if (!route_.proxy->authorization.empty()) {
    append_header(request, "Proxy-Authorization", route_.proxy->authorization);
  }
  request += "\r\n";
  timer_ = loop_.call_after(step_timeout_, [this] {
    timer_ = runtime::TimerId::none;
    fail_with(ErrorKind::timeout, "the proxy took too long to open a tunnel");
  });
  dialed_.stream->start(*this);
  dialed_.stream->send(request);
}

void HttpDialer::on_bytes(std::string_view bytes) {
  reply_ += bytes.substr(0, kReplyBytesMax + 1 - std::min(kReplyBytesMax + 1, reply_.size()));
  read_tunnel_reply();
}

void HttpDialer::read_tunnel_reply() {
  const HeadScanner::State state = scanner_.scan(reply_);
  if (state == HeadScanner::State::bad) {
    return fail_with(ErrorKind::invalid, "the proxy does not speak HTTP");
  }
  if (state == HeadScanner::State::more) {
    if (reply_.size() > kReplyBytesMax) {
      fail_with(ErrorKind::limit, "the proxy's reply is too large");
    }
    return;
  }
  HttpResponseParser parser({kReplyBytesMax, kReplyHeadersMax, 0});
  HttpClientResponse response;
  const std::string_view head = std::string_view(reply_).substr(0, scanner_.size());
  if (parser.read_head(head, true, response)) {
    return fail_with(ErrorKind::invalid, "the proxy does not speak HTTP");
  }
  if (response.status < 200 && response.status != 101) {
    reply_.erase(0, head.size());
    scanner_ = {};
    return reply_.empty() ? void() : read_tunnel_reply();
  }
  if (response.status < 200 || response.status > 299) {
    return fail_with(ErrorKind::unavailable,
                     "the proxy refused a tunnel: " + std::to_string(response.status) + " " +
                         std::string(reason_phrase(response.status)));
  }
  // The origin waits for us to speak first.
  if (reply_.size() > head.size()) {
    return fail_with(ErrorKind::invalid, "the proxy sent what nobody asked for");
  }
  loop_.cancel(std::exchange(timer_, runtime::TimerId::none));
  wrap(origin_.host);
  finish();
}

void HttpDialer::on_end(runtime::End) {
  const bool failed = dialed_.tls != nullptr && !dialed_.tls->failure().empty();
  fail_with(ErrorKind::unavailable,
            failed ? "the proxy: " + dialed_.tls->failure() : "the proxy ended the connection");
}

void HttpDialer::finish() {
  Handler handler = std::move(handler_);
  handler(std::move(dialed_));
}

void HttpDialer::fail_with(ErrorKind kind, std::string message) {
  Handler handler = std::move(handler_);
  dialed_ = {};
  handler(fail(kind, std::move(message)));
}

}  // namespace squall::transport
