#include "http_parser.h"

// Beast asserts, wrongly, that a last chunk waiting for its end has five bytes already: "0\r\n" and
// then "\r" is enough to fail it. The code behind that assertion doesn't depend on it.
#define BOOST_DISABLE_ASSERTS
#include <algorithm>
#include <limits>

#include <boost/beast/http/basic_parser.hpp>

#include "squall/base/text.h"

#include "http_target.h"
#include "http_text.h"

namespace squall::transport {

namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

/// What chunk headers may cost beside the body they carry, so that a body of tiny chunks with long
/// extensions can't cost more than a few times its size.
constexpr std::uint64_t kFramingBytesFree = 64 << 10;
constexpr std::uint64_t kFramingBytesPerBodyByte = 16;

constexpr HttpRefusal kBad{400, "the message is malformed"};
constexpr HttpRefusal kFolded{400, "a header is folded over several lines"};
constexpr HttpRefusal kHeadLarge{431, "the header is too large"};
constexpr HttpRefusal kBodyLarge{413, "the body is too large"};

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

HttpRefusal to_refusal(const beast::error_code& error) {
  if (error == http::error::header_limit) return kHeadLarge;
  if (error == http::error::body_limit) return kBodyLarge;
  if (error == http::error::bad_method) return {400, "the method is malformed"};
  if (error == http::error::bad_target) return {400, "the target is malformed"};
  if (error == http::error::bad_field) return {400, "a header's name is malformed"};
  if (error == http::error::bad_value) return {400, "a header's value is malformed"};
  if (error == http::error::bad_content_length || error == http::error::multiple_content_length) {
    return {400, "Content-Length is malformed or in conflict"};
  }
  if (error == http::error::bad_transfer_encoding) {
    return {400, "Transfer-Encoding is malformed or in conflict"};
  }
  if (error == http::error::bad_chunk || error == http::error::bad_chunk_extension) {
    return {400, "a chunk is malformed"};
  }
  return kBad;
}

/// Beast's parser with what requests and responses have in common.
template <bool isRequest>
class Sink : public http::basic_parser<isRequest> {
 public:
  explicit Sink(const HttpMessageLimits& limits) : limits_(limits) {
    // Our own scan of the head has held it to its limit already.
    this->header_limit(std::numeric_limits<std::uint32_t>::max());
    this->body_limit(limits.body_bytes_max);
  }

  std::optional<HttpRefusal> read_head(std::string_view head) {
    head_ = head;
    beast::error_code error;
    const std::size_t used = this->put({head.data(), head.size()}, error);
    head_read_ = true;
    if (refusal_) return refusal_;
    if (error) return to_refusal(error);
    return used == head.size() ? std::nullopt : std::optional(kBad);
  }

  HttpBodyStep read_body(std::string_view bytes) {
    HttpBodyStep step;
    piece_ = {};
    while (piece_.empty() && !this->is_done() && step.used < bytes.size()) {
      const std::string_view rest = bytes.substr(step.used);
      beast::error_code error;
      const std::size_t used = this->put({rest.data(), rest.size()}, error);
      step.used += used;
      framing_bytes_ += used - piece_.size();
      if (error == http::error::need_more) {
        step.starved = true;
        if (rest.size() - used > limits_.header_bytes_max) step.refusal = kHeadLarge;
        break;
      }
      if (error) step.refusal = to_refusal(error);
      if (step.refusal) break;
    }
    body_bytes_ += piece_.size();
    if (framing_bytes_ > kFramingBytesFree + kFramingBytesPerBodyByte * body_bytes_) {
      step.refusal = HttpRefusal{400, "the chunks are too small for their headers"};
    }
    step.piece = piece_;
    step.done = this->is_done();
    return step;
  }

  [[nodiscard]] bool has_body() const { return !this->is_done(); }

 protected:
  void refuse(HttpRefusal refusal, beast::error_code& error) {
    refusal_ = refusal;
    error = http::error::bad_value;
  }

