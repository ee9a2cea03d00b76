#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/inject/command.h"
#include "squall/jsonrpc/message.h"
#include "squall/transport/http.h"

#include "wire.h"

namespace squall::proxy {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// A JSON-RPC error as the body of a response, and as a whole one.
[[nodiscard]] std::string error_body(int code, std::string_view message,
                                     const jsonrpc::Id& id = {});
[[nodiscard]] transport::HttpReply error_reply(int status, int code, std::string_view message);

/// The HTTP response to one request of a client, written by the server's rules, or by hand where a
/// shape says what is to be wrong with it.
class Reply final : public std::enable_shared_from_this<Reply> {
 public:
  Reply(std::shared_ptr<transport::HttpExchange> exchange, std::shared_ptr<Wire> wire);

  void shape(inject::Shape shape);
  [[nodiscard]] const std::optional<inject::Shape>& shape() const noexcept { return shape_; }

  [[nodiscard]] bool begun() const noexcept { return begun_; }
  [[nodiscard]] bool over() const noexcept { return over_; }
  [[nodiscard]] std::size_t pending() const;

  /// A whole response. Content-Type stands among the headers.
  void whole(unsigned status, Headers headers, std::string body);
  /// Begins one of unknown length.
  void open(unsigned status, Headers headers);
  void write(std::string_view bytes);
  void finish();
  /// Breaks off, begun or not.
  void cut(inject::Cut how);
  [[nodiscard]] transport::HttpExchange& exchange() { return *exchange_; }

 private:
  [[nodiscard]] bool by_hand() const;
  void adjust(unsigned& status, Headers& headers) const;
  void head_by_hand(unsigned status, const Headers& headers, std::optional<std::size_t> length);
  void body_by_hand(std::string_view bytes);
  void write_slice(std::string bytes);
  void end_by_hand();
  void leave(std::string bytes, std::chrono::nanoseconds after);

  std::shared_ptr<transport::HttpExchange> exchange_;
  std::shared_ptr<Wire> wire_;
  runtime::Loop& loop_;
  std::optional<inject::Shape> shape_;
  bool begun_ = false;
  bool over_ = false;
  bool chunked_ = false;
  bool hand_ = false;
  std::uint64_t body_bytes_ = 0;  // written, or on their way
  std::shared_ptr<Slowly> trickle_;
  std::size_t slices_ = 0;
};

}  // namespace squall::proxy
