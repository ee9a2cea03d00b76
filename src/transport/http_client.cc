#include "squall/transport/http_client.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "squall/base/assert.h"
#include "squall/base/text.h"

#include "http_dialer.h"
#include "http_parser.h"
#include "http_text.h"
#include "lifetime.h"

namespace squall::transport {

namespace {

constexpr std::size_t kHeadersMax = 256;
/// Responses like "103 Early Hints" that may come before the one that counts.
constexpr std::size_t kInterimMax = 16;

bool is_target(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code > 0x20 && code != 0x7F;
  });
}

/// RFC 9110 section 9.2.2: sending one of these twice does what sending it once does.
bool is_idempotent(std::string_view method) {
  constexpr std::array<std::string_view, 6> kIdempotent = {"GET", "HEAD",   "OPTIONS",
                                                           "PUT", "DELETE", "TRACE"};
  return std::find(kIdempotent.begin(), kIdempotent.end(), method) != kIdempotent.end();
}

std::string to_text(const HttpClientRequest& request, const Url& origin, const Proxy* relay) {
  std::string out = request.method + " ";
  if (relay != nullptr) out += origin.origin();
  out += request.target;
  out += " HTTP/1.1\r\n";
  out.reserve(out.size() + request.body.size() + 512);
  bool has_host = false;
  for (const auto& [name, value] : request.headers) {
    has_host = has_host || base::equals_ignoring_case(name, "host");
  }
  if (!has_host) append_header(out, "Host", origin.host_and_port());
  if (relay != nullptr && !relay->authorization.empty()) {
    append_header(out, "Proxy-Authorization", relay->authorization);
  }
  for (const auto& [name, value] : request.headers) {
    if (!is_framing_header(name)) append_header(out, name, value);
  }
  const bool usually_has_body =
      request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
  if (usually_has_body || !request.body.empty()) {
    out += "Content-Length: ";
    append_number(out, request.body.size());
    out += "\r\n";
  }
  out += "\r\n";
  out += request.body;
  return out;
}

bool is_event_stream(const HttpClientResponse& response) {
  constexpr std::string_view kType = "text/event-stream";
  const std::string* const type = response.header("content-type");
  if (type == nullptr) return false;
  const std::string_view essence = std::string_view(*type).substr(0, type->find(';'));
  return base::equals_ignoring_case(base::trim(essence), kType);
}

}  // namespace

const std::string* HttpClientResponse::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (base::equals_ignoring_case(key, name)) return &value;
  }
  return nullptr;
}

class HttpClientConnection::Impl final : public runtime::ByteStream::Receiver {
 public:
  Impl(runtime::Loop& loop, Url origin, HttpClientLimits limits, HttpRoute route)
      : loop_(loop),
        origin_(std::move(origin)),
        limits_(limits),
        route_(std::move(route)),
        parser_({limits.header_bytes_max, kHeadersMax, std::numeric_limits<std::uint64_t>::max()}) {
  }

  void request(const HttpClientRequest& request, HttpClientHandler& handler);
  [[nodiscard]] bool busy() const { return handler_ != nullptr; }
  void cancel();

  void on_bytes(std::string_view bytes) override;
  void on_end(runtime::End end) override;

 private:
  /// While a handler is called: whether the connection is gone, or the request no longer this one.
  class Turn {
   public:
    explicit Turn(Impl& impl) : watch_(impl.life_), impl_(impl), request_(impl.attempt_) {}
    [[nodiscard]] bool over() const { return watch_.ended() || impl_.attempt_ != request_; }

   private:
    LifetimeWatch watch_;
    Impl& impl_;
    std::shared_ptr<bool> request_;
  };

  void connect();
  void send();
  [[nodiscard]] bool may_send_again() const;
  void read(std::string_view& bytes, const Turn& turn);
  [[nodiscard]] bool read_head(std::string_view& bytes, const Turn& turn);
  [[nodiscard]] bool read_body(std::string_view& bytes, const Turn& turn);
  void finish(bool keep);
  void fail_with(ErrorKind kind, std::string message);
  void fail_later(ErrorKind kind, std::string message);
  void forget_request();
  [[nodiscard]] std::string where() const { return "HTTP from " + origin_.host_and_port() + ": "; }

