#include "squall/transport/http_pool.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <optional>

#include "squall/base/text.h"
#include "squall/runtime/one_shot.h"

namespace squall::transport {

namespace {

/// Of a redirect's body, before the connection isn't worth keeping for it.
constexpr std::size_t kRedirectBytesMax = 64 << 10;

std::unexpected<Error> no_connection_for(const Url& url, const Error& error) {
  return fail(error.kind, "HTTPS to " + url.host_and_port() + ": " + error.message);
}

/// Whether `status` sends a request with `method` elsewhere without changing it.
bool is_followed(int status, std::string_view method) {
  if (status == 307 || status == 308) return true;
  return (status >= 301 && status <= 303) && (method == "GET" || method == "HEAD");
}

bool has_header(const HttpClientRequest& request, std::string_view name) {
  return std::any_of(request.headers.begin(), request.headers.end(), [&](const auto& header) {
    return base::equals_ignoring_case(header.first, name);
  });
}

bool is_compressed(const HttpClientResponse& response) {
  const std::string* const coding = response.header("content-encoding");
  return coding != nullptr && !coding->empty() && !base::equals_ignoring_case(*coding, "identity");
}

/// "timeout=5, max=100" of a Keep-Alive header.
std::optional<std::chrono::seconds> keep_alive_of(const HttpClientResponse& response) {
  const std::string* const header = response.header("keep-alive");
  if (header == nullptr) return std::nullopt;
  constexpr std::string_view kName = "timeout=";
  const std::size_t at = base::to_lower(*header).find(kName);
  if (at == std::string::npos) return std::nullopt;
  unsigned seconds = 0;
  const char* const from = header->data() + at + kName.size();
  const auto read = std::from_chars(from, header->data() + header->size(), seconds);
  if (read.ec != std::errc{}) return std::nullopt;
  return std::chrono::seconds(seconds);
}

}  // namespace

const std::string* HttpResponse::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (base::equals_ignoring_case(key, name)) return &value;
  }
  return nullptr;
}

