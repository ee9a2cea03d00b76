#include "tools_bench.h"

#include "squall/base/assert.h"
#include "squall/json/parse.h"

namespace squall::inject::test {

namespace {

constexpr std::string_view kEnvelope =
    R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}})";

std::string call_text(int id, std::string_view tool, std::string_view arguments,
                      std::string_view more) {
  std::string out = R"({"jsonrpc":"2.0","id":)" + std::to_string(id);
  out += R"(,"method":"tools/call","params":{"name":")" + std::string(tool);
  out += R"(","arguments":)" + std::string(arguments) + std::string(more) + "}}";
  return out;
}

}  // namespace

Peer::Peer(runtime::Loop& loop, server::Engine& engine) {
  auto [near, far] = transport::make_channel_pair(loop);
  endpoint_ = server::make_channel_endpoint(loop, engine, std::move(near));
  channel_ = std::move(far);
  channel_->start(*this);
}

void Peer::initialize() {
  send(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{)"
       R"("protocolVersion":"2025-11-25","capabilities":{},)"
       R"("clientInfo":{"name":"test","version":"1"}}})");
  send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
}

void Peer::call(int id, std::string_view tool, std::string_view arguments) {
  send(call_text(id, tool, arguments, ""));
}

void Peer::call_modern(int id, std::string_view tool, std::string_view arguments) {
  send(call_text(id, tool, arguments, kEnvelope));
}

void Peer::cancel(int id) {
  send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
       std::to_string(id) + "}}");
}

ToolsBench::ToolsBench(FaultToolOptions options) {
  server::Registry registry({.name = "faults", .version = "1"});
  add_fault_tools(registry, options);
  auto pipeline = registry.compile();
  SQUALL_ASSERT(pipeline.has_value());
  engine_ = std::make_unique<server::Engine>(*std::move(pipeline));
  peer_ = join();
}

ToolsBench::~ToolsBench() = default;

std::unique_ptr<Peer> ToolsBench::join() { return std::make_unique<Peer>(*loop, *engine_); }

void ToolsBench::initialize() {
  peer_->initialize();
  hear();
}

void ToolsBench::run(runtime::Duration span) {
  while (loop->run_ready()) {
  }
  if (span.count() != 0) loop->advance(span);
  while (loop->run_ready()) {
  }
}

std::vector<std::string> ToolsBench::hear(runtime::Duration span) {
  run(span);
  return peer_->take();
}

std::string text_of(std::string_view message) {
  const auto parsed = json::parse(message);
  const json::Value* result = parsed ? parsed->find("result") : nullptr;
  const json::Value* content = result != nullptr ? result->find("content") : nullptr;
  if (content == nullptr || content->size() != 1) return {};
  return std::string(content->items()[0].find_string("text").value_or(""));
}

bool is_error(std::string_view message) {
  const auto parsed = json::parse(message);
  const json::Value* result = parsed ? parsed->find("result") : nullptr;
  const json::Value* flag = result != nullptr ? result->find("isError") : nullptr;
  return flag != nullptr && flag->boolean();
}

}  // namespace squall::inject::test