  runtime::Loop& loop_;
  const Url origin_;
  const HttpClientLimits limits_;
  const HttpRoute route_;
  std::unique_ptr<HttpDialer> dialer_;  // while it is under way
  std::unique_ptr<runtime::ByteStream> stream_;
  const TlsClientStream* tls_ = nullptr;  // `stream_`, when that is one
  HttpClientHandler* handler_ = nullptr;
  std::shared_ptr<bool> attempt_;  // this request's; callbacks that come too late find it expired
  std::string out_;                // the request, until its response begins
  std::size_t out_bytes_ = 0;
  bool idempotent_ = false;
  bool bodiless_ = false;
  bool reused_ = false;  // the connection has served before, and so may be dead by now
  bool sent_ = false;

  HttpResponseParser parser_;
  HeadScanner scanner_;
  HttpClientResponse response_;
  std::string held_;
  std::size_t interim_ = 0;
  std::size_t received_ = 0;
  bool answered_ = false;  // a byte of the response has come
  bool in_body_ = false;
  bool endless_ = false;  // an event stream, whose size says nothing
  Lifetime life_;
};

void HttpClientConnection::Impl::request(const HttpClientRequest& request,
                                         HttpClientHandler& handler) {
  SQUALL_ASSERT(!busy());
  handler_ = &handler;
  attempt_ = std::make_shared<bool>();
  idempotent_ = is_idempotent(request.method);
  bodiless_ = request.method == "HEAD";
  sent_ = answered_ = in_body_ = endless_ = false;
  interim_ = received_ = 0;
  scanner_ = {};
  response_ = {};
  if (!is_token(request.method) || !is_target(request.target)) {
    fail_later(ErrorKind::invalid, "the method or target is malformed");
  } else {
    // A proxy's tunnel is as good as a connection; without one, the proxy asks for us.
    const bool relayed = route_.proxy.has_value() && origin_.scheme == "http";
    out_ = to_text(request, origin_, relayed ? &*route_.proxy : nullptr);
    out_bytes_ = out_.size();
    reused_ = stream_ != nullptr;
    if (reused_) {
      send();
    } else {
      connect();
    }
  }
}

void HttpClientConnection::Impl::cancel() {
  forget_request();
  dialer_.reset();
  stream_.reset();
}

void HttpClientConnection::Impl::connect() {
  stream_.reset();
  dialer_ = std::make_unique<HttpDialer>(loop_, origin_, route_, limits_.connect_timeout);
  dialer_->dial([this](Result<DialedStream> dialed) {
    const auto finished = std::move(dialer_);  // it called us
    if (!dialed) return fail_with(dialed.error().kind, dialed.error().message);
    stream_ = std::move(dialed->stream);
    tls_ = dialed->tls;
    stream_->start(*this);
    send();
  });
}

void HttpClientConnection::Impl::send() {
  stream_->send(out_);
  if (!idempotent_ && stream_->pending() < out_bytes_) out_ = {};
}

/// Only where the server can't have begun on it, or where twice is as good as once.
bool HttpClientConnection::Impl::may_send_again() const {
  const bool untouched = !sent_ && stream_->pending() >= out_bytes_;
  return reused_ && !answered_ && !out_.empty() && (idempotent_ || untouched);
}

void HttpClientConnection::Impl::on_bytes(std::string_view bytes) {
  if (!busy()) {
    stream_.reset();  // nobody asked
    return;
  }
  answered_ = true;
  out_ = {};
  const Turn turn(*this);
  if (held_.empty()) {
    read(bytes, turn);
    if (!turn.over()) held_.assign(bytes);
    return;
  }
  std::string all = std::exchange(held_, {});
  all += bytes;
  std::string_view rest = all;
  read(rest, turn);
  if (turn.over()) return;
  if (rest.size() == all.size()) {
    held_ = std::move(all);
  } else {
    held_.assign(rest);
  }
}

void HttpClientConnection::Impl::read(std::string_view& bytes, const Turn& turn) {
  while (in_body_ ? read_body(bytes, turn) : read_head(bytes, turn)) {
  }
}

