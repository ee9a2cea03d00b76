#include "squall/proxy/stdio_proxy.h"

#include <csignal>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "squall/cases/verify.h"
#include "squall/fault/profile.h"

namespace squall::proxy {
namespace {

/// A client on the other end of a proxy's standard streams, in one process with it.
class Client {
 public:
  Client() {
    make(to_proxy_);
    make(from_proxy_);
    make(errors_);
  }
  ~Client() {
    for (const int fd : open_) ::close(fd);
  }
  /// Writes all and ends; the pipe holds it.
  void say(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    EXPECT_EQ(::write(to_proxy_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void end() { close(to_proxy_[1]); }

  Result<StdioEnd> run(const std::string& rules, std::vector<std::string> server,
                       RelayOptions relay = {}) {
    auto profile = fault::read_profile("test.yaml", "squall: 1\nname: test\nseed: 7\nrules:" +
                                                        (rules.empty() ? " []\n" : "\n" + rules));
    EXPECT_TRUE(profile.has_value()) << (profile ? "" : profile.error().message);
    inject::InjectorOptions inject;
    inject.record = true;
    inject.surroundings.transport = fault::Transport::stdio;
    auto injector = inject::Injector::make(*std::move(profile), fault::Seed{7}, inject);
    EXPECT_TRUE(injector.has_value()) << (injector ? "" : injector.error().message);
    const auto loop = runtime::SystemLoop::make();
    StdioStreams streams;
    streams.input = loop->adopt(give(to_proxy_[0]), -1, "stdin");
    streams.output = loop->adopt(-1, give(from_proxy_[1]), "stdout");
    streams.errors = loop->adopt(-1, give(errors_[1]), "stderr");
    StdioOptions options;
    options.server.command = std::move(server);
    options.relay = std::move(relay);
    options.relay.recorder = &recorder;
    options.watch_signals = false;
    options.message_bytes_max = message_bytes_max;
    options.tell = [this](std::string_view line) { told += std::string(line) + "\n"; };
    auto end = run_stdio_proxy(*loop, **injector, std::move(streams), std::move(options));
    fired.clear();
    for (const auto& [rule, times] : (*injector)->fired()) fired[rule] = times;
    return end;
  }
  /// What the proxy wrote to its stdout, and to its stderr.
  std::string heard() { return drain(from_proxy_[0]); }
  std::string errors() { return drain(errors_[0]); }

  recording::MemoryRecorder recorder;
  std::size_t message_bytes_max = std::size_t{1} << 20;
  std::string told;
  std::map<std::string, std::uint64_t> fired;

 private:
  void make(int (&ends)[2]) {
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
    open_.insert(open_.end(), {ends[0], ends[1]});
  }
  void close(int fd) { ::close(give(fd)); }
  int give(int fd) {
    std::erase(open_, fd);
    return fd;
  }
  static std::string drain(int fd) {
    std::string out;
    char buffer[4096];
    for (ssize_t n; (n = ::read(fd, buffer, sizeof buffer)) > 0;) {
      out.append(buffer, static_cast<std::size_t>(n));
    }
    return out;
  }
  int to_proxy_[2]{};
  int from_proxy_[2]{};
  int errors_[2]{};
  std::vector<int> open_;
};

const std::vector<std::string> kEcho = {"cat"};

std::string call(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":"t","arguments":{"n":)" + std::to_string(id) +
         "}}}";
}

TEST(StdioProxy, PassesBytesAndTheEnd) {
  Client client;
  const std::string odd = "{ \"x\" : 1.0e+2,\t\"id\":1.50 }";
  client.say({odd, call(1), "not JSON \xff"});
  client.end();
  const auto end = client.run("", kEcho);
  ASSERT_TRUE(end.has_value()) << end.error().message;
  EXPECT_EQ(end->exit_code, 0);
  EXPECT_EQ(client.heard(), odd + "\n" + call(1) + "\nnot JSON \xff\n");
}

TEST(StdioProxy, EndsAsTheServerDoesAndHandsOnItsStderr) {
  Client client;
  const auto end = client.run("", {"sh", "-c", "echo trouble >&2; exit 7"});
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit_code, 7);
  EXPECT_EQ(client.errors(), "trouble\n");
  EXPECT_NE(client.told.find("exit code 7"), std::string::npos);
  Client other;
  EXPECT_EQ(other.run("", {"sh", "-c", "kill -9 $$"})->exit_code, 128 + SIGKILL);
}

TEST(StdioProxy, AServerThatCannotStartIsAnError) {
  Client client;
  EXPECT_FALSE(client.run("", {"/no/such/program"}).has_value());
}

TEST(StdioProxy, DelaysAMessageAndNotTheOthers) {
  Client client;
  client.say({call(1), call(2)});
  client.end();
  ASSERT_TRUE(client.run("  - {id: h, fault: hang, until: 20ms, calls: [1]}\n", kEcho).has_value());
  EXPECT_EQ(client.heard(), call(2) + "\n" + call(1) + "\n");
  EXPECT_EQ(client.fired["h"], 1U);
}

TEST(StdioProxy, AnswersInPlaceOfTheServer) {
  Client client;
  client.say({call(1)});
  client.end();
  ASSERT_TRUE(
      client
          .run("  - {id: e, fault: rpc-error, code: -32603, message: no, execute: before}\n", kEcho)
          .has_value());
  const std::string heard = client.heard();
  EXPECT_NE(heard.find(R"("error":{"code":-32603,"message":"no")"), std::string::npos) << heard;
  EXPECT_EQ(heard.find("tools/call"), std::string::npos);
}

TEST(StdioProxy, ACrashTakesTheServerAlong) {
  Client client;
  client.say({call(1)});
  const auto end = client.run("  - {id: c, fault: crash, exit-code: 3, messages: 1}\n", kEcho);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit_code, 3);
  Client other;
  const auto killed = other.run("  - {id: c, fault: crash, signal: segv, messages: 1}\n",
                                {"sh", "-c", "echo '{}'; cat"});
  ASSERT_TRUE(killed.has_value());
  EXPECT_EQ(killed->exit_code, 128 + SIGSEGV);
}

TEST(StdioProxy, ASlowStartHoldsTheFirstWord) {
  Client client;
  client.say({call(1)});
  client.end();
  const std::string rules = "  - {id: s, fault: slow-start, delay: 30ms}\n";
  ASSERT_TRUE(client.run(rules, kEcho).has_value());
  EXPECT_EQ(client.heard(), call(1) + "\n");
  std::chrono::nanoseconds first{};
  for (const auto& event : client.recorder.events()) {
    const auto* message = std::get_if<recording::Message>(&event.body);
    if (message != nullptr && message->from == recording::Party::server) first = event.at;
  }
  EXPECT_GE(first, std::chrono::milliseconds(30));
}

TEST(StdioProxy, APausedServerIsContinued) {
  Client client;
  client.say({call(1)});
  client.end();
  ASSERT_TRUE(client.run("  - {id: p, fault: pause, for: 30ms}\n", kEcho).has_value());
  EXPECT_EQ(client.heard(), call(1) + "\n");
}

TEST(StdioProxy, LinesLeaveInPiecesTogetherOrOtherwiseEnded) {
  const auto heard = [](const std::string& rule) {
    Client client;
    client.say({call(1), call(2), call(3)});
    client.end();
    EXPECT_TRUE(client.run("  - " + rule + "\n", kEcho).has_value());
    EXPECT_EQ(client.fired.size(), 1U) << rule;
    return client.heard();
  };
  const std::string all = call(1) + "\n" + call(2) + "\n" + call(3) + "\n";
  EXPECT_EQ(heard("{id: r, fault: stdout-split, bytes: 7}"), all);
  EXPECT_EQ(heard("{id: r, fault: stdout-split, join: true}"), all);
  EXPECT_EQ(heard("{id: r, fault: line-ending, variant: crlf}"),
            call(1) + "\r\n" + call(2) + "\r\n" + call(3) + "\r\n");
  EXPECT_EQ(heard("{id: r, fault: stdout-noise, text: banner}"),
            "MCP server v1.0 running on stdio\n" + all);
  EXPECT_EQ(heard("{id: r, fault: stdin-stall, variant: stdout-closed}"), "");
}

TEST(StdioProxy, FloodsStderr) {
  Client client;
  client.say({call(1)});
  client.end();
  ASSERT_TRUE(client.run("  - {id: f, fault: stderr-flood, size: 10kb}\n", kEcho).has_value());
  EXPECT_EQ(client.errors().size(), 10'000U);
  EXPECT_EQ(client.heard(), call(1) + "\n");
}

TEST(StdioProxy, OversizeLinesAreSkippedAndTold) {
  Client client;
  client.message_bytes_max = 1000;
  client.say({std::string(1001, 'y'), "{}"});
  client.end();
  ASSERT_TRUE(
      client.run("", {"sh", "-c", "head -c 2000 /dev/zero | tr '\\0' x; echo; cat"}).has_value());
  EXPECT_EQ(client.heard(), "{}\n");
  EXPECT_NE(client.told.find("a message of the server of 2000 bytes was skipped"),
            std::string::npos)
      << client.told;
  EXPECT_NE(client.told.find("a message of the client of 1001 bytes was skipped"),
            std::string::npos);
}

TEST(StdioProxy, WhatIsRecordedDecidesTheSameAgain) {
  Client client;
  std::vector<std::string> lines;
  for (int i = 0; i < 40; ++i) lines.push_back(call(i));
  client.say(lines);
  client.end();
  const std::string rules =
      "  - {id: d, fault: drop, probability: 0.2}\n"
      "  - {id: s, fault: stdout-noise, probability: 0.5}\n"
      "  - {id: e, fault: error, message: no, execute: before, probability: 0.3}\n";
  ASSERT_TRUE(client.run(rules, kEcho).has_value());
  EXPECT_GT(client.fired["d"], 0U);
  recording::Case recorded;
  recorded.events = client.recorder.events();
  recorded.header.scheme = fault::kScheme;
  recorded.header.seed = 7;
  recorded.header.scope = "run";
  const auto profile =
      fault::read_profile("test.yaml", "squall: 1\nname: test\nseed: 7\nrules:\n" + rules);
  recorded.header.profile = fault::to_json(*profile);
  const auto verified = cases::verify(recorded);
  ASSERT_TRUE(verified.has_value()) << verified.error().message;
  EXPECT_EQ(verified->outcome(), cases::Verification::Outcome::same);
  EXPECT_GE(verified->decisions, 41U);
  EXPECT_EQ(verified->unknown, 0U);
}

}  // namespace
}  // namespace squall::proxy
