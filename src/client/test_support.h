#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "squall/client/client.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/transport/channel.h"

/// @file A client on virtual time, and servers that do what a test tells them.

namespace squall::client::test {

using namespace std::chrono_literals;

inline json::Value value_of(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value ? *std::move(value) : json::Value();
}

/// Keeps what it sees.
class Witness final : public Observer {
 public:
  void on_sent(std::string_view message) override { sent.emplace_back(message); }
  void on_received(std::string_view message) override { received.emplace_back(message); }
  void on_report(const Report& report) override { reports.push_back(report); }
  void on_http(std::string_view method, int status) override {
    http.push_back(std::string(method) + " " + std::to_string(status));
  }
  [[nodiscard]] int count(Report::Kind kind) const {
    int found = 0;
    for (const Report& report : reports) found += report.kind == kind ? 1 : 0;
    return found;
  }
  [[nodiscard]] int sent_with(std::string_view part) const {
    int found = 0;
    for (const std::string& text : sent) found += text.find(part) != std::string::npos ? 1 : 0;
    return found;
  }

  std::vector<std::string> sent;
  std::vector<std::string> received;
  std::vector<Report> reports;
  std::vector<std::string> http;
};

/// Runs a loop of virtual time until `done`; false after an hour of it.
inline bool run_until(runtime::SimulatedLoop& loop, const std::function<bool()>& done) {
  const auto limit = loop.now() + 1h;
  while (!done()) {
    if (loop.run_ready()) continue;
    if (loop.now() > limit) return false;
    loop.advance(10ms);
  }
  return true;
}

/// Waits for a task that was started by hand.
template <typename T>
T wait_for(runtime::SimulatedLoop& loop, Task<T> task) {
  EXPECT_TRUE(run_until(loop, [&task] { return task.done(); }));
  return task.take();
}

/// Runs a task to its end.
template <typename T>
T finish(runtime::SimulatedLoop& loop, Task<T> task) {
  task.start();
  EXPECT_TRUE(run_until(loop, [&task] { return task.done(); }));
  return task.take();
}

/// One end of a channel pair: hears what the client sends, and says what a test wants.
class ScriptedPeer final : private transport::MessageChannel::Receiver {
 public:
  using OnMessage = std::function<void(ScriptedPeer&, const json::Value&)>;

  ScriptedPeer(std::unique_ptr<transport::MessageChannel> channel, OnMessage on_message)
      : on_message_(std::move(on_message)), channel_(std::move(channel)) {
    channel_->start(*this);
  }
  void say(std::string_view text) { channel_->send(text); }
  /// `"result"` members without braces, to a request.
  void answer(const json::Value& request, std::string_view members) {
    say(R"({"jsonrpc":"2.0","id":)" + json::to_string(*request.find("id")) + R"(,"result":{)" +
        std::string(members) + "}}");
  }
  void refuse(const json::Value& request, int code, std::string_view data = "null") {
    say(R"({"jsonrpc":"2.0","id":)" + json::to_string(*request.find("id")) +
        R"(,"error":{"code":)" + std::to_string(code) + R"(,"message":"no","data":)" +
        std::string(data) + "}}");
  }
  void hang_up() { channel_->close(); }
  void stop_reading() { channel_->pause(); }

  std::vector<json::Value> heard;
  bool ended = false;

 private:
  void on_message(std::string text) override {
    heard.push_back(value_of(text));
    const json::Value message = heard.back();
    on_message_(*this, message);
  }
  void on_oversize(std::size_t /*bytes*/) override {}
  void on_end(runtime::End /*end*/) override { ended = true; }

  OnMessage on_message_;
  std::unique_ptr<transport::MessageChannel> channel_;
};

inline std::string_view method_of(const json::Value& message) {
  return message.find_string("method").value_or("");
}

/// The handshake of either era; whether the message was part of it.
inline bool shake_hands(ScriptedPeer& peer, const json::Value& message, bool modern) {
  const std::string_view method = method_of(message);
  if (method == "server/discover") {
    if (modern) {
      peer.answer(message, R"("supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},)"
                           R"("resultType":"complete","ttlMs":0,"cacheScope":"private")");
    } else {
      peer.refuse(message, -32601);
    }
    return true;
  }
  if (method == "initialize") {
    peer.answer(message, R"("protocolVersion":"2025-11-25","capabilities":{"tools":)"
                         R"({"listChanged":true}},"serverInfo":{"name":"s","version":"1"})");
    return true;
  }
  return method == "notifications/initialized";
}

/// A client and a scripted peer, connected in process.
class ChannelBench {
 public:
  explicit ChannelBench(bool modern, ScriptedPeer::OnMessage script, Options options = {})
      : modern_(modern) {
    auto [near, far] = transport::make_channel_pair(*loop);
    auto on_message = [this, script = std::move(script)](ScriptedPeer& from,
                                                         const json::Value& message) {
      if (!shake_hands(from, message, modern_)) script(from, message);
    };
    peer = std::make_unique<ScriptedPeer>(std::move(far), std::move(on_message));
    options.observer = &witness;
    client = std::make_unique<Client>(*loop, over_channel(*loop, std::move(near)), options);
  }
  void connect() {
    const Outcome<Server> server = finish(*loop, client->connect());
    ASSERT_TRUE(server.has_value()) << server.error().message;
    ASSERT_EQ(client->is_modern(), modern_);
  }
  Outcome<ToolResult> call(std::string name, CallOptions options = CallOptions()) {
    return finish(*loop, client->call_tool(std::move(name), json::Value(), std::move(options)));
  }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  Witness witness;
  std::unique_ptr<ScriptedPeer> peer;
  std::unique_ptr<Client> client;

 private:
  bool modern_;
};

/// Members of a complete tool result with one text block.
inline std::string text_result(std::string_view text) {
  std::string out = R"("content":[{"type":"text","text":)";
  json::write_string(out, text);
  return out + R"(}],"resultType":"complete")";
}

}  // namespace squall::client::test