/// Whether there is more to read.
bool HttpClientConnection::Impl::read_head(std::string_view& bytes, const Turn& turn) {
  const std::size_t max = limits_.header_bytes_max;
  const auto state = scanner_.scan(bytes.substr(0, max));
  if (state == HeadScanner::State::more) {
    if (bytes.size() >= max) fail_with(ErrorKind::limit, "the response's header is too large");
    return false;
  }
  if (state == HeadScanner::State::bad) {
    fail_with(ErrorKind::invalid, "this is no HTTP response");
    return false;
  }
  response_ = {};
  const std::string_view head = bytes.substr(0, scanner_.size());
  if (const auto refusal = parser_.read_head(head, bodiless_, response_)) {
    fail_with(refusal->status == 431 ? ErrorKind::limit : ErrorKind::invalid,
              std::string(refusal->reason));
    return false;
  }
  bytes.remove_prefix(head.size());
  scanner_ = {};
  if (response_.status < 200) {
    if (response_.status == 101 || ++interim_ > kInterimMax) {
      fail_with(ErrorKind::invalid, "the server sent interim responses that make no sense");
      return false;
    }
    return !bytes.empty();
  }
  in_body_ = true;
  endless_ = is_event_stream(response_);
  handler_->on_response(response_);
  if (turn.over()) return false;
  if (!parser_.has_body()) {
    finish(parser_.keep_alive() && bytes.empty());
    return false;
  }
  return !bytes.empty();
}

bool HttpClientConnection::Impl::read_body(std::string_view& bytes, const Turn& turn) {
  const HttpBodyStep step = parser_.read_body(bytes);
  if (step.refusal) {
    fail_with(ErrorKind::invalid, std::string(step.refusal->reason));
    return false;
  }
  bytes.remove_prefix(step.used);
  received_ += step.piece.size();
  if (received_ > limits_.body_bytes_max && !endless_) {
    fail_with(ErrorKind::limit, "the response's body is too large");
    return false;
  }
  if (!step.piece.empty()) handler_->on_body(step.piece);
  if (turn.over()) return false;
  if (step.done) finish(parser_.keep_alive() && bytes.empty());
  return !step.done && !step.starved && !bytes.empty();
}

void HttpClientConnection::Impl::on_end(runtime::End end) {
  if (!busy()) {
    stream_.reset();
  } else if (in_body_ && end == runtime::End::finished && parser_.ends_with_connection()) {
    finish(false);
  } else if (may_send_again()) {
    sent_ = sent_ || stream_->pending() < out_bytes_;
    reused_ = false;
    connect();
  } else if (tls_ != nullptr && !tls_->failure().empty()) {
    fail_with(ErrorKind::unavailable, tls_->failure());
  } else {
    fail_with(ErrorKind::unavailable, answered_ ? "the connection ended inside the response"
                                                : "the connection ended before the response");
  }
}

void HttpClientConnection::Impl::finish(bool keep) {
  HttpClientHandler& handler = *handler_;
  if (!keep || stream_->pending() > 0) stream_.reset();
  forget_request();
  handler.on_done();
}

void HttpClientConnection::Impl::fail_with(ErrorKind kind, std::string message) {
  HttpClientHandler& handler = *handler_;
  const bool sent = sent_ || answered_ || (stream_ && stream_->pending() < out_bytes_);
  stream_.reset();
  const Error error{kind, where() + message};
  forget_request();
  handler.on_failed(error, sent);
}

void HttpClientConnection::Impl::fail_later(ErrorKind kind, std::string message) {
  stream_.reset();
  loop_.post([this, alive = std::weak_ptr(attempt_), kind, message = std::move(message)] {
    if (!alive.expired()) fail_with(kind, message);
  });
}

void HttpClientConnection::Impl::forget_request() {
  handler_ = nullptr;
  attempt_.reset();
  out_ = {};
  held_ = {};
}

HttpClientConnection::HttpClientConnection(runtime::Loop& loop, Url origin, HttpClientLimits limits,
                                           HttpRoute route)
    : impl_(std::make_unique<Impl>(loop, std::move(origin), limits, std::move(route))) {}
HttpClientConnection::~HttpClientConnection() = default;
void HttpClientConnection::request(const HttpClientRequest& request, HttpClientHandler& handler) {
  impl_->request(request, handler);
}
bool HttpClientConnection::busy() const { return impl_->busy(); }
void HttpClientConnection::cancel() { impl_->cancel(); }

}  // namespace squall::transport