class HttpClient::Impl {
 public:
  Impl(runtime::Loop& its_loop, HttpClientOptions options)
      : loop(its_loop), options_(std::move(options)) {}
  ~Impl() { loop.cancel(sweep_); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Id request(const Url& url, HttpClientRequest request, HttpClientHandler& handler,
             bool follow_redirects);
  bool cancel(Id id);
  [[nodiscard]] const Url& url_of(Id id) const { return requests_.at(id)->url; }
  [[nodiscard]] std::size_t under_way() const { return requests_.size() - waiting_; }
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  [[nodiscard]] std::size_t connections() const { return connections_; }
  [[nodiscard]] std::weak_ptr<bool> alive() const { return alive_; }

  runtime::Loop& loop;

 private:
  struct Line {
    Line(runtime::Loop& loop, const Url& origin, HttpClientLimits limits, HttpRoute route)
        : connection(loop, origin, limits, std::move(route)) {}
    HttpClientConnection connection;
    runtime::TimePoint idle_until{};
  };
  struct Origin {
    Url url;
    HttpRoute route;
    std::vector<std::unique_ptr<Line>> idle{};  // the freshest last
    std::size_t busy = 0;
    std::deque<Id> waiting{};
  };
  using Origins = std::map<std::string, Origin, std::less<>>;

  /// One request on its way, between its connection and its handler.
  class Ongoing final : public HttpClientHandler {
   public:
    Ongoing(Impl& pool, Id id, Url its_url, HttpClientRequest request, HttpClientHandler& handler,
            bool follows)
        : url(std::move(its_url)),
          pool_(pool),
          id_(id),
          request_(std::move(request)),
          handler_(handler),
          follows_(follows) {}

    void start(std::unique_ptr<Line> its_line) {
      line = std::move(its_line);
      line->connection.request(request_, *this);
    }
    void on_response(const HttpClientResponse& response) override;
    void on_body(std::string_view bytes) override;
    void on_done() override;
    void on_failed(const Error& error, bool sent) override { end(error, sent); }
    /// Fails, from inside a callback of the connection or before there is one.
    void end(const Error& error, bool sent);

    Url url;
    Origins::iterator origin{};  // of what waits or has a connection
    std::unique_ptr<Line> line{};
    bool waits = false;

   private:
    bool redirect(const HttpClientResponse& response, const std::string& location);
    void send_again() { line->connection.request(request_, *this); }

    Impl& pool_;
    const Id id_;
    HttpClientRequest request_;
    HttpClientHandler& handler_;
    const bool follows_;
    bool redirecting_ = false;
    unsigned redirects_ = 0;
    std::size_t redirect_bytes_ = 0;
    std::optional<std::chrono::seconds> keep_alive_{};
  };

  Result<Origins::iterator> origin_of(const Url& url);
  Result<HttpRoute> route_to(const Url& url);
  void fail_later(Id id, Error error);
  std::unique_ptr<Ongoing> take(Id id);
  void release(Origins::iterator origin, std::unique_ptr<Line> line,
               std::optional<std::chrono::seconds> keep_alive);
  void let_go(Origins::iterator origin);
  void serve_waiting();
  [[nodiscard]] bool can_start(const Origin& origin) const;
  [[nodiscard]] std::unique_ptr<Line> line_to(Origin& origin);
  void drop_one_idle();
  void sweep();
  void sweep_later();

  HttpClientOptions options_;
  std::shared_ptr<const TlsContext> tls_;
  Origins origins_;
  std::map<Id, std::unique_ptr<Ongoing>> requests_;
  Id next_ = 1;
  std::size_t waiting_ = 0;
  std::size_t connections_ = 0;
  runtime::TimerId sweep_ = runtime::TimerId::none;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>();  // expires with us
};

// ---- One request

void HttpClient::Impl::Ongoing::on_response(const HttpClientResponse& response) {
  if (follows_ && is_followed(response.status, request_.method)) {
    const std::string* const location = response.header("location");
    if (location != nullptr && redirect(response, *location)) return;
  }
  if (is_compressed(response)) {
    return end({ErrorKind::invalid, "the server compressed its response, which nobody asked for"},
               true);
  }
  keep_alive_ = keep_alive_of(response);
  handler_.on_response(response);
}

/// Whether the response has been dealt with.
bool HttpClient::Impl::Ongoing::redirect(const HttpClientResponse& response,
                                         const std::string& location) {
  auto target = url.resolve(location);
  std::optional<Error> error;
  if (!target) {
    error = Error{ErrorKind::invalid,
                  "the server redirects to a malformed address: " + target.error().message};
  } else if (target->origin() != url.origin()) {
    error = Error{ErrorKind::invalid, "the server redirects to another origin, " +
                                          target->origin() + ", which is not followed"};
  } else if (++redirects_ > pool_.options_.redirects_max) {
    error = Error{ErrorKind::limit, "the server redirects too often"};
  }
  if (error) {
    end(*error, true);
    return true;
  }
  url = *std::move(target);
  request_.target = url.target;
  keep_alive_ = keep_alive_of(response);
  redirecting_ = true;
  redirect_bytes_ = 0;
  return true;
}

void HttpClient::Impl::Ongoing::on_body(std::string_view bytes) {
  if (!redirecting_) return handler_.on_body(bytes);
  redirect_bytes_ += bytes.size();
  if (redirect_bytes_ <= kRedirectBytesMax) return;
  redirecting_ = false;
  line->connection.cancel();
  send_again();
}

void HttpClient::Impl::Ongoing::on_done() {
  if (std::exchange(redirecting_, false)) return send_again();
  const auto self = pool_.take(id_);
  pool_.release(origin, std::move(line), keep_alive_);
  handler_.on_done();
}

void HttpClient::Impl::Ongoing::end(const Error& error, bool sent) {
  const Error told = error;  // it may belong to the connection
  const auto self = pool_.take(id_);
  const auto finished = std::move(line);
  if (finished) {
    --pool_.connections_;
    pool_.let_go(origin);
  }
  handler_.on_failed(told, sent);
}

// ---- The pool

HttpClient::Id HttpClient::Impl::request(const Url& url, HttpClientRequest request,
                                         HttpClientHandler& handler, bool follow_redirects) {
  const Id id = next_++;
  request.target = url.target;
  if (!has_header(request, "accept-encoding")) {
    request.headers.emplace_back("Accept-Encoding", "identity");
  }
  auto& ongoing = requests_[id];
  ongoing =
      std::make_unique<Ongoing>(*this, id, url, std::move(request), handler, follow_redirects);
  auto origin = origin_of(url);
  if (!origin) {
    fail_later(id, std::move(origin).error());
    return id;
  }
  if (waiting_ >= options_.waiting_max && !can_start((*origin)->second)) {
    fail_later(id, {ErrorKind::limit, "too many requests wait for a connection"});
    return id;
  }
  ongoing->origin = *origin;
  ongoing->waits = true;
  (*origin)->second.waiting.push_back(id);
  ++waiting_;
  serve_waiting();
  return id;
}

bool HttpClient::Impl::cancel(Id id) {
  if (!requests_.contains(id)) return false;
  const auto ongoing = take(id);
  if (ongoing->line) {
    ongoing->line->connection.cancel();
    --connections_;
    let_go(ongoing->origin);
  } else if (ongoing->waits) {
    std::deque<Id>& queue = ongoing->origin->second.waiting;
    queue.erase(std::lower_bound(queue.begin(), queue.end(), id));
    --waiting_;
  }
  return true;
}

void HttpClient::Impl::fail_later(Id id, Error error) {
  loop.post([this, id, error = std::move(error), alive = alive()] {
    if (alive.expired()) return;
    if (const auto found = requests_.find(id); found != requests_.end()) {
      found->second->end(error, false);
    }
  });
}

std::unique_ptr<HttpClient::Impl::Ongoing> HttpClient::Impl::take(Id id) {
  const auto found = requests_.find(id);
  auto taken = std::move(found->second);
  requests_.erase(found);
  return taken;
}

Result<HttpClient::Impl::Origins::iterator> HttpClient::Impl::origin_of(const Url& url) {
  std::string name = url.origin();
  if (const auto found = origins_.find(name); found != origins_.end()) return found;
  auto route = route_to(url);
  if (!route) return no_connection_for(url, route.error());
  return origins_.emplace(std::move(name), Origin{.url = url, .route = *std::move(route)}).first;
}

Result<HttpRoute> HttpClient::Impl::route_to(const Url& url) {
  HttpRoute route;
  if (const Proxy* const proxy = options_.proxies.choose(url)) route.proxy = *proxy;
  if (url.scheme == "https" || (route.proxy && route.proxy->address.scheme == "https")) {
    if (!tls_) {
      SQUALL_TRY(tls_, TlsContext::for_client(options_.trust));
    }
    route.tls = tls_;
  }
  return route;
}

/// Keeps a connection that has done its work, or gives it to whoever waits.
void HttpClient::Impl::release(Origins::iterator origin, std::unique_ptr<Line> line,
                               std::optional<std::chrono::seconds> keep_alive) {
  // The server begins to count when it sends, and our next request takes its time too.
  constexpr std::chrono::seconds kMargin{1};
  runtime::Duration span = options_.idle_timeout;
  if (keep_alive) span = std::min<runtime::Duration>(span, *keep_alive - kMargin);
  --origin->second.busy;
  if (span > runtime::Duration::zero()) {
    line->idle_until = loop.now() + span;
    origin->second.idle.push_back(std::move(line));
    sweep_later();
  } else {
    --connections_;
    line.reset();
  }
  serve_waiting();
}

/// A connection to that origin is gone.
void HttpClient::Impl::let_go(Origins::iterator origin) {
  Origin& its = origin->second;
  --its.busy;
  if (its.busy == 0 && its.idle.empty() && its.waiting.empty()) origins_.erase(origin);
  serve_waiting();
}

bool HttpClient::Impl::can_start(const Origin& origin) const {
  if (origin.busy >= options_.connections_per_origin_max) return false;
  if (!origin.idle.empty() || connections_ < options_.connections_max) return true;
  return std::any_of(origins_.begin(), origins_.end(),
                     [](const auto& entry) { return !entry.second.idle.empty(); });
}

/// Starts what can be started, the oldest first.
void HttpClient::Impl::serve_waiting() {
  while (waiting_ > 0) {
    Origin* next = nullptr;
    for (auto& [name, origin] : origins_) {
      if (origin.waiting.empty() || !can_start(origin)) continue;
      if (next == nullptr || origin.waiting.front() < next->waiting.front()) next = &origin;
    }
    if (next == nullptr) return;
    Ongoing& ongoing = *requests_.at(next->waiting.front());
    next->waiting.pop_front();
    --waiting_;
    ++next->busy;
    ongoing.waits = false;
    ongoing.start(line_to(*next));
  }
}

std::unique_ptr<HttpClient::Impl::Line> HttpClient::Impl::line_to(Origin& origin) {
  while (!origin.idle.empty()) {
    std::unique_ptr<Line> line = std::move(origin.idle.back());
    origin.idle.pop_back();
    if (line->idle_until > loop.now()) return line;
    --connections_;
  }
  if (connections_ >= options_.connections_max) drop_one_idle();
  ++connections_;
  return std::make_unique<Line>(loop, origin.url, options_.limits, origin.route);
}

void HttpClient::Impl::drop_one_idle() {
  for (auto& [name, origin] : origins_) {
    if (origin.idle.empty()) continue;
    origin.idle.erase(origin.idle.begin());
    --connections_;
    return;
  }
}

void HttpClient::Impl::sweep_later() {
  if (sweep_ != runtime::TimerId::none) return;
  sweep_ = loop.call_after(options_.idle_timeout, [this] {
    sweep_ = runtime::TimerId::none;
    sweep();
  });
}

void HttpClient::Impl::sweep() {
  bool any_left = false;
  for (auto entry = origins_.begin(); entry != origins_.end();) {
    Origin& origin = entry->second;
    connections_ -= std::erase_if(
        origin.idle, [now = loop.now()](const auto& line) { return line->idle_until <= now; });
    any_left = any_left || !origin.idle.empty();
    const bool unused = origin.idle.empty() && origin.busy == 0 && origin.waiting.empty();
    entry = unused ? origins_.erase(entry) : std::next(entry);
  }
  if (any_left) sweep_later();
}

// ---- Whole responses

namespace {

/// Gathers one response.
class Gatherer final : public HttpClientHandler {
 public:
  Gatherer(runtime::Loop& loop, std::size_t body_bytes_max)
      : outcome(loop), body_bytes_max_(body_bytes_max) {}

