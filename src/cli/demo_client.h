#pragma once

#include <coroutine>
#include <cstdint>
#include <string>
#include <string_view>

#include "squall/base/result.h"
#include "squall/json/value.h"
#include "squall/runtime/loop.h"
#include "squall/runtime/task.h"
#include "squall/transport/http_client.h"

/// @file The least that can call an MCP server of 2026-07-28 over HTTP: what `squall demo` needs.

namespace squall::cli {

/// The whole reply to one HTTP request.
struct ExchangeReply {
  int status = 0;
  std::string content_type;
  std::string body;
};

/// `co_await Exchange(...)`: one HTTP request and its whole reply.
class Exchange final : public transport::HttpClientHandler {
 public:
  // Not nested: to clang a nested aggregate with initializers is not yet constructible here.
  using Reply = ExchangeReply;

  Exchange(transport::HttpClientConnection& connection, transport::HttpClientRequest request);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange();

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiter);
  [[nodiscard]] Result<Reply> await_resume();

  void on_response(const transport::HttpClientResponse& response) override;
  void on_body(std::string_view bytes) override;
  void on_done() override;
  void on_failed(const Error& error, bool sent) override;

 private:
  void wake();
  transport::HttpClientConnection& connection_;
  transport::HttpClientRequest request_;
  std::coroutine_handle<> waiter_;
  Result<Reply> reply_ = Reply();
  bool under_way_ = false;
};

/// A client of one server.
class DemoClient {
 public:
  /// `loop` outlives it.
  DemoClient(runtime::Loop& loop, const transport::Url& url);

  /// Sends a request and gives the `result` of its reply; a JSON-RPC error fails. `name` is what
  /// the header Mcp-Name repeats of the parameters, or "".
  Task<Result<json::Value>> call(std::string method, std::string name, json::Value params);

 private:
  [[nodiscard]] transport::HttpClientRequest make_request(const std::string& method,
                                                          const std::string& name,
                                                          json::Value params);
  transport::HttpClientConnection connection_;
  std::string target_;
  std::int64_t last_id_ = 0;
};

/// The `result` in the reply to request `id`.
[[nodiscard]] Result<json::Value> read_reply(const Exchange::Reply& reply, std::int64_t id);

}  // namespace squall::cli
