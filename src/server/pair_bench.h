#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/assert.h"
#include "squall/json/parse.h"
#include "squall/server/serve.h"

namespace squall::server::test {

/// A server over an in-process pair of channels on virtual time, and what its peer hears.
class PairBench final : public transport::MessageChannel::Receiver {
 public:
  explicit PairBench(const Registry& registry, EngineOptions options = {})
      : engine(compiled(registry), options) {
    auto [near, far] = transport::make_channel_pair(*loop);
    endpoint_ = make_channel_endpoint(*loop, engine, std::move(near));
    peer_ = std::move(far);
    peer_->start(*this);
  }

  /// Sends a message and gives what comes of it without waiting.
  std::vector<std::string> say(std::string_view text) {
    peer_->send(text);
    return hear();
  }
  /// Calls a tool without arguments and gives what came back, as JSON.
  json::Value call(std::string_view tool) {
    const std::vector<std::string> heard =
        say(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
            std::string(tool) + R"("}})");
    return heard.empty() ? json::Value() : json::parse(heard.back()).value_or(json::Value());
  }
  std::vector<std::string> hear(runtime::Duration span = {}) {
    while (loop->run_ready()) {
    }
    if (span.count() != 0) loop->advance(span);
    while (loop->run_ready()) {
    }
    return std::exchange(heard_, {});
  }

  void on_message(std::string text) override { heard_.push_back(std::move(text)); }
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End) override {}

  const std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  Engine engine;

 private:
  static std::shared_ptr<const Pipeline> compiled(const Registry& registry) {
    auto pipeline = registry.compile();
    SQUALL_ASSERT(pipeline.has_value());
    return *pipeline;
  }
  std::unique_ptr<ChannelEndpoint> endpoint_;
  std::unique_ptr<transport::MessageChannel> peer_;
  std::vector<std::string> heard_;
};

/// The text of a tool result's first block, or "".
inline std::string text_of(const json::Value& response) {
  const json::Value* result = response.find("result");
  const json::Value* content = result != nullptr ? result->find("content") : nullptr;
  if (content == nullptr || content->size() == 0) return {};
  return std::string(content->items()[0].find_string("text").value_or(""));
}

}  // namespace squall::server::test
