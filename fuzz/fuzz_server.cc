#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "squall/base/assert.h"
#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/jsonrpc/message.h"
#include "squall/server/engine.h"
#include "squall/server/registry.h"
#include "squall/server/serve.h"

// The whole server under any bytes, on virtual time. The first byte chooses: lines over a channel,
// raw HTTP, the value of one header, or a cursor. Every reply must be JSON-RPC, what was asked must
// be answered once, and the server must go on to serve others.
namespace {

using namespace squall;
using namespace std::chrono_literals;

constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}})";

std::shared_ptr<const server::Pipeline> pipeline() {
  mcp::Implementation info;
  info.name = "fuzz";
  info.version = "1";
  server::Registry registry(std::move(info));
  registry.tool("echo").describe("x").handle([](server::Context& context) {
    return server::ToolResult::text(json::to_string(context.arguments()));
  });
  registry.tool("delay").describe("x").handle(
      [](server::Context& context) -> Task<server::ToolResult> {
        context.progress(1, 2, "half");
        co_await context.sleep(1ms);
        co_return server::ToolResult::text("late");
      });
  registry.tool("hang").describe("x").handle(
      [](server::Context& context) -> Task<server::ToolResult> {
        co_await context.wait_forever();
        co_return server::ToolResult();
      });
  registry.tool("job")
      .describe("x")
      .tasks(server::TaskSupport::optional)
      .handle([](server::Context& context) -> Task<server::Outcome<server::ToolResult>> {
        context.become_task();
        const json::Value* roots = context.ask("roots", server::list_roots());
        if (roots == nullptr) co_return context.need_input();
        context.set_task_message("working");
        co_await context.sleep(1ms);
        co_return server::ToolResult::text("done");
      });
  return registry.compile().value();
}

std::unique_ptr<server::Engine> make_engine() {
  static const auto compiled = pipeline();
  server::EngineOptions options;
  options.resume.enabled = true;
  options.sessions_max = 4;
  return std::make_unique<server::Engine>(compiled, options);
}

/// Reads a message of ours; whether it is a response.
bool check_message(std::string_view text) {
  const auto value = json::parse(text);
  SQUALL_ASSERT(value.has_value());
  if (value->is_array()) return true;
  SQUALL_ASSERT(value->find_string("jsonrpc") == "2.0");
  const bool call = value->find("method") != nullptr;
  const bool result = value->find("result") != nullptr;
  const bool error = value->find("error") != nullptr;
  SQUALL_ASSERT(call + result + error == 1);
  return !call;
}

// ---- Lines

struct Listener final : transport::MessageChannel::Receiver {
  void on_message(std::string text) override {
    if (check_message(text)) ++responses;
    constexpr std::string_view kTask = "\"taskId\":\"";
    constexpr std::size_t kTaskBytes = 36;
    const std::size_t at = text.find(kTask);
    if (at != std::string::npos) task = text.substr(at + kTask.size(), kTaskBytes);
  }
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End) override {}
  std::size_t responses = 0;
  std::string task;  ///< the id of the one heard of last
};

/// The line, with the id that no input can foresee put for its name.
std::string with_task(std::string_view line, std::string_view task) {
  constexpr std::string_view kName = "TASKID";
  std::string out(line);
  const std::size_t at = out.find(kName);
  if (at != std::string::npos) out.replace(at, kName.size(), task);
  return out;
}

/// How many responses the lines must get; nothing when that depends on what they cancel.
std::optional<std::size_t> responses_due(const std::vector<std::string>& lines) {
  std::size_t due = 0;
  for (const std::string& line : lines) {
    const auto value = json::parse(line);
    const auto message = value ? jsonrpc::read_message(*value)
                               : std::expected<jsonrpc::Message, jsonrpc::BadMessage>(
                                     std::unexpected(jsonrpc::BadMessage{}));
    if (value && value->is_array() && !value->items().empty()) return std::nullopt;
    if (message && message->kind != jsonrpc::MessageKind::request) {
      if (message->method.find("cancelled") != std::string_view::npos) return std::nullopt;
      continue;
    }
    ++due;
  }
  return due;
}

void play_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    // Blank lines get no answer.
    const bool blank = line.find_first_not_of(" \t") == std::string_view::npos;
    if (!blank && line.find('\r') == std::string_view::npos) lines.push_back(line);
  }
  const auto engine = make_engine();
  const auto loop = runtime::SimulatedLoop::make();
  auto [near, far] = transport::make_channel_pair(*loop);
  const auto endpoint = server::make_channel_endpoint(*loop, *engine, std::move(far));
  Listener listener;
  near->start(listener);
  std::vector<std::string> sent;  // what a name became can change what the line asks for
  for (const std::string_view line : lines) {
    sent.push_back(with_task(line, listener.task));
    near->send(sent.back());
    while (loop->run_ready()) {
    }
  }
  near->send(R"({"jsonrpc":"2.0","id":"the last one","method":"tools/list"})");
  loop->advance(10ms);
  endpoint->stop(true);
  loop->advance(1ms);
  if (const auto due = responses_due(sent)) SQUALL_ASSERT(listener.responses == *due + 1);
}

