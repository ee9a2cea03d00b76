#include "http_door.h"

#include <algorithm>
#include <list>
#include <utility>
#include <vector>

namespace squall::client {

namespace {

using transport::HttpClientConnection;
using transport::HttpClientHandler;
using transport::HttpClientRequest;
using transport::HttpClientResponse;

/// Kept open for the next request; more are closed.
constexpr std::size_t kIdleMax = 32;

class Pool final : public HttpDoor {
 public:
  Pool(runtime::Loop& loop, transport::Url origin, transport::HttpClientLimits limits,
       std::size_t connections_max)
      : loop_(loop),
        origin_(std::move(origin)),
        limits_(limits),
        connections_max_(connections_max) {}

  std::unique_ptr<HttpFlight> send(HttpClientRequest request, HttpClientHandler& handler) override;

 private:
  class Flight;
  void launch(Flight& flight);
  void land(Flight& flight, bool reusable);

  runtime::Loop& loop_;
  const transport::Url origin_;
  const transport::HttpClientLimits limits_;
  const std::size_t connections_max_;
  std::size_t flying_ = 0;
  std::list<Flight*> waiting_;
  std::vector<std::unique_ptr<HttpClientConnection>> idle_;
};

class Pool::Flight final : public HttpFlight, private HttpClientHandler {
 public:
  Flight(Pool& pool, HttpClientRequest request, HttpClientHandler& handler)
      : pool_(pool), request_(std::move(request)), handler_(handler) {}
  ~Flight() override {
    if (connection_ != nullptr) {
      connection_->cancel();
      pool_.land(*this, false);
    } else {
      pool_.waiting_.remove(this);
    }
  }

 private:
  friend class Pool;
  void on_response(const HttpClientResponse& response) override { handler_.on_response(response); }
  void on_body(std::string_view bytes) override { handler_.on_body(bytes); }
  void on_done() override {
    HttpClientHandler& handler = handler_;
    pool_.land(*this, true);
    handler.on_done();
  }
  void on_failed(const Error& error, bool sent) override {
    HttpClientHandler& handler = handler_;
    pool_.land(*this, true);
    handler.on_failed(error, sent);
  }

  Pool& pool_;
  HttpClientRequest request_;
  HttpClientHandler& handler_;
  std::unique_ptr<HttpClientConnection> connection_;  // null before and after
};

std::unique_ptr<HttpFlight> Pool::send(HttpClientRequest request, HttpClientHandler& handler) {
  auto flight = std::make_unique<Flight>(*this, std::move(request), handler);
  if (flying_ < connections_max_) {
    launch(*flight);
  } else {
    waiting_.push_back(flight.get());
  }
  return flight;
}

void Pool::launch(Flight& flight) {
  ++flying_;
  if (idle_.empty()) {
    flight.connection_ = std::make_unique<HttpClientConnection>(loop_, origin_, limits_);
  } else {
    flight.connection_ = std::move(idle_.back());
    idle_.pop_back();
  }
  flight.connection_->request(std::move(flight.request_), flight);
}

/// The flight is over: its connection serves the next, or waits for one.
void Pool::land(Flight& flight, bool reusable) {
  --flying_;
  std::unique_ptr<HttpClientConnection> connection = std::move(flight.connection_);
  if (reusable && idle_.size() < kIdleMax) {
    idle_.push_back(std::move(connection));
  } else {
    // We may be inside one of its calls.
    loop_.post([dropped = std::shared_ptr(std::move(connection))] {});
  }
  if (waiting_.empty() || flying_ >= connections_max_) return;
  Flight& next = *waiting_.front();
  waiting_.pop_front();
  launch(next);
}

}  // namespace

std::unique_ptr<HttpDoor> make_http_door(runtime::Loop& loop, transport::Url origin,
                                         transport::HttpClientLimits limits,
                                         std::size_t connections_max) {
  return std::make_unique<Pool>(loop, std::move(origin), limits, connections_max);
}

}  // namespace squall::client
