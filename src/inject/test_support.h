#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "squall/fault/profile.h"
#include "squall/inject/injector.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

/// @file A relay without wires, for tests: a server of a few answers, an injector, and what a
/// client would see of it.

namespace squall::inject {

inline fault::Profile profile_of(const std::string& rules) {
  auto profile =
      fault::read_profile("test.yaml", "squall: 1\nname: test\nseed: 7\nrules:\n" + rules);
  EXPECT_TRUE(profile.has_value()) << (profile ? "" : profile.error().message) << "\n" << rules;
  return profile ? *std::move(profile) : fault::Profile{};
}

inline json::Value value_of(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value ? *std::move(value) : json::Value();
}

/// What became of one message of the client.
struct Seen {
  std::vector<Command> commands;    ///< in all
  std::vector<std::string> client;  ///< what the client was sent, untouched or not
  std::vector<std::string> upstream;
  std::vector<recording::EventBody> records;
  bool untouched = true;
  [[nodiscard]] std::string text() const {
    std::string out;
    for (const Command& command : commands) out += to_text(command) + "\n";
    return out;
  }
  template <typename T>
  [[nodiscard]] const T* find() const {
    for (const Command& command : commands) {
      if (const T* one = std::get_if<T>(&command)) return one;
    }
    return nullptr;
  }
};

class MiniRelay {
 public:
  using Server = std::function<std::vector<std::string>(const json::Value& request)>;

  explicit MiniRelay(const std::string& rules, InjectorOptions options = {}, fault::Seed seed = {7})
      : MiniRelay(profile_of(rules), options, seed) {}
  MiniRelay(fault::Profile profile, InjectorOptions options, fault::Seed seed) {
    options.record = true;
    auto made = Injector::make(std::move(profile), seed, options);
    EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message);
    injector_ = *std::move(made);
    place.connection = 1;
    place.process = 1;
    place.revision = "2025-11-25";
    place.transport = fault::Transport::http;
    server = answer_as_usual;
  }

  Injector& injector() { return *injector_; }
  Place place{};
  std::chrono::nanoseconds now{};
  Server server;
  bool on_stream = false;
  std::vector<Header> headers;

  /// Sends a message of the client and plays everything that follows from it.
  Seen send(std::string_view bytes) {
    Seen seen;
    const Exchange exchange = ++arrivals_;
    const json::Value message = value_of(bytes);
    ClientMessage arrival;
    arrival.exchange = exchange;
    arrival.place = place;
    arrival.bytes = bytes;
    arrival.message = &message;
    arrival.http_method = "POST";
    arrival.headers = headers;
    arrival.now = now;
    take(injector_->on(arrival), exchange, bytes, Send::To::upstream, seen);
    return seen;
  }
  Seen call(std::string_view tool, std::string_view arguments = "{}", std::string_view meta = "") {
    return send(R"({"jsonrpc":"2.0","id":)" + std::to_string(++ids_) +
                R"(,"method":"tools/call","params":{"name":")" + std::string(tool) +
                R"(","arguments":)" + std::string(arguments) + std::string(meta) + "}}");
  }
  Seen request(std::string_view method, std::string_view params = "{}") {
    return send(R"({"jsonrpc":"2.0","id":)" + std::to_string(++ids_) + R"(,"method":")" +
                std::string(method) + R"(","params":)" + std::string(params) + "}");
  }
  /// A message of the server that answers nothing.
  Seen serve(std::string_view bytes, Exchange exchange = 0) {
    Seen seen;
    serve(bytes, exchange, seen);
    return seen;
  }
  Seen open(Opened::What what, Exchange exchange = 0) {
    Seen seen;
    take(injector_->on(Opened{what, place, exchange, now}), 0, {}, Send::To::client, seen);
    return seen;
  }
  Seen end(Ended::What what, Exchange exchange) {
    Seen seen;
    take(injector_->on(Ended{what, exchange, place, now}), 0, {}, Send::To::client, seen);
    return seen;
  }
  /// A request without a message.
  Seen bare(std::string_view method) {
    Seen seen;
    ClientMessage arrival;
    arrival.exchange = ++arrivals_;
    arrival.place = place;
    arrival.http_method = method;
    arrival.now = now;
    take(injector_->on(arrival), arrival.exchange, {}, Send::To::upstream, seen);
    return seen;
  }
  Seen wake(std::uint64_t token) {
    Seen seen;
    take(injector_->on(Woken{token, now}), 0, {}, Send::To::client, seen);
    return seen;
  }
  [[nodiscard]] Exchange last() const noexcept { return arrivals_; }

  static std::vector<std::string> answer_as_usual(const json::Value& request);

 private:
  void take(Reaction reaction, Exchange exchange, std::string_view bytes, Send::To to, Seen& seen) {
    for (auto& record : reaction.records) seen.records.push_back(std::move(record));
    if (reaction.untouched) {
      EXPECT_TRUE(reaction.commands.empty());
      if (!bytes.empty()) pass(exchange, std::string(bytes), to, seen);
      return;
    }
    seen.untouched = false;
    for (const Command& command : reaction.commands) seen.commands.push_back(command);
    for (const Command& command : reaction.commands) {
      if (const Send* send = std::get_if<Send>(&command)) {
        pass(exchange, send->bytes ? *send->bytes : std::string(bytes), send->to, seen);
      }
    }
  }
  void pass(Exchange exchange, std::string bytes, Send::To to, Seen& seen) {
    if (to == Send::To::client) {
      seen.client.push_back(std::move(bytes));
      return;
    }
    seen.upstream.push_back(bytes);
    const auto message = json::parse(bytes);
    if (!message || !message->contains("id")) return;
    for (const std::string& answer : server(*message)) serve(answer, exchange, seen);
  }
  void serve(std::string_view bytes, Exchange exchange, Seen& seen) {
    ServerMessage message;
    message.in = ++server_arrivals_ + 1'000'000;
    message.exchange = exchange;
    message.place = place;
    message.bytes = bytes;
    message.on_stream = on_stream;
    message.now = now;
    take(injector_->on(message), exchange, bytes, Send::To::client, seen);
  }

  std::unique_ptr<Injector> injector_;
  std::uint64_t arrivals_ = 0;
  std::uint64_t server_arrivals_ = 0;
  int ids_ = 0;
};

}  // namespace squall::inject
