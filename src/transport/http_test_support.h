#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "squall/transport/http.h"

/// @file A server on virtual time, and raw peers that speak to it in bytes.

namespace squall::transport::test {

/// The far end of a stream: keeps what it hears.
class Peer final : public runtime::ByteStream::Receiver {
 public:
  explicit Peer(std::unique_ptr<runtime::ByteStream> its_stream) : stream(std::move(its_stream)) {
    stream->start(*this);
  }
  void on_bytes(std::string_view bytes) override { received += bytes; }
  void on_end(runtime::End how) override { end = how; }

  std::unique_ptr<runtime::ByteStream> stream;
  std::string received;
  std::optional<runtime::End> end;
};

/// Answers each request with what it asked for, unless a test puts something else in its place.
class TestHandler final : public HttpHandler {
 public:
  using Exchange = std::shared_ptr<HttpExchange>;

  std::optional<HttpReply> on_head(const HttpRequest& head) override {
    ++heads;
    return head_hook ? head_hook(head) : std::nullopt;
  }
  void on_request(HttpRequest request, Exchange exchange) override {
    ++requests;
    if (request_hook) return request_hook(std::move(request), std::move(exchange));
    exchange->reply_json(200, echo(request));
  }
  HttpReply on_refused(int status, std::string_view reason) override {
    refusals.push_back(std::to_string(status) + " " + std::string(reason));
    HttpReply reply;
    reply.status = status;
    return reply;
  }
  static std::string echo(const HttpRequest& request) {
    return std::string(request.method) + " " + std::string(request.target) + " " + request.body;
  }

  std::function<std::optional<HttpReply>(const HttpRequest&)> head_hook;
  std::function<void(HttpRequest, Exchange)> request_hook;
  std::vector<std::string> refusals;
  int heads = 0;
  int requests = 0;
};

class ServerBench {
 public:
  explicit ServerBench(HttpServerOptions options = {})
      : server(std::make_unique<HttpServer>(*loop, handler, options)) {}

  /// A peer on a new connection.
  std::unique_ptr<Peer> connect() {
    auto [near, far] = runtime::make_stream_pair(*loop);
    server->accept(std::move(near));
    return std::make_unique<Peer>(std::move(far));
  }
  void settle() { loop->run_ready(); }
  /// Sends `pieces` one by one on a new connection and returns everything heard without waiting.
  std::string converse(const std::vector<std::string_view>& pieces) {
    const auto peer = connect();
    for (const std::string_view piece : pieces) {
      peer->stream->send(piece);
      settle();
    }
    settle();
    return peer->received;
  }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  TestHandler handler;
  std::unique_ptr<HttpServer> server;
};

inline constexpr std::string_view kDate = "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n";

/// The bytes of a JSON reply; `extra` are header lines between the date and the length.
inline std::string json_reply(std::string_view body, std::string_view extra = "") {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + std::string(kDate) +
         std::string(extra) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

/// The bytes of a refusal as TestHandler words it.
inline std::string refusal(int status) {
  return "HTTP/1.1 " + std::to_string(status) + " " + std::string(reason_phrase(status)) + "\r\n" +
         std::string(kDate) + "Connection: close\r\nContent-Length: 0\r\n\r\n";
}

}  // namespace squall::transport::test
