#include "http_link.h"

#include <utility>

#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/mcp/names.h"
#include "squall/runtime/sleep.h"
#include "squall/transport/retry.h"

#include "back_off.h"
#include "show.h"

namespace squall::client {

namespace {

using transport::HttpClientRequest;
using transport::HttpClientResponse;
using transport::SseReader;

constexpr int kRedirectsMax = 5;
constexpr std::size_t kSessionIdBytesMax = 1'024;
/// How long a stream may stay open behind its response, so that its connection can be used again.
constexpr std::chrono::milliseconds kGrace{1'000};
constexpr std::chrono::milliseconds kGoodbyeTimeout{2'000};
/// Answers and notifications of ours on their way at once.
constexpr std::size_t kAnswersMax = 256;
/// Attempts in a row to resume a stream that say nothing new.
constexpr unsigned kResumesMax = 8;
/// Attempts in a row to open the GET stream that fail.
constexpr unsigned kListensMax = 10;
/// A GET stream that lived that long was a good one.
constexpr std::chrono::seconds kGoodStream{10};

bool is_session_id(std::string_view text) {
  if (text.empty() || text.size() > kSessionIdBytesMax) return false;
  for (const char c : text) {
    if (c < 0x21 || c > 0x7E) return false;
  }
  return true;
}

bool is_success(int status) { return status >= 200 && status < 300; }

HttpFetch::End unsent() {
  HttpFetch::End end;
  end.sent = false;
  return end;
}

/// What the body of a refusal says, when it is a JSON-RPC error.
struct Refusal {
  bool is_error = false;
  bool names_request = false;
};
Refusal read_refusal(const std::string& body, std::uint64_t key) {
  Refusal out;
  json::Document document;
  if (!document.parse_borrowed(body)) return out;
  const json::Value* const error = document.root().find("error");
  const json::Value* const code = error != nullptr ? error->find("code") : nullptr;
  out.is_error = code != nullptr && code->is_integer();
  const json::Value* const id = document.root().find("id");
  out.names_request = out.is_error && id != nullptr && id->as_uint64() == key;
  return out;
}

}  // namespace

/// One message on its way, and the reply to it.
class HttpLink::Lane final : public HttpFetch::Sink {
 public:
  Lane(HttpLink& link, const Outgoing& message)
      : key(message.key), ticket(message.ticket), handshake(message.handshake), link_(link) {}
  ~Lane() {
    if (grace_ != runtime::TimerId::none) link_.loop_.cancel(grace_);
  }

  void on_opened(const HttpClientResponse& response) override {
    if (response.status == 0) return;
    link_.receiver_->on_http(resuming ? "GET" : "POST", response.status);
    const std::string* const id = handshake && is_success(response.status)
                                      ? response.header(mcp::header::kSessionId)
                                      : nullptr;
    if (id != nullptr && is_session_id(*id)) link_.session_ = *id;
  }
  void on_event(SseReader::Event&& event) override {
    // Without data it is there for its id alone.
    if (event.type != "message" || event.data.empty()) return;
    heard = true;
    link_.receiver_->on_message(std::move(event.data), key, false);
  }

  void on_admission(bool waiting) override {
    if (key != 0 && !done) link_.receiver_->on_admission(key, waiting);
  }
  [[nodiscard]] bool wanted() const override { return !done; }

  /// Nobody waits for more. What still comes is read for a while, or not at all.
  void abandon(bool close) {
    done = true;
    if (fetch == nullptr) return;
    if (close) return fetch->abort();
    if (!fetch->is_stream() || grace_ != runtime::TimerId::none) return;
    grace_ = link_.loop_.call_after(kGrace, [this] {
      grace_ = runtime::TimerId::none;
      if (fetch != nullptr) fetch->abort();
    });
  }

  const std::uint64_t key;
  const std::uint64_t ticket;
  const bool handshake;
  bool done = false;
  bool heard = false;     // an event with data has come in this exchange
  bool resuming = false;  // the exchange is a GET
  std::unique_ptr<HttpFetch> fetch;

 private:
  HttpLink& link_;
  runtime::TimerId grace_ = runtime::TimerId::none;
};

/// The stream on which a server speaks by itself.
class HttpLink::Ear final : public HttpFetch::Sink {
 public:
  explicit Ear(HttpLink& link) : link_(link) {}
  void on_opened(const HttpClientResponse& response) override {
    link_.receiver_->on_http("GET", response.status);
    const bool streams = response.status == 200 && has_media_type(response, "text/event-stream");
    if (streams && std::exchange(broken, false)) link_.receiver_->on_gap();
  }
  void on_event(SseReader::Event&& event) override {
    if (event.data.empty()) return;
    heard = true;
    if (event.type == "endpoint" && on_endpoint) return on_endpoint(event.data);
    if (event.type == "message") link_.receiver_->on_message(std::move(event.data), 0, false);
  }

  bool heard = false;
  bool broken = false;  // something may have been missed before this stream
  std::function<void(const std::string&)> on_endpoint;
  std::unique_ptr<HttpFetch> fetch;

 private:
  HttpLink& link_;
};

HttpLink::HttpLink(runtime::Loop& loop, transport::Url url, std::string text,
                   HttpLinkOptions options)
    : loop_(loop),
      url_(std::move(url)),
      text_(std::move(text)),
      http_(std::move(options)),
      target_(url_.target),
      posts_(loop),
      listening_(loop) {}

void HttpLink::start(Receiver& receiver, const Options& options) {
  receiver_ = &receiver;
  options_ = &options;
  transport::HttpClientOptions http;
  http.limits.body_bytes_max = options.limits.message_bytes;
  http.limits.connect_timeout = http_.connect_timeout;
  http.trust = http_.trust;
  http.proxies = http_.proxies;
  http.connections_max = http_.connections_max;
  http.connections_per_origin_max = http_.connections_max;
  client_ = std::make_unique<transport::HttpClient>(loop_, std::move(http));
}

std::optional<std::int64_t> HttpLink::retry_after_ms(const HttpClientResponse& response) const {
  const std::string* const text = response.header("retry-after");
  if (text == nullptr) return std::nullopt;
  const auto wait = transport::parse_retry_after(*text, loop_.wall_time());
  return wait ? std::optional(wait->count()) : std::nullopt;
}

std::string HttpLink::origin() const { return url_.scheme + "://" + url_.authority(); }

std::string HttpLink::url_of(const std::string& target) const {
  return target == url_.target ? text_ : origin() + target;
}

HttpHeaders HttpLink::common_headers(bool with_session) const {
  HttpHeaders headers;
  if (with_session) headers.emplace_back(mcp::header::kProtocolVersion, mcp::to_text(revision_));
  if (with_session && !session_.empty()) headers.emplace_back(mcp::header::kSessionId, session_);
  headers.insert(headers.end(), http_.headers.begin(), http_.headers.end());
  return headers;
}

void HttpLink::send(Outgoing message) {
  auto lane = std::make_shared<Lane>(*this, message);
  if (message.key != 0) lanes_.emplace(message.key, lane);
  posts_.start(post(std::move(lane), std::move(message)));
}

void HttpLink::abandon(std::uint64_t key, bool close) {
  const auto found = lanes_.find(key);
  if (found != lanes_.end()) found->second->abandon(close);
}

bool HttpLink::congested() const { return posts_.size() > lanes_.size() + kAnswersMax; }

void HttpLink::forget_session() {
  session_.clear();
  listening_.clear();
}

Task<HttpFetch::End> HttpLink::perform(Ask ask, HttpFetch::Sink& sink,
                                       std::unique_ptr<HttpFetch>& fetch) {
  std::string target = target_;
  int challenges = 0;
  int redirects = 0;
  for (;;) {
    HttpClientRequest request;
    request.method = ask.method;
    request.target = target;
    request.headers = ask.headers;
    request.body = ask.body;
    const std::string url = url_of(target);
    HttpHeaders sent;
    if (http_.authorizer != nullptr) {
      sink.on_admission(true);
      Result<HttpHeaders> credentials = co_await http_.authorizer->authorize(ask.method, url);
      sink.on_admission(false);
      if (!credentials) {
        HttpFetch::End refused = unsent();
        refused.error = credentials.error();
        refused.response.status = 401;
        co_return refused;
      }
      sent = *std::move(credentials);
      request.headers.insert(request.headers.end(), sent.begin(), sent.end());
    }
    if (!sink.wanted()) co_return unsent();
    fetch = std::make_unique<HttpFetch>(loop_, *client_, options_->limits.message_bytes, sink);
    transport::Url to = url_;
    to.target = target;
    fetch->start(to, std::move(request));
    HttpFetch::End end = co_await fetch->end();
    const int status = end.response.status;
    if (http_.authorizer != nullptr && status != 0) {
      http_.authorizer->responded(url, end.response.headers);
      const bool challenged = status == 401 || status == 403;
      if (challenged && challenges < Authorizer::kChallengesMax) {
        AuthChallenge challenge;
        challenge.method = ask.method;
        challenge.url = url;
        challenge.status = status;
        challenge.headers = end.response.headers;
        challenge.sent = std::move(sent);
        challenge.attempt = challenges++;
        sink.on_admission(true);
        Result<bool> again = co_await http_.authorizer->challenged(std::move(challenge));
        sink.on_admission(false);
        if (again && *again) continue;
        if (!again) end.error = again.error();
        co_return end;
      }
    }
    if (status != 307 && status != 308) co_return end;
    Result<std::string> next = redirected(end, target);
    if (!next || ++redirects > kRedirectsMax) {
      end.error = next ? Error{ErrorKind::limit, "too many redirects"} : next.error();
      co_return end;
    }
    target = *std::move(next);
  }
}

/// Where a redirect leads to, as long as that is the same origin.
Result<std::string> HttpLink::redirected(const HttpFetch::End& end,
                                         const std::string& target) const {
  const std::string* const location = end.response.header("location");
  if (location == nullptr) return fail(ErrorKind::invalid, "a redirect to nowhere");
  if (location->starts_with('/') && !location->starts_with("//")) return *location;
  const std::string path = target.substr(0, target.find('?'));
  if (location->starts_with('?')) return path + *location;
  if (location->find(':') == std::string::npos && !location->starts_with('/')) {
    return path.substr(0, path.rfind('/') + 1) + *location;
  }
  const Result<transport::Url> url = transport::Url::parse(*location);
  const bool same =
      url && url->scheme == url_.scheme && url->host == url_.host && url->port == url_.port;
  if (same) return url->target;
  return fail(ErrorKind::invalid, "a redirect to another origin is not followed");
}

Task<void> HttpLink::post(std::shared_ptr<Lane> lane, Outgoing message) {
  Ask ask;
  ask.method = "POST";
  ask.with_session = !message.handshake;
  ask.headers.emplace_back("Content-Type", "application/json");
  ask.headers.emplace_back("Accept", "application/json, text/event-stream");
  const HttpHeaders common = common_headers(ask.with_session);
  ask.headers.insert(ask.headers.end(), common.begin(), common.end());
  ask.headers.insert(ask.headers.end(), message.headers.begin(), message.headers.end());
  ask.body = std::move(message.text);
  const bool sessioned = ask.with_session && !session_.empty();
  HttpFetch::End end = co_await perform(std::move(ask), *lane, lane->fetch);
  co_await settle(*lane, std::move(end), sessioned);
  lanes_.erase(lane->key);
}

Task<void> HttpLink::settle(Lane& lane, HttpFetch::End end, bool sessioned) {
  const bool success = is_success(end.response.status);
  if (lane.key == 0) {
    std::optional<Loss> loss;
    if (!success) loss = loss_of(end, sessioned);
    if (lane.ticket != 0) receiver_->on_taken(lane.ticket, std::move(loss));
    co_return;
  }
  if (lane.done) co_return;
  if (end.is_stream) {
    co_await resume(lane, std::move(end));
  } else if (sse_mode_ && success) {
    // The response comes on the other stream.
  } else {
    settle_body(lane, std::move(end), sessioned);
  }
}

bool HttpLink::resumes() const { return mcp::supports(revision_, mcp::Feature::resumable_streams); }

/// The reply's stream has ended. If its response has not come, it may come on another.
Task<void> HttpLink::resume(Lane& lane, HttpFetch::End end) {
  Loss loss{.cause = Loss::Cause::ended, .detail = "the reply's stream ended without a response"};
  if (end.error) {
    loss.cause = Loss::Cause::reset;
    loss.detail = "the reply's stream broke before the response: " + end.error->message;
  }
  loss.may_have_run = true;
  std::string last_id = end.last_event_id;
  std::optional<std::int64_t> retry = end.retry_ms;
  if (!resumes() || last_id.empty()) co_return lose(lane, std::move(loss));
  for (unsigned attempt = 1; attempt <= kResumesMax; ++attempt) {
    report(Report::Kind::reconnecting, "resuming a reply's stream behind event " + last_id);
    runtime::Duration wait = pause(attempt, retry);
    // The server said when it is back: no sooner, and at first no later.
    if (attempt == 1 && retry) wait = std::chrono::milliseconds(*retry);
    co_await runtime::sleep(loop_, wait);
    if (lane.done) co_return;
    Ask ask;
    ask.method = "GET";
    ask.headers = common_headers(true);
    ask.headers.emplace_back("Accept", "text/event-stream");
    ask.headers.emplace_back(mcp::header::kLastEventId, last_id);
    lane.resuming = true;
    lane.heard = false;
    HttpFetch::End next = co_await perform(std::move(ask), lane, lane.fetch);
    if (lane.done) co_return;
    const int status = next.response.status;
    if (!next.is_stream && status != 0 && status < 500) {
      loss.detail += "; resuming it got status " + std::to_string(status);
      co_return lose(lane, std::move(loss));
    }
    if (!next.last_event_id.empty()) last_id = next.last_event_id;
    if (next.retry_ms) retry = next.retry_ms;
    if (lane.heard) attempt = 0;
  }
  loss.detail += "; resuming it brought nothing";
  lose(lane, std::move(loss));
}

void HttpLink::settle_body(Lane& lane, HttpFetch::End end, bool sessioned) {
  const int status = end.response.status;
  const bool json = has_media_type(end.response, "application/json");
  if (end.error || status == 401 || status == 403) return lose(lane, loss_of(end, sessioned));
  if (is_success(status)) {
    if (json && !end.body.empty()) {
      receiver_->on_message(std::move(end.body), lane.key, true);
      return;
    }
    return lose(lane, loss_of(end, sessioned));
  }
  const Refusal refusal = read_refusal(end.body, lane.key);
  const bool later = (status == 429 || status == 503) && retry_after_ms(end.response).has_value();
  // An error that doesn't name the request is an answer to it all the same, unless the status alone
  // says that there is nothing (any more) at this address.
  const bool elsewhere = status == 404 || status == 405 || status == 406 || status == 415;
  if (refusal.is_error && !later && (refusal.names_request || !elsewhere)) {
    receiver_->on_message(std::move(end.body), lane.key, true);
    return;
  }
  lose(lane, loss_of(end, sessioned));
}

void HttpLink::lose(Lane& lane, Loss loss) {
  if (lane.done) return;
  lane.done = true;
  receiver_->on_lost(lane.key, std::move(loss));
}

Loss HttpLink::loss_of(const HttpFetch::End& end, bool sessioned) const {
  Loss loss;
  loss.status = end.response.status;
  loss.retry_after_ms = retry_after_ms(end.response);
  const std::string status = "HTTP status " + std::to_string(loss.status);
  if (loss.status == 401 || loss.status == 403) {
    loss.cause = Loss::Cause::unauthorized;
    loss.detail = end.error ? end.error->message : status + ": not authorized";
    return loss;
  }
  if (end.error && loss.status == 0) {
    loss.cause = end.sent ? Loss::Cause::reset : Loss::Cause::connect;
    loss.detail = end.error->message;
    loss.may_have_run = end.sent;
    return loss;
  }
  if (end.error) {
    loss.cause = end.error->kind == ErrorKind::limit ? Loss::Cause::local : Loss::Cause::reset;
    if (loss.status >= 300 && loss.status < 400) loss.cause = Loss::Cause::http_status;
    loss.detail = status + ", but " + end.error->message;
    loss.may_have_run = is_success(loss.status);
    return loss;
  }
  if (loss.status == 404 && sessioned) {
    loss.cause = Loss::Cause::session;
    loss.detail = "the server doesn't know the session any more";
    return loss;
  }
  loss.cause = Loss::Cause::http_status;
  loss.may_have_run = is_success(loss.status) || (loss.status >= 500 && loss.status != 503);
  const std::string* const type = end.response.header("content-type");
  loss.detail = status + " with ";
  loss.detail += end.body.empty() ? "no body" : show(type != nullptr ? *type : "no type", 60);
  if (!end.body.empty()) loss.detail += ": " + show(end.body, 200);
  return loss;
}

runtime::Duration HttpLink::pause(unsigned attempt, std::optional<std::int64_t> asked) const {
  return back_off(*options_, attempt, asked);
}

void HttpLink::open_stream() {
  if (sse_mode_ || session_.empty() || !resumes() || listening_.size() > 0) return;
  listening_.start(listen());
}

/// Keeps the GET stream open. One that isn't offered is not asked for again; one that ends is, in
/// growing intervals, however properly it ended.
Task<void> HttpLink::listen() {
  Ear ear(*this);
  std::string last_id;
  std::optional<std::int64_t> retry;
  for (unsigned failures = 0; failures < kListensMax;) {
    Ask ask;
    ask.method = "GET";
    ask.headers = common_headers(true);
    ask.headers.emplace_back("Accept", "text/event-stream");
    if (!last_id.empty()) ask.headers.emplace_back(mcp::header::kLastEventId, last_id);
    const runtime::TimePoint began = loop_.now();
    ear.heard = false;
    HttpFetch::End end = co_await perform(std::move(ask), ear, ear.fetch);
    const int status = end.response.status;
    if (!end.is_stream && status != 0 && status < 500 && status != 409 && status != 429) {
      report(Report::Kind::stream_refused,
             "the server offers no stream of its own: HTTP status " + std::to_string(status));
      co_return;
    }
    const bool good = end.is_stream && (ear.heard || loop_.now() - began >= kGoodStream);
    failures = good ? 1 : failures + 1;
    if (end.is_stream) {
      last_id = end.last_event_id;
      ear.broken = last_id.empty();
      if (end.retry_ms) retry = end.retry_ms;
    }
    report(Report::Kind::reconnecting, "the server's own stream ended, and is opened again");
    std::optional<std::int64_t> asked = retry_after_ms(end.response);
    if (!asked) asked = retry;
    const runtime::Duration wait = pause(failures, asked);
    co_await runtime::sleep(loop_, wait);
  }
  report(Report::Kind::stream_refused, "the server's own stream won't stay open: given up");
}

bool HttpLink::fall_back_to_sse(std::uint64_t ticket) {
  if (!http_.sse_fallback || sse_mode_) return false;
  session_.clear();
  listening_.clear();
  listening_.start(listen_sse(ticket));
  return true;
}

/// HTTP+SSE of 2024-11-05: the stream names where to post, and carries every message from the
/// server; when it ends, the connection is over.
Task<void> HttpLink::listen_sse(std::uint64_t ticket) {
  Ear ear(*this);
  ear.on_endpoint = [this, ticket](const std::string& endpoint) {
    if (sse_mode_) return;
    HttpFetch::End redirect;
    redirect.response.headers.emplace_back("location", endpoint);
    const Result<std::string> target = redirected(redirect, target_);
    if (!target) return report(Report::Kind::stray_notification, "an endpoint of another origin");
    sse_mode_ = true;
    target_ = *target;
    receiver_->on_taken(ticket, std::nullopt);
  };
  Ask ask;
  ask.method = "GET";
  ask.headers = common_headers(false);
  ask.headers.emplace_back("Accept", "text/event-stream");
  HttpFetch::End end = co_await perform(std::move(ask), ear, ear.fetch);
  Loss loss = loss_of(end, false);
  if (!sse_mode_) {
    receiver_->on_taken(ticket, std::move(loss));
    co_return;
  }
  if (end.is_stream) {
    loss.cause = Loss::Cause::ended;
    loss.detail = "the server's stream ended";
    loss.may_have_run = true;
  }
  receiver_->on_over(std::move(loss));
}

void HttpLink::close(std::move_only_function<void()> done) {
  listening_.clear();
  posts_.clear();
  lanes_.clear();
  posts_.start(say_goodbye(std::move(done)));
}

/// Ends the session, if the server has the patience to be told.
Task<void> HttpLink::say_goodbye(std::move_only_function<void()> done) {
  if (!session_.empty() && !sse_mode_) {
    Outgoing nothing;
    const auto lane = std::make_shared<Lane>(*this, nothing);
    loop_.call_after(kGoodbyeTimeout, [waiting = std::weak_ptr(lane)] {
      const auto late = waiting.lock();
      if (late && late->fetch) late->fetch->abort();
    });
    Ask ask;
    ask.method = "DELETE";
    ask.headers = common_headers(true);
    session_.clear();
    co_await perform(std::move(ask), *lane, lane->fetch);
  } else {
    co_await runtime::sleep(loop_, runtime::Duration::zero());
  }
  done();
}

Result<std::unique_ptr<Link>> over_http(runtime::Loop& loop, std::string_view url,
                                        HttpLinkOptions options) {
  SQUALL_TRY(transport::Url parsed, transport::Url::parse(url));
  if (parsed.scheme != "http" && parsed.scheme != "https") {
    return fail(ErrorKind::invalid, "this is no http or https URL");
  }
  return std::make_unique<HttpLink>(loop, std::move(parsed), std::string(url), std::move(options));
}

}  // namespace squall::client
