#pragma once

#include <memory>
#include <optional>
#include <string>

#include "squall/server/outlet.h"
#include "squall/transport/http.h"

#include "keep_alive.h"
#include "request.h"
#include "session.h"
#include "session_streams.h"

namespace squall::server {

/// The head of an SSE reply.
[[nodiscard]] const transport::HttpReply& sse_head();

/// A stream of events on one exchange; opens with the first.
class EventStream {
 public:
  EventStream(std::shared_ptr<transport::HttpExchange> exchange,
              std::shared_ptr<KeepAlive> keep_alive)
      : exchange_(std::move(exchange)), keep_alive_(std::move(keep_alive)) {}
  [[nodiscard]] bool is_open() const noexcept { return open_; }
  [[nodiscard]] transport::HttpExchange& exchange() const noexcept { return *exchange_; }
  void open(std::string_view first);
  void send(std::string_view message, bool droppable);
  void finish() { exchange_->finish(); }

 private:
  std::shared_ptr<transport::HttpExchange> exchange_;
  std::shared_ptr<KeepAlive> keep_alive_;
  bool open_ = false;
};

/// 2026-07-28, and legacy calls where nothing can be resumed: one JSON reply, or a stream from the
/// moment something comes before the response.
class ReplyOutlet final : public Outlet {
 public:
  /// `session` is null for requests without one; `id` is the request's.
  ReplyOutlet(std::shared_ptr<transport::HttpExchange> exchange,
              std::shared_ptr<KeepAlive> keep_alive, std::shared_ptr<Session> session,
              jsonrpc::Id id)
      : stream_(std::move(exchange), std::move(keep_alive)),
        session_(std::move(session)),
        id_(std::move(id)) {}
  void send(std::string_view message, bool droppable) override;
  void finish(int status, std::string_view response) override;
  void abandon() override;
  void cut(Cut how, std::string_view last) override;
  [[nodiscard]] bool carries_requests() const override { return session_ != nullptr; }
  [[nodiscard]] bool choked(std::size_t share) const override;

 private:
  EventStream stream_;
  std::shared_ptr<Session> session_;
  jsonrpc::Id id_;
};

/// Legacy calls of a session whose streams can be resumed: always a stream.
class ResumableOutlet final : public Outlet {
 public:
  ResumableOutlet(std::shared_ptr<transport::HttpExchange> exchange,
                  std::shared_ptr<KeepAlive> keep_alive, std::shared_ptr<Session> session,
                  jsonrpc::Id id)
      : loop_(exchange->loop()),
        exchange_(std::move(exchange)),
        keep_alive_(std::move(keep_alive)),
        session_(std::move(session)),
        id_(std::move(id)) {}
  void wait() override { open(); }
  void send(std::string_view message, bool droppable) override;
  void finish(int status, std::string_view response) override;
  void abandon() override;
  void cut(Cut how, std::string_view last) override;
  [[nodiscard]] bool carries_requests() const override { return true; }
  void release() override;

 private:
  /// The stream, begun when it hasn't been.
  std::uint64_t open();
  runtime::Loop& loop_;
  std::shared_ptr<transport::HttpExchange> exchange_;  // until the stream has it
  std::shared_ptr<KeepAlive> keep_alive_;
  std::shared_ptr<Session> session_;
  jsonrpc::Id id_;
  std::optional<std::uint64_t> stream_;
};

}  // namespace squall::server
