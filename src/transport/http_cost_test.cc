#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>

#include "squall/transport/http.h"

// Counts what the server takes from the heap. A program of its own, because it replaces new.

namespace {

std::size_t allocations = 0;
std::size_t bytes_in_use = 0;

void* counted(std::size_t size) {
  void* const block = std::malloc(size);
  if (block == nullptr) std::abort();
  ++allocations;
  bytes_in_use += malloc_usable_size(block);
  return block;
}

void uncounted(void* block) noexcept {
  if (block != nullptr) bytes_in_use -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
// The sorts of the standard library ask in this way, and would get the sanitizer's own block.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void operator delete(void* block) noexcept { uncounted(block); }
void operator delete(void* block, std::size_t) noexcept { uncounted(block); }

namespace squall::transport {
namespace {

/// A stream that takes everything at once, and costs nothing itself.
class Sink final : public runtime::ByteStream {
 public:
  explicit Sink(Receiver*& receiver) : receiver_(receiver) {}
  void start(Receiver& receiver) override { receiver_ = &receiver; }
  void pause() override {}
  void resume() override {}
  void send(std::string_view) override {}
  [[nodiscard]] std::size_t pending() const override { return 0; }
  void finish() override {}
  void close() override {}
  void reset() override {}
  [[nodiscard]] std::string peer() const override { return ""; }

 private:
  Receiver*& receiver_;
};

class Handler final : public HttpHandler {
 public:
  std::optional<HttpReply> on_head(const HttpRequest&) override { return std::nullopt; }
  void on_request(HttpRequest request, std::shared_ptr<HttpExchange> exchange) override {
    if (request.method == "POST") return exchange->reply_json(200, R"({"result":{}})");
    kept = std::move(exchange);
    kept->open({}, "");
  }
  HttpReply on_refused(int status, std::string_view) override {
    return HttpReply{.status = status};
  }
  std::shared_ptr<HttpExchange> kept;
};

constexpr std::string_view kPost =
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type: application/json\r\n"
    "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n"
    "Content-Length: 46\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";

TEST(HttpCost, OfAKeptAliveRequestIsThreeAllocations) {
  const auto loop = runtime::SimulatedLoop::make();
  Handler handler;
  HttpServer server(*loop, handler);
  runtime::ByteStream::Receiver* connection = nullptr;
  server.accept(std::make_unique<Sink>(connection));
  connection->on_bytes(kPost);
  const std::size_t before = allocations;
  for (int i = 0; i < 100; ++i) connection->on_bytes(kPost);
  EXPECT_LE(allocations - before, 300U);
}

TEST(HttpCost, OfAnIdleOrStreamingConnectionIsSmall) {
  const auto loop = runtime::SimulatedLoop::make();
  Handler handler;
  HttpServer server(*loop, handler);
  std::vector<std::shared_ptr<HttpExchange>> streams(1000);
  const std::size_t before = bytes_in_use;
  for (std::size_t left = streams.size(); left > 0; --left) {
    runtime::ByteStream::Receiver* connection = nullptr;
    server.accept(std::make_unique<Sink>(connection));
    for (std::size_t i = 0; i < kPost.size(); ++i) connection->on_bytes(kPost.substr(i, 1));
    EXPECT_EQ(handler.kept, nullptr);
  }
  const std::size_t idle = (bytes_in_use - before) / streams.size();
  RecordProperty("idle_bytes", static_cast<int>(idle));
  EXPECT_LT(idle, 750U);
  for (auto& stream : streams) {
    runtime::ByteStream::Receiver* connection = nullptr;
    server.accept(std::make_unique<Sink>(connection));
    connection->on_bytes("GET /mcp HTTP/1.1\r\nHost: h\r\n\r\n");
    stream = std::exchange(handler.kept, nullptr);
  }
  const std::size_t streaming = (bytes_in_use - before) / streams.size() - idle;
  RecordProperty("streaming_bytes", static_cast<int>(streaming));
  EXPECT_LT(streaming, 950U);
}

}  // namespace
}  // namespace squall::transport
