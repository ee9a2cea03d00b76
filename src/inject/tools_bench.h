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

/// A client of the fault tools over an in-process pair, on virtual time.
class ToolsBench final : public transport::MessageChannel::Receiver {
 public:
  explicit ToolsBench(FaultToolOptions options = {});
  ~ToolsBench();

  /// Shakes hands as a client of 2025-11-25.
  void initialize();
  void send(std::string_view message) { peer_->send(message); }
  /// Calls a tool as a legacy client does; `arguments` is JSON text.
  void call(int id, std::string_view tool, std::string_view arguments = "{}");
  /// The same under 2026-07-28.
  void call_modern(int id, std::string_view tool, std::string_view arguments = "{}");
  /// Lets everything happen that needs no time, then `span`; gives the messages heard since.
  std::vector<std::string> hear(runtime::Duration span = {});
  [[nodiscard]] bool ended() const noexcept { return ended_.has_value(); }

  void on_message(std::string text) override { heard_.push_back(std::move(text)); }
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End end) override { ended_ = end; }

  const std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();

 private:
  std::unique_ptr<server::Engine> engine_;
  std::unique_ptr<server::ChannelEndpoint> endpoint_;
  std::unique_ptr<transport::MessageChannel> peer_;
  std::vector<std::string> heard_;
  std::optional<runtime::End> ended_;
};

/// The text of a tool result's only block, or "" when `message` is no such result.
[[nodiscard]] std::string text_of(std::string_view message);
[[nodiscard]] bool is_error(std::string_view message);

}  // namespace squall::inject::test