  /// Whether a header is acceptable; its text is then within the head.
  bool check_field(http::field id, std::string_view name, std::string_view value,
                   beast::error_code& error) {
    if (++fields_ > limits_.headers_max) {
      refuse({431, "there are too many headers"}, error);
    } else if (is_folded(name, value)) {
      refuse(kFolded, error);
    } else if (id == http::field::content_length) {
      const bool digits =
          std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
      // Beast lets repetitions of one number pass.
      if (!digits || ++content_lengths_ > 1) refuse({400, "Content-Length is repeated"}, error);
    } else if (id == http::field::transfer_encoding) {
      if (!base::equals_ignoring_case(value, "chunked")) {
        refuse({501, "the Transfer-Encoding isn't supported"}, error);
      }
    }
    return !error;
  }

  [[nodiscard]] bool head_read() const { return head_read_; }

 private:
  // Beast joins folded lines in a buffer of its own, or leaves the line end before the value.
  [[nodiscard]] bool is_folded(std::string_view name, std::string_view value) const {
    const char* const from = name.data() + name.size();
    const char* const to = value.data();
    if (std::less<>{}(to, from) || std::less<>{}(head_.data() + head_.size(), to)) return true;
    return std::find(from, to, '\r') != to;
  }

  void on_header_impl(beast::error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, beast::error_code&) override {}
  std::size_t on_body_impl(beast::string_view body, beast::error_code&) override {
    piece_ = view(body);
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t, beast::string_view, beast::error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view body,
                                 beast::error_code&) override {
    piece_ = view(body);
    return body.size();
  }
  void on_finish_impl(beast::error_code&) override {}

  const HttpMessageLimits limits_;
  std::string_view head_;
  std::string_view piece_;
  std::optional<HttpRefusal> refusal_;
  std::size_t fields_ = 0;
  std::size_t content_lengths_ = 0;
  std::uint64_t framing_bytes_ = 0;
  std::uint64_t body_bytes_ = 0;
  bool head_read_ = false;
};

class RequestSink final : public Sink<true> {
 public:
  RequestSink(const HttpMessageLimits& limits, HttpRequest& request)
      : Sink(limits), request_(&request) {}

  std::optional<HttpRefusal> read(std::string_view head) {
    if (auto refusal = read_head(head)) {
      if (refusal->reason == kBad.reason && names_other_version(head)) {
        return HttpRefusal{505, "the HTTP version isn't supported"};
      }
      return refusal;
    }
    // RFC 9112 section 3.2.
    if (hosts_ > 1) return HttpRefusal{400, "there is more than one Host"};
    if (hosts_ == 0 && request_->version == 11) return HttpRefusal{400, "there is no Host"};
    // RFC 9112 section 6.1: HTTP/1.0 knows no transfer codings, so someone is being fooled.
    if (chunked() && request_->version == 10) {
      return HttpRefusal{400, "Transfer-Encoding with HTTP/1.0"};
    }
    request_->keep_alive = keep_alive();
    if (!split_target(*request_)) return HttpRefusal{400, "the target is malformed"};
    return std::nullopt;
  }

  [[nodiscard]] bool expects_continue() const { return expects_continue_; }

 private:
  static bool names_other_version(std::string_view head) {
    const std::string_view line = head.substr(0, head.find('\r'));
    const std::string_view word = line.substr(line.rfind(' ') + 1);
    if (word == "HTTP/1.1" || word == "HTTP/1.0") return false;
    const auto digit = [&word](std::size_t at) { return word[at] >= '0' && word[at] <= '9'; };
    return word.size() == 8 && word.starts_with("HTTP/") && digit(5) && word[6] == '.' && digit(7);
  }

  void on_request_impl(http::verb, beast::string_view method, beast::string_view target,
                       int version, beast::error_code&) override {
    request_->method = view(method);
    request_->target = view(target);
    request_->version = static_cast<unsigned>(version);
  }
  void on_response_impl(int, beast::string_view, int, beast::error_code&) override {}

