#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "squall/transport/http_client.h"
#include "squall/transport/sse.h"

namespace squall::testing {

/// One HTTP request and the messages that its reply carries, plain or as events.
class Exchange final : private transport::HttpClientHandler {
 public:
  using OnMessage = std::function<void(std::string_view)>;

  Exchange(runtime::Loop& loop, const transport::Url& origin, OnMessage on_message)
      : connection_(loop, origin), on_message_(std::move(on_message)) {}
  void send(transport::HttpClientRequest request) {
    connection_.request(std::move(request), *this);
  }

  [[nodiscard]] bool done() const noexcept { return done_; }
  /// 0 until it is known, or when there was no reply.
  [[nodiscard]] int status() const noexcept { return response_.status; }
  [[nodiscard]] const transport::HttpClientResponse& response() const noexcept { return response_; }
  [[nodiscard]] const std::string& body() const noexcept { return body_; }

 private:
  void on_response(const transport::HttpClientResponse& response) override;
  void on_body(std::string_view bytes) override;
  void on_done() override;
  void on_failed(const Error&, bool) override { done_ = true; }

  transport::HttpClientConnection connection_;
  OnMessage on_message_;
  transport::HttpClientResponse response_;
  transport::SseReader events_;
  std::string body_;
  bool streams_ = false;
  bool done_ = false;
};

}  // namespace squall::testing
