#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "squall/client/client.h"
#include "squall/transport/channel.h"

/// @file A client and a hostile server: each line of the input is a message from the server, whose
/// `$` stands for the id of the newest request. Whatever comes, nothing hangs, and each call ends
/// once.

namespace {

using namespace squall;
using namespace std::chrono_literals;

constexpr std::size_t kLinesMax = 200;

class HostileServer final : public transport::MessageChannel::Receiver {
 public:
  HostileServer(std::unique_ptr<transport::MessageChannel> its_channel, std::string_view script)
      : channel(std::move(its_channel)), script_(script) {
    channel->start(*this);
  }
  void on_message(std::string text) override {
    const std::size_t id = text.find(R"("id":)");
    if (id != std::string::npos) id_ = text.substr(id + 5, text.find(',', id) - id - 5);
    say_line();
  }
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End) override {}
  void say_line() {
    if (script_.empty() || lines_++ > kLinesMax) return;
    const std::size_t end = script_.find('\n');
    std::string line;
    for (const char c : script_.substr(0, end)) {
      if (c == '$') {
        line += id_;
      } else if (c != '\r') {
        line += c;
      }
    }
    script_.remove_prefix(end == std::string_view::npos ? script_.size() : end + 1);
    channel->send(line);
  }

  std::unique_ptr<transport::MessageChannel> channel;

 private:
  std::string_view script_;
  std::string id_ = "1";
  std::size_t lines_ = 0;
};

class Watcher final : public client::SubscriptionListener {
 public:
  void on_change(const client::Change&) override {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view script(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto loop = runtime::SimulatedLoop::make();
  auto [near, far] = transport::make_channel_pair(*loop);
  client::Options options;
  options.negotiation =
      (data[0] & 1) != 0 ? client::Negotiation::modern : client::Negotiation::automatic;
  options.noise = (data[0] & 2) != 0 ? client::Noise::fail : client::Noise::skip;
  options.capabilities.elicitation_form = (data[0] & 4) != 0;
  options.capabilities.roots = true;
  options.timeout = 1s;
  options.jitter = [] { return 0.5; };
  HostileServer server(std::move(far), script);
  client::Client subject(*loop, client::over_channel(*loop, std::move(near)), options);
  auto connect = subject.connect();
  connect.start();
  Watcher watcher;
  auto subscription = subject.subscribe(client::Interest::in_all({"a:1"}), watcher);
  auto listing = subject.list_tools();
  auto call = subject.call_tool("t", json::Value());
  auto read = subject.read_resource("a:1");
  listing.start();
  call.start();
  read.start();
  for (std::size_t line = 0; line < kLinesMax; ++line) {
    loop->run_ready();
    server.say_line();
  }
  loop->advance(1h);
  if (!connect.done() || !listing.done() || !call.done() || !read.done()) __builtin_trap();
  subscription.reset();
  return 0;
}
