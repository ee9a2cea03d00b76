#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>

#include "squall/base/assert.h"
#include "squall/runtime/frame_pool.h"
#include "squall/server/serve.h"

// Counts what a served request, an idle session and an open stream take from the heap, and the
// writes that a reply takes. A program of its own, because it replaces new.

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

namespace squall::server {
namespace {

/// The client's end of a connection: counts the writes to it and keeps the last one, at no cost.
struct Peer {
  runtime::ByteStream::Receiver* server = nullptr;
  std::size_t writes = 0;
  std::string last;
};

class Sink final : public runtime::ByteStream {
 public:
  explicit Sink(Peer& peer) : peer_(peer) {}
  void start(Receiver& receiver) override { peer_.server = &receiver; }
  void pause() override {}
  void resume() override {}
  void send(std::string_view bytes) override {
    ++peer_.writes;
    peer_.last = bytes;
  }
  [[nodiscard]] std::size_t pending() const override { return 0; }
  void finish() override {}
  void close() override {}
  void reset() override {}
  [[nodiscard]] std::string peer() const override { return ""; }

 private:
  Peer& peer_;
};

std::string post(std::string_view headers, std::string_view body) {
  return "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type: application/json\r\n"
         "Accept: application/json, text/event-stream\r\n" +
         std::string(headers) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

const std::string kModernCall =
    post("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n",
         R"({"jsonrpc":"2.0","id":100000001,"method":"tools/call","params":{"name":"echo",)"
         R"("arguments":{"text":"xxxxx"},"_meta":{)"
         R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},)"
         R"("io.modelcontextprotocol/clientCapabilities":{}}}})");

const std::string kListen =
    post("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n",
         R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{)"
         R"("notifications":{"toolsListChanged":true},"_meta":{)"
         R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{}}}})");

const std::string kInitialize =
    post("", R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{)"
             R"("protocolVersion":"2025-11-25","capabilities":{},)"
             R"("clientInfo":{"name":"test","version":"1"}}})");

std::string legacy_call(std::string_view session) {
  return post(
      "MCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: " + std::string(session) + "\r\n",
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo",)"
      R"("arguments":{"text":"xxxxx"}}})");
}

std::shared_ptr<const Pipeline> make_pipeline() {
  Registry registry({.name = "cost", .version = "1.0.0"});
  registry.tool("echo")
      .input(R"({"type": "object", "properties": {"text": {"type": "string"}}})")
      .handle([](Context& context) { return ToolResult::text(context.text("text")); });
  auto pipeline = registry.compile();
  SQUALL_ASSERT(pipeline.has_value());
  return *pipeline;
}

EngineOptions options_with_sessions(std::size_t sessions_max) {
  EngineOptions options;
  options.sessions_max = sessions_max;
  return options;
}

EngineOptions options_with_resumption() {
  EngineOptions options;
  options.resume.enabled = true;
  return options;
}

/// A server over HTTP whose clients are peers in memory.
class ServerCost : public testing::Test {
 protected:
  explicit ServerCost(EngineOptions options = {})
      : engine_(make_pipeline(), options),
        endpoint_(make_http_endpoint(*loop_, engine_, {})),
        server_(std::make_unique<transport::HttpServer>(*loop_, *endpoint_)) {}

  void connect(Peer& peer) { server_->accept(std::make_unique<Sink>(peer)); }

  /// Initializes a session on a connection; gives its id.
  static std::string open_session(Peer& peer) {
    peer.server->on_bytes(kInitialize);
    constexpr std::string_view kHeader = "\r\nMcp-Session-Id: ";
    const std::size_t from = peer.last.find(kHeader);
    SQUALL_ASSERT(from != std::string::npos);
    return peer.last.substr(from + kHeader.size(), 36);
  }

  std::unique_ptr<runtime::SimulatedLoop> loop_ = runtime::SimulatedLoop::make();
  Engine engine_;
  std::unique_ptr<HttpEndpoint> endpoint_;
  std::unique_ptr<transport::HttpServer> server_;
};

TEST_F(ServerCost, OfAModernCallIsAFewAllocationsAndOneWrite) {
  constexpr std::size_t kCalls = 100;
  Peer peer;
  connect(peer);
  peer.server->on_bytes(kModernCall);
  ASSERT_NE(peer.last.find(R"("text":"xxxxx")"), std::string::npos) << peer.last;
  const std::size_t before = allocations;
  const std::size_t writes = peer.writes;
  for (std::size_t i = 0; i < kCalls; ++i) peer.server->on_bytes(kModernCall);
  RecordProperty("allocations", static_cast<int>((allocations - before) / kCalls));
  EXPECT_LE(allocations - before, 8 * kCalls);
  EXPECT_EQ(peer.writes - writes, kCalls);
}