  void on_response(const HttpClientResponse& head) override {
    response_.status = head.status;
    response_.headers = head.headers;
    response_.url = url_now();
  }
  void on_body(std::string_view bytes) override {
    if (bytes.size() > body_bytes_max_ - response_.body.size()) {
      give_up();
      outcome.set(fail(ErrorKind::limit, "the response's body is too large"));
      return;
    }
    response_.body += bytes;
  }
  void on_done() override { outcome.set(std::move(response_)); }
  void on_failed(const Error& error, bool) override { outcome.set(std::unexpected(error)); }

  runtime::OneShot<Result<HttpResponse>> outcome;
  std::function<Url()> url_now;
  std::function<void()> give_up;

 private:
  std::size_t body_bytes_max_;
  HttpResponse response_;
};

/// Does what it was told when it goes.
class AtEnd {
 public:
  explicit AtEnd(std::function<void()> action) : action_(std::move(action)) {}
  ~AtEnd() { action_(); }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;

 private:
  std::function<void()> action_;
};

}  // namespace

Task<Result<HttpResponse>> HttpClient::fetch(HttpFetch request) {
  Impl& pool = *impl_;
  runtime::Loop& loop = pool.loop;
  const std::weak_ptr<bool> alive = pool.alive();
  Gatherer gatherer(loop, request.body_bytes_max);
  HttpClientRequest to_send;
  to_send.method = std::move(request.method);
  to_send.headers = std::move(request.headers);
  to_send.body = std::move(request.body);
  const Id id = pool.request(request.url, std::move(to_send), gatherer, request.follow_redirects);
  gatherer.url_now = [&pool, id] { return pool.url_of(id); };
  gatherer.give_up = [&pool, id, alive] {
    if (!alive.expired()) pool.cancel(id);
  };
  const runtime::TimerId timer = loop.call_after(request.timeout, [&gatherer] {
    gatherer.give_up();
    gatherer.outcome.set(fail(ErrorKind::timeout, "the server took too long to respond"));
  });
  const AtEnd clean_up([&gatherer, &loop, timer] {
    loop.cancel(timer);
    gatherer.give_up();
  });
  Result<HttpResponse> outcome = co_await gatherer.outcome;
  co_return outcome;
}

HttpClient::HttpClient(runtime::Loop& loop, HttpClientOptions options)
    : impl_(std::make_unique<Impl>(loop, std::move(options))) {}
HttpClient::~HttpClient() = default;
HttpClient::Id HttpClient::request(const Url& url, HttpClientRequest request,
                                   HttpClientHandler& handler, bool follow_redirects) {
  return impl_->request(url, std::move(request), handler, follow_redirects);
}
bool HttpClient::cancel(Id id) { return impl_->cancel(id); }
std::size_t HttpClient::under_way() const { return impl_->under_way(); }
std::size_t HttpClient::waiting() const { return impl_->waiting(); }
std::size_t HttpClient::connections() const { return impl_->connections(); }

}  // namespace squall::transport
