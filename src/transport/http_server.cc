#include <utility>

#include "http_connection.h"

namespace squall::transport {

namespace {

constexpr std::size_t kSpareParsersMax = 8;
constexpr std::size_t kSpareExchangesMax = 64;
/// A larger output buffer is given back before the next reply.
constexpr std::size_t kKeptOutputBytesMax = 256 << 10;

}  // namespace

HttpServerContext::HttpServerContext(runtime::Loop& its_loop, HttpHandler& its_handler,
                                     const HttpServerOptions& its_options)
    : loop(its_loop),
      handler(its_handler),
      options(its_options),
      exchanges(std::make_shared<BlockPool>(kSpareExchangesMax)) {}

HttpRequestParser HttpServerContext::take_parser() {
  if (parsers_.empty()) {
    return HttpRequestParser(
        {options.header_bytes_max, options.headers_max, options.body_bytes_max});
  }
  HttpRequestParser parser = std::move(parsers_.back());
  parsers_.pop_back();
  return parser;
}

void HttpServerContext::give_parser(HttpRequestParser parser) {
  if (parsers_.size() < kSpareParsersMax) parsers_.push_back(std::move(parser));
}

std::string& HttpServerContext::begin_output() {
  if (output_.capacity() > kKeptOutputBytesMax) output_ = {};
  output_.clear();
  return output_;
}

std::string_view HttpServerContext::date_line() {
  const auto now = std::chrono::floor<std::chrono::seconds>(loop.wall_time());
  if (now != date_) {
    date_ = now;
    date_line_ = "Date: " + http_date(now) + "\r\n";
  }
  return date_line_;
}

class HttpServer::Impl final : public HttpServerContext {
 public:
  using HttpServerContext::HttpServerContext;

  void accept(std::unique_ptr<runtime::ByteStream> stream) {
    if (draining) return;
    connections_.emplace_back(*this, std::move(stream));
    const auto connection = std::prev(connections_.end());
    if (listener_ && connections_.size() == options.connections_max) listener_->pause();
    connection->start(connection);
  }

  void remove(HttpConnections::iterator connection) override {
    connections_.erase(connection);
    if (listener_ && connections_.size() + 1 == options.connections_max) listener_->resume();
    if (draining) tell_idle();
  }

  [[nodiscard]] Result<void> listen(const runtime::ListenOptions& where) {
    SQUALL_TRY(listener_, loop.listen(where, [this](std::unique_ptr<runtime::ByteStream> stream) {
      accept(options.tls ? make_tls_stream(loop, std::move(stream), options.tls,
                                           options.header_timeout)
                         : std::move(stream));
    }));
    return {};
  }

  void drain(std::move_only_function<void()> on_idle) {
    draining = true;
    listener_.reset();
    on_idle_ = std::move(on_idle);
    for (auto next = connections_.begin(); next != connections_.end();) (next++)->drain();
    tell_idle();
  }

  [[nodiscard]] std::uint16_t port() const { return listener_ ? listener_->port() : 0; }
  [[nodiscard]] std::size_t connections() const { return connections_.size(); }

 private:
  /// Posted, because the last connection may end inside a call of the handler's.
  void tell_idle() {
    if (!connections_.empty() || !on_idle_) return;
    loop.post(
        [alive = std::weak_ptr(alive_), on_idle = std::exchange(on_idle_, nullptr)]() mutable {
          if (!alive.expired()) on_idle();
        });
  }

  std::unique_ptr<runtime::Listener> listener_;
  HttpConnections connections_;
  std::move_only_function<void()> on_idle_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // for what is posted
};

HttpServer::HttpServer(runtime::Loop& loop, HttpHandler& handler, HttpServerOptions options)
    : impl_(std::make_unique<Impl>(loop, handler, options)) {}
HttpServer::~HttpServer() = default;
Result<void> HttpServer::listen(const runtime::ListenOptions& options) {
  return impl_->listen(options);
}
std::uint16_t HttpServer::port() const { return impl_->port(); }
void HttpServer::accept(std::unique_ptr<runtime::ByteStream> stream) {
  impl_->accept(std::move(stream));
}
std::size_t HttpServer::connections() const { return impl_->connections(); }
void HttpServer::drain(std::move_only_function<void()> on_idle) {
  impl_->drain(std::move(on_idle));
}

}  // namespace squall::transport