TEST_F(ServerCost, OfRequestsThatCameTogetherIsOneWrite) {
  Peer peer;
  connect(peer);
  peer.server->on_bytes(kModernCall + kModernCall + kModernCall);
  EXPECT_EQ(peer.writes, 1U);
}

TEST_F(ServerCost, OfAnOpenListenIsSmall) {
  constexpr std::size_t kStreams = 1'000;
  std::vector<Peer> peers(kStreams + 1);
  for (Peer& peer : peers) peer.last.reserve(1'024);
  connect(peers.back());
  peers.back().server->on_bytes(kListen);
  const std::size_t before = bytes_in_use;
  for (std::size_t i = 0; i < kStreams; ++i) {
    connect(peers[i]);
    peers[i].server->on_bytes(kListen);
    ASSERT_NE(peers[i].last.find("acknowledged"), std::string::npos) << peers[i].last;
  }
  const std::size_t each = (bytes_in_use - before) / kStreams;
  RecordProperty("bytes", static_cast<int>(each));
  EXPECT_LT(each, 2'000U);
}

/// Takes a reply and does nothing with it.
class MuteExchange final : public transport::HttpExchange {
 public:
  explicit MuteExchange(runtime::Loop& loop) : loop_(loop) {}
  void add_header(std::string_view, std::string_view) override {}
  void reply(transport::HttpReply) override {}
  void reply_json(int, std::string_view) override {}
  void open(const transport::HttpReply&, std::string_view) override {}
  void write(std::string_view) override {}
  void finish() override {}
  void drop(bool) override {}
  [[nodiscard]] bool open_for_writing() const override { return true; }
  [[nodiscard]] std::size_t pending() const override { return 0; }
  void on_gone(std::move_only_function<void()>) override {}
  void on_drained(std::move_only_function<void()>) override {}
  [[nodiscard]] runtime::Loop& loop() override { return loop_; }
  [[nodiscard]] std::string peer() const override { return ""; }

 private:
  runtime::Loop& loop_;
};

struct Id {
  std::string id;
};
SQUALL_DESCRIBE(Id, id)

struct Tenant {
  int number = 0;
};

class PassingStage final : public Stage {
 public:
  Task<Outcome<ToolResult>> around(std::string_view, Context&, const Next& next) override {
    Task<Outcome<ToolResult>> task = next();
    co_return co_await std::move(task);
  }
};

transport::HttpRequest request_for(std::string_view tool) {
  transport::HttpRequest request;
  request.method = "POST";
  request.target = "/mcp";
  request.path = "/mcp";
  request.headers = {{"Host", "127.0.0.1"},
                     {"Content-Type", "application/json"},
                     {"MCP-Protocol-Version", "2026-07-28"},
                     {"Mcp-Method", "tools/call"},
                     {"Mcp-Name", tool}};
  request.body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
                 std::string(tool) +
                 R"(","arguments":{"action":"get","id":"INV-7"},"_meta":{)"
                 R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                 R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
  return request;
}

/// The number of allocations when the handler last ran.
std::size_t at_handler = 0;

std::shared_ptr<const Pipeline> typed_pipeline(bool stages) {
  Registry registry({.name = "cost", .version = "1.0.0"});
  registry.context([](Context&) { return Tenant(); });
  auto action = registry.query<Id>("billing.get");
  action.use([](Tenant&) -> Checked { return {}; }).use([](Context&) -> Checked { return {}; });
  if (stages) {
    action.use(std::make_shared<PassingStage>()).use(std::make_shared<PassingStage>());
  }
  action.constrain(&Id::id, schema::pattern("^INV-[0-9]+$")).handle([](Tenant&, const Id& in) {
    at_handler = allocations;
    return in.id;
  });
  return *registry.compile();
}

/// The most that the engine allocates of the global heap from a call's arrival to its handler, once
/// it is warm. `arrive` lets the call with that number in.
template <typename F>
std::size_t most_before_handler(runtime::SimulatedLoop& loop, const F& arrive) {
  constexpr std::size_t kCalls = 20;
  std::size_t most = 0;
  for (std::size_t i = 0; i < kCalls; ++i) {
    at_handler = 0;
    const std::size_t before = allocations;
    arrive(i);
    while (loop.run_ready()) {
    }
    SQUALL_ASSERT(at_handler != 0);
    if (i >= kCalls / 2) most = std::max(most, at_handler - before);
  }
  return most;
}

std::size_t allocations_before_handler(bool stages) {
  Engine engine(typed_pipeline(stages));
  const auto loop = runtime::SimulatedLoop::make();
  const auto endpoint = make_http_endpoint(*loop, engine, {});
  const auto exchange = std::make_shared<MuteExchange>(*loop);
  std::vector<transport::HttpRequest> requests;
  for (int i = 0; i < 20; ++i) requests.push_back(request_for("billing"));
  return most_before_handler(
      *loop, [&](std::size_t i) { endpoint->on_request(std::move(requests[i]), exchange); });
}

/// A channel that hands messages straight to the server, and hears what it says for nothing.
class MuteChannel final : public transport::MessageChannel {
 public:
  explicit MuteChannel(Receiver*& server) : server_(server) {}
  void start(Receiver& receiver) override { server_ = &receiver; }
  void send(std::string_view) override {}
  [[nodiscard]] std::size_t pending() const override { return 0; }
  void pause() override {}
  void resume() override {}
  void finish() override {}
  void close() override {}

 private:
  Receiver*& server_;
};

std::string message_for(std::string_view tool, bool modern) {
  std::string text = request_for(tool).body;
  if (!modern) text.replace(text.find(R"(,"_meta")"), std::string::npos, "}}");
  return text;
}

std::size_t allocations_on_a_channel(bool stages, bool modern) {
  Engine engine(typed_pipeline(stages));
  const auto loop = runtime::SimulatedLoop::make();
  transport::MessageChannel::Receiver* server = nullptr;
  const auto endpoint = make_channel_endpoint(*loop, engine, std::make_unique<MuteChannel>(server));
  if (!modern) {
    server->on_message(kInitialize.substr(kInitialize.find('{')));
    while (loop->run_ready()) {
    }
  }
  std::vector<std::string> messages(20, message_for("billing", modern));
  return most_before_handler(*loop,
                             [&](std::size_t i) { server->on_message(std::move(messages[i])); });
}

/// As over stdio: lines of a stream.
std::size_t allocations_on_a_line(bool stages) {
  Engine engine(typed_pipeline(stages));
  const auto loop = runtime::SimulatedLoop::make();
  Peer peer;
  const auto endpoint = make_channel_endpoint(
      *loop, engine, transport::make_line_channel(std::make_unique<Sink>(peer)));
  const std::string line = message_for("billing", true) + "\n";
  return most_before_handler(*loop, [&](std::size_t) { peer.server->on_bytes(line); });
}

/// Under a sanitizer there is no pool: what it would give comes from the heap, one by one.
std::size_t allocations_of_no_pool() {
  constexpr std::size_t kBytes = 64;
  runtime::free_pooled(runtime::allocate_pooled(kBytes), kBytes);
  const std::size_t before = allocations;
  runtime::free_pooled(runtime::allocate_pooled(kBytes), kBytes);
  constexpr std::size_t kFramesMax = 16;
  return allocations == before ? 0 : kFramesMax;
}

TEST(EngineCost, OfAWarmTypedCallIsNoAllocationBeforeItsHandler) {
  EXPECT_LE(allocations_before_handler(false), allocations_of_no_pool());
}

TEST(EngineCost, OfAWarmCallThroughStagesIsNoAllocationBeforeItsHandlerEither) {
  EXPECT_LE(allocations_before_handler(true), allocations_of_no_pool());
}

TEST(EngineCost, OfAWarmCallOnAChannelIsNoAllocationEither) {
  for (const bool stages : {false, true}) {
    for (const bool modern : {false, true}) {
      EXPECT_LE(allocations_on_a_channel(stages, modern), allocations_of_no_pool())
          << stages << modern;
    }
    EXPECT_LE(allocations_on_a_line(stages), allocations_of_no_pool() + 1)  // the line's own text
        << stages;
  }
}

class SessionCost : public ServerCost {
 protected:
  static constexpr std::size_t kSessions = 2'000;
  SessionCost() : ServerCost(options_with_sessions(kSessions + 1)) {}
};

TEST_F(SessionCost, OfAnIdleOneIsUnderAKilobyte) {
  Peer peer;
  connect(peer);
  peer.last.reserve(2'048);
  static_cast<void>(open_session(peer));
  const std::size_t before = bytes_in_use;
  for (std::size_t i = 0; i < kSessions; ++i) peer.server->on_bytes(kInitialize);
  ASSERT_EQ(engine_.session_count(), kSessions + 1);
  const std::size_t each = (bytes_in_use - before) / kSessions;
  RecordProperty("bytes", static_cast<int>(each));
  EXPECT_LT(each, 1'000U);
}

class ResumableCost : public ServerCost {
 protected:
  ResumableCost() : ServerCost(options_with_resumption()) {}
};

TEST_F(ResumableCost, OfAFramedReplyIsOneWriteToo) {
  Peer peer;
  connect(peer);
  const std::string call = legacy_call(open_session(peer));
  const std::size_t writes = peer.writes;
  peer.server->on_bytes(call);
  EXPECT_EQ(peer.writes - writes, 1U);
  EXPECT_NE(peer.last.find("event: message"), std::string::npos) << peer.last;
  EXPECT_TRUE(peer.last.ends_with("\r\n0\r\n\r\n"));
}

}  // namespace
}  // namespace squall::server