// ---- HTTP

struct Peer final : runtime::ByteStream::Receiver {
  void on_bytes(std::string_view bytes) override { heard += bytes; }
  void on_end(runtime::End) override {}
  std::string heard;
};

std::string value_of(std::string_view head, std::string_view name) {
  const std::string lower = base::to_lower(head);
  const std::size_t at = lower.find("\r\n" + std::string(name) + ": ");
  if (at == std::string::npos) return {};
  const std::size_t from = at + name.size() + 4;
  return lower.substr(from, lower.find('\r', from) - from);
}

/// Reads replies up to the first that streams; gives the status of the last.
int check_replies(std::string_view heard) {
  int status = 0;
  while (heard.starts_with("HTTP/1.1 ")) {
    const std::size_t end = heard.find("\r\n\r\n");
    SQUALL_ASSERT(end != std::string_view::npos);
    const std::string_view head = heard.substr(0, end + 2);
    heard.remove_prefix(end + 4);
    status = std::stoi(std::string(head.substr(9, 3)));
    if (value_of(head, "content-type") == "text/event-stream") return status;
    const std::string length = value_of(head, "content-length");
    const std::size_t size = length.empty() ? 0 : std::stoul(length);
    SQUALL_ASSERT(size <= heard.size());
    if (value_of(head, "content-type") == "application/json") check_message(heard.substr(0, size));
    heard.remove_prefix(size);
  }
  SQUALL_ASSERT(heard.empty());
  return status;
}

std::string post(std::string_view body, std::string_view name, std::string_view value) {
  std::string out = "POST /mcp HTTP/1.1\r\n";
  const std::vector<std::pair<std::string_view, std::string_view>> usual = {
      {"Host", "localhost"},
      {"Content-Type", "application/json"},
      {"Accept", "application/json, text/event-stream"},
      {"MCP-Protocol-Version", "2026-07-28"},
      {"Mcp-Method", "tools/list"}};
  for (const auto& [usual_name, usual_value] : usual) {
    if (usual_name != name) out.append(usual_name).append(": ").append(usual_value).append("\r\n");
  }
  if (!name.empty()) out.append(name).append(": ").append(value).append("\r\n");
  return out + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

std::string list(std::string_view cursor) {
  std::string body = R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{)";
  if (!cursor.empty()) {
    body += "\"cursor\":";
    json::write_string(body, cursor);
    body += ',';
  }
  return body + std::string(kMeta) + "}}";
}

class HttpBench {
 public:
  HttpBench() : server_(*loop_, *endpoint_) {}

  std::string ask(std::string_view bytes) {
    auto [near, far] = runtime::make_stream_pair(*loop_);
    server_.accept(std::move(near));
    Peer peer;
    far->start(peer);
    far->send(bytes);
    loop_->advance(5ms);
    return peer.heard;
  }

 private:
  std::unique_ptr<runtime::SimulatedLoop> loop_ = runtime::SimulatedLoop::make();
  std::unique_ptr<server::Engine> engine_ = make_engine();
  std::unique_ptr<server::HttpEndpoint> endpoint_ =
      server::make_http_endpoint(*loop_, *engine_, {});
  transport::HttpServer server_;
};

void play_http(std::string_view text, std::uint8_t choice) {
  constexpr std::string_view kNames[] = {"Host",           "Accept",   "Content-Type",
                                         "Mcp-Method",     "Mcp-Name", "MCP-Protocol-Version",
                                         "Mcp-Session-Id", "Origin"};
  if (text.find("HEAD") != std::string_view::npos) return;  // its replies tell lengths of nothing
  HttpBench bench;
  if (choice == 1) {
    check_replies(bench.ask(text));
  } else if (choice == 2 && !text.empty()) {
    const auto which = static_cast<std::uint8_t>(text.front()) % std::size(kNames);
    check_replies(bench.ask(post(list({}), kNames[which], text.substr(1))));
    check_replies(
        bench.ask("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
                  "Last-Event-ID: " +
                  std::string(text) + "\r\n\r\n"));
  } else {
    check_replies(bench.ask(post(list(text), {}, {})));
  }
  SQUALL_ASSERT(check_replies(bench.ask(post(list({}), {}, {}))) == 200);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::uint8_t choice = data[0] % 4;
  if (choice == 0) {
    play_lines(text);
  } else {
    play_http(text, choice);
  }
  return 0;
}