  void on_field_impl(http::field id, beast::string_view name, beast::string_view value,
                     beast::error_code& error) override {
    if (head_read()) return;  // a trailer
    if (!check_field(id, view(name), view(value), error)) return;
    if (id == http::field::host) ++hosts_;
    if (id == http::field::expect) {
      if (!base::equals_ignoring_case(view(value), "100-continue")) {
        refuse({417, "the expectation isn't supported"}, error);
        return;
      }
      expects_continue_ = request_->version == 11;
    }
    request_->headers.emplace_back(view(name), view(value));
  }

  HttpRequest* request_;  // for the time of `read`
  std::size_t hosts_ = 0;
  bool expects_continue_ = false;
};

class ResponseSink final : public Sink<false> {
 public:
  ResponseSink(const HttpMessageLimits& limits, bool bodiless, HttpClientResponse& response)
      : Sink(limits), response_(&response) {
    skip(bodiless);
  }

 private:
  void on_request_impl(http::verb, beast::string_view, beast::string_view, int,
                       beast::error_code&) override {}
  void on_response_impl(int status, beast::string_view, int, beast::error_code& error) override {
    if (status < 100) refuse({400, "the status is malformed"}, error);
    response_->status = status;
  }
  void on_field_impl(http::field id, beast::string_view name, beast::string_view value,
                     beast::error_code& error) override {
    if (head_read()) return;  // a trailer
    if (!check_field(id, view(name), view(value), error)) return;
    response_->headers.emplace_back(view(name), view(value));
  }

  HttpClientResponse* response_;  // for the time of `read_head`
};

}  // namespace

struct HttpRequestParser::Impl {
  HttpMessageLimits limits;
  std::optional<RequestSink> sink;
};

HttpRequestParser::HttpRequestParser(const HttpMessageLimits& limits)
    : impl_(new Impl{limits, std::nullopt}) {}
HttpRequestParser::HttpRequestParser(HttpRequestParser&&) noexcept = default;
HttpRequestParser& HttpRequestParser::operator=(HttpRequestParser&&) noexcept = default;
HttpRequestParser::~HttpRequestParser() = default;

std::optional<HttpRefusal> HttpRequestParser::read_head(std::string_view head,
                                                        HttpRequest& request) {
  return impl_->sink.emplace(impl_->limits, request).read(head);
}
bool HttpRequestParser::has_body() const { return impl_->sink->has_body(); }
std::optional<std::uint64_t> HttpRequestParser::content_length() const {
  const auto length = impl_->sink->content_length();
  return length ? std::optional(*length) : std::nullopt;
}
bool HttpRequestParser::expects_continue() const { return impl_->sink->expects_continue(); }
HttpBodyStep HttpRequestParser::read_body(std::string_view bytes) {
  return impl_->sink->read_body(bytes);
}

struct HttpResponseParser::Impl {
  HttpMessageLimits limits;
  std::optional<ResponseSink> sink;
};

HttpResponseParser::HttpResponseParser(const HttpMessageLimits& limits)
    : impl_(new Impl{limits, std::nullopt}) {}
HttpResponseParser::HttpResponseParser(HttpResponseParser&&) noexcept = default;
HttpResponseParser& HttpResponseParser::operator=(HttpResponseParser&&) noexcept = default;
HttpResponseParser::~HttpResponseParser() = default;

std::optional<HttpRefusal> HttpResponseParser::read_head(std::string_view head, bool bodiless,
                                                         HttpClientResponse& response) {
  return impl_->sink.emplace(impl_->limits, bodiless, response).read_head(head);
}
bool HttpResponseParser::has_body() const { return impl_->sink->has_body(); }
bool HttpResponseParser::keep_alive() const { return impl_->sink->keep_alive(); }
bool HttpResponseParser::ends_with_connection() const { return impl_->sink->need_eof(); }
HttpBodyStep HttpResponseParser::read_body(std::string_view bytes) {
  return impl_->sink->read_body(bytes);
}

}  // namespace squall::transport
