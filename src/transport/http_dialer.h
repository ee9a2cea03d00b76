#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "squall/transport/http_client.h"

#include "http_parser.h"
#include "http_text.h"

namespace squall::transport {

/// A way to the origin that is open for requests, but for the handshake of TLS: that goes on behind
/// what is sent, and `tls`, then not null, knows why it failed.
struct DialedStream {
  std::unique_ptr<runtime::ByteStream> stream;
  const TlsClientStream* tls = nullptr;  // the same object
};

/// Opens one connection along its route: TCP, the proxy's TLS and tunnel, the origin's TLS.
/// Destroying it gives up, in silence.
class HttpDialer final : public runtime::ByteStream::Receiver {
 public:
  using Handler = std::move_only_function<void(Result<DialedStream>)>;
  /// Everything given outlives it. Each step has `step_timeout`.
  HttpDialer(runtime::Loop& loop, const Url& origin, const HttpRoute& route,
             std::chrono::milliseconds step_timeout)
      : loop_(loop), origin_(origin), route_(route), step_timeout_(step_timeout) {}
  ~HttpDialer() { loop_.cancel(timer_); }
  HttpDialer(const HttpDialer&) = delete;
  HttpDialer& operator=(const HttpDialer&) = delete;

  /// Once. `handler` is called from the loop and may destroy the dialer.
  void dial(Handler handler);

  void on_bytes(std::string_view bytes) override;
  void on_end(runtime::End end) override;

 private:
  void on_connected(std::unique_ptr<runtime::ByteStream> stream);
  void ask_for_tunnel();
  void read_tunnel_reply();
  void wrap(const std::string& host);
  void finish();
  void fail_with(ErrorKind kind, std::string message);

  runtime::Loop& loop_;
  const Url& origin_;
  const HttpRoute& route_;
  const std::chrono::milliseconds step_timeout_;
  Handler handler_;
  DialedStream dialed_;
  runtime::TimerId timer_ = runtime::TimerId::none;
  std::string reply_;  // of the proxy
  HeadScanner scanner_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>();  // expires with us, for the connect
};

}  // namespace squall::transport
