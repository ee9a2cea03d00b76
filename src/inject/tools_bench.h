#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/inject/fault_tools.h"
#include "squall/json/value.h"
#include "squall/server/engine.h"
#include "squall/server/serve.h"
#include "squall/transport/channel.h"

namespace squall::inject::test {

/// A client of an engine over an in-process pair of its own.
class Peer final : public transport::MessageChannel::Receiver {
 public:
  Peer(runtime::Loop& loop, server::Engine& engine);

  /// Shakes hands as a client of 2025-11-25; what it hears first is the answer.
  void initialize();
  void send(std::string_view message) { channel_->send(message); }
  /// Calls a tool as a legacy client does; `arguments` is JSON text.
  void call(int id, std::string_view tool, std::string_view arguments = "{}");
  /// The same under 2026-07-28.
  void call_modern(int id, std::string_view tool, std::string_view arguments = "{}");
  void cancel(int id);
  /// Goes away, as a client does that ends.
  void leave() { channel_ = nullptr; }
  /// The messages heard since it was last asked.
  [[nodiscard]] std::vector<std::string> take() { return std::exchange(heard_, {}); }
  [[nodiscard]] bool ended() const noexcept { return ended_.has_value(); }

  void on_message(std::string text) override { heard_.push_back(std::move(text)); }
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End end) override { ended_ = end; }

 private:
  std::unique_ptr<server::ChannelEndpoint> endpoint_;
  std::unique_ptr<transport::MessageChannel> channel_;
  std::vector<std::string> heard_;
  std::optional<runtime::End> ended_;
};

/// The fault tools on virtual time, and one client of them; more can join.
class ToolsBench final {
 public:
  explicit ToolsBench(FaultToolOptions options = {});
  ~ToolsBench();

  void initialize();
  void send(std::string_view message) { peer_->send(message); }
  void call(int id, std::string_view tool, std::string_view arguments = "{}") {
    peer_->call(id, tool, arguments);
  }
  void call_modern(int id, std::string_view tool, std::string_view arguments = "{}") {
    peer_->call_modern(id, tool, arguments);
  }
  /// Lets everything happen that needs no time, then `span`.
  void run(runtime::Duration span = {});
  /// The same; gives the messages that the client has heard since.
  std::vector<std::string> hear(runtime::Duration span = {});
  [[nodiscard]] bool ended() const noexcept { return peer_->ended(); }
  [[nodiscard]] Peer& peer() noexcept { return *peer_; }
  /// Another client; the bench outlives it.
  [[nodiscard]] std::unique_ptr<Peer> join();

  const std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();

 private:
  std::unique_ptr<server::Engine> engine_;
  std::unique_ptr<Peer> peer_;
};

/// The text of a tool result's only block, or "" when `message` is no such result.
[[nodiscard]] std::string text_of(std::string_view message);
[[nodiscard]] bool is_error(std::string_view message);

}  // namespace squall::inject::test
