#include <optional>
#include <vector>

#include "squall/jsonrpc/message.h"
#include "squall/mcp/names.h"
#include "squall/server/serve.h"
#include "squall/transport/sse.h"

namespace squall::server {

namespace {

using transport::HttpReply;

/// An exchange that keeps the reply. Of a stream only its last message stays, which is the
/// response: notifications have nobody to go to.
class KeptExchange final : public transport::HttpExchange {
 public:
  explicit KeptExchange(runtime::Loop& loop) : loop_(loop) {}
  [[nodiscard]] bool done() const noexcept { return done_; }
  [[nodiscard]] HttpReply take() {
    for (auto& header : added_) reply_.headers.push_back(std::move(header));
    return std::move(reply_);
  }

  void add_header(std::string_view name, std::string_view value) override {
    added_.emplace_back(name, value);
  }
  void reply(HttpReply reply) override {
    reply_ = std::move(reply);
    end();
  }
  void reply_json(int status, std::string_view body) override {
    reply_.status = status;
    reply_.content_type = "application/json";
    reply_.body = body;
    end();
  }
  void open(const HttpReply&, std::string_view first) override {
    reply_.content_type = "application/json";
    write(first);
  }
  void write(std::string_view bytes) override {
    static_cast<void>(events_.feed(bytes, [this](transport::SseReader::Event&& event) {
      if (!event.data.empty()) reply_.body = std::move(event.data);
    }));
  }
  void finish() override { end(); }
  void drop(bool) override { end(); }
  [[nodiscard]] bool open_for_writing() const override { return !done_; }
  [[nodiscard]] std::size_t pending() const override { return 0; }
  void on_gone(std::move_only_function<void()> handler) override { gone_ = std::move(handler); }
  void on_drained(std::move_only_function<void()>) override {}
  [[nodiscard]] runtime::Loop& loop() override { return loop_; }
  [[nodiscard]] std::string peer() const override { return "handle"; }

  /// Lets the request be cancelled: nobody waits for it any more.
  void give_up() {
    if (auto handler = std::exchange(gone_, nullptr)) handler();
  }

 private:
  void end() {
    done_ = true;
    loop_.stop();
  }
  runtime::Loop& loop_;
  transport::SseReader events_;
  HttpReply reply_;
  std::vector<std::pair<std::string, std::string>> added_;
  std::move_only_function<void()> gone_;
  bool done_ = false;
};

HttpReply timed_out() {
  HttpReply reply;
  reply.status = 504;
  reply.content_type = "application/json";
  jsonrpc::write_error(reply.body, {}, mcp::code::kTransport, "the request took too long");
  return reply;
}

/// What the server in front of a socket refuses while it reads.
HttpReply too_large() {
  HttpReply reply;
  reply.status = 413;
  reply.content_type = "application/json";
  jsonrpc::write_error(reply.body, {}, mcp::code::kTransport, "the body is too large");
  return reply;
}

}  // namespace

HttpReply handle_http(Engine& engine, transport::HttpRequest request,
                      const HandleOptions& options) {
  const auto loop = runtime::SystemLoop::make();
  HttpOptions http = options.http;
  http.sessions = false;
  const auto endpoint = make_http_endpoint(*loop, engine, http);
  if (auto reply = endpoint->on_head(request)) return *std::move(reply);
  if (request.body.size() > http.http.body_bytes_max) return too_large();
  const auto exchange = std::make_shared<KeptExchange>(*loop);
  endpoint->on_request(std::move(request), exchange);
  if (!exchange->done()) {
    loop->call_after(options.deadline, [&] { loop->stop(); });
    loop->hold();
    loop->run();
    loop->release();
  }
  if (exchange->done()) return exchange->take();
  exchange->give_up();
  return timed_out();
}

}  // namespace squall::server
