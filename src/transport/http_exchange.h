#pragma once

#include "squall/transport/http.h"

namespace squall::transport {

class HttpConnection;

/// The exchange of the request that a connection is answering. The two know each other by plain
/// pointers, and whichever goes first tells the other.
class ConnectionExchange final : public HttpExchange,
                                 public std::enable_shared_from_this<ConnectionExchange> {
 public:
  using Handler = std::move_only_function<void()>;

  ConnectionExchange(HttpConnection& connection, runtime::Loop& loop)
      : connection_(&connection), loop_(loop) {}
  /// An exchange that nobody holds any more can't be answered, so the connection does.
  ~ConnectionExchange() override;

  void add_header(std::string_view name, std::string_view value) override;
  void reply(HttpReply reply) override;
  void reply_json(int status, std::string_view body) override;
  void open(const HttpReply& head, std::string_view first) override;
  void write(std::string_view bytes) override;
  void finish() override;
  void drop(bool reset) override;
  [[nodiscard]] bool open_for_writing() const override;
  [[nodiscard]] std::size_t pending() const override;
  void on_gone(Handler handler) override;
  void on_drained(Handler handler) override;
  [[nodiscard]] runtime::Loop& loop() override { return loop_; }
  [[nodiscard]] std::string peer() const override;

  /// For the connection: it has nothing more to do with this exchange. The handlers go, because
  /// what they hold may be what holds the exchange; so this may destroy it.
  void detach() noexcept;
  /// Detaches because the peer is gone; the handler to call about it.
  [[nodiscard]] Handler detach_gone() noexcept;
  void tell_drained();

 private:
  HttpConnection* connection_;
  runtime::Loop& loop_;
  bool streaming_ = false;
  bool peer_gone_ = false;
  Handler gone_;
  Handler drained_;
};

}  // namespace squall::transport
