#include "logging.h"

#include <stdexcept>

#include <gmock/gmock.h>

#include "squall/base/text.h"
#include "squall/server/registry.h"
#include "squall/server/serve.h"

namespace squall::server {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Keeps its lines, without the time.
class KeptLog final : public Log {
 public:
  explicit KeptLog(Severity least) : Log(least) {}
  std::vector<std::string> lines;

 private:
  void take(Severity severity, std::string_view event,
            std::initializer_list<LogField> fields) override {
    lines.push_back(log_line(LogFormat::text, {}, severity, event, fields).substr(25));
  }
};

constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}})";

/// A server on virtual time whose log is kept.
class Logging : public testing::Test,
                protected transport::MessageChannel::Receiver,
                protected runtime::ByteStream::Receiver {
 protected:
  void start(Severity least) {
    log = std::make_shared<KeptLog>(least);
    mcp::Implementation info;
    info.name = "t";
    info.version = "1";
    Registry registry(std::move(info));
    registry.tool("plain").describe("x").handle(
        [](Context&) -> ToolResult { throw std::runtime_error("the password is 1234"); });
    registry.tool("slow").describe("x").handle([](Context& context) -> Task<ToolResult> {
      co_await context.sleep(1ms);
      throw 7;
    });
    registry.tool("hang").describe("x").handle([](Context& context) -> Task<ToolResult> {
      co_await context.wait_forever();
      co_return ToolResult();
    });
    EngineOptions options;
    options.log = log;
    engine = std::make_unique<Engine>(registry.compile().value(), options);
  }

  void open_channel() {
    auto pair = transport::make_channel_pair(*loop);
    endpoint = make_channel_endpoint(*loop, *engine, std::move(pair.second));
    channel = std::move(pair.first);
    channel->start(*this);
  }
  void say(std::string_view message) {
    channel->send(message);
    loop->advance(10ms);
  }
  void call(int id, std::string_view tool) {
    say(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
        R"(,"method":"tools/call","params":{"name":")" + std::string(tool) + "\"," +
        std::string(kMeta) + "}}");
  }
  /// The reply to raw bytes over HTTP.
  std::string request(std::string_view bytes) {
    const auto http = make_http_endpoint(*loop, *engine, {});
    transport::HttpServer server(*loop, *http);
    auto [near, far] = runtime::make_stream_pair(*loop);
    server.accept(std::move(near));
    heard.clear();
    far->start(*this);
    far->send(bytes);
    loop->advance(10ms);
    return heard;
  }

  void on_message(std::string text) override { heard += text + "\n"; }
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End) override {}
  void on_bytes(std::string_view bytes) override { heard += bytes; }
  void on_drained() override {}

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  std::shared_ptr<KeptLog> log;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<transport::MessageChannel> channel;
  std::unique_ptr<ChannelEndpoint> endpoint;
  std::string heard;
};

TEST_F(Logging, ExceptionsAreTheLogsAlone) {
  start(Severity::info);
  open_channel();
  call(1, "plain");
  call(2, "slow");
  EXPECT_THAT(log->lines, ElementsAre(R"(error handler_exception method=tools/call target=plain )"
                                      R"(what="the password is 1234")",
                                      R"(error handler_exception method=tools/call target=slow )"
                                      R"(what="no std::exception")"));
  EXPECT_THAT(heard, HasSubstr("\"isError\":true"));
  EXPECT_THAT(heard, Not(HasSubstr("password")));
}

TEST_F(Logging, BadMessagesAreShownByLengthAndBeginning) {
  start(Severity::info);
  open_channel();
  say("\x1b[31m not JSON");
  say(R"({"jsonrpc":"2.0","id":1,"method":7,"secret":"swordfish"})");
  EXPECT_THAT(log->lines, ElementsAre(R"(warning bad_message why="parse error" bytes=14 )"
                                      R"(begins="\\x1b[31m not JSON")",
                                      testing::StartsWith("warning bad_message why=")));
  EXPECT_THAT(log->lines.at(1), Not(HasSubstr("swordfish")));
}

TEST_F(Logging, SessionsAreShownByTheBeginningOfTheirId) {
  start(Severity::info);
  const std::string hello =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})";
  const std::string reply = request(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Accept: application/json, text/event-stream\r\nContent-Length: " +
      std::to_string(hello.size()) + "\r\n\r\n" + hello);
  const std::size_t at = base::to_lower(reply).find("mcp-session-id: ");
  ASSERT_NE(at, std::string::npos) << reply;
  const std::string id = reply.substr(at + 16, 36);
  const std::string shown = " session=" + id.substr(0, 8) + " revision=2025-11-25";
  request("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: " + id + "\r\n\r\n");
  EXPECT_THAT(log->lines, ElementsAre("info session_opened" + shown, "info session_ended" + shown));
}

TEST_F(Logging, RefusalsNameTheHostOrTheOrigin) {
  start(Severity::info);
  request("GET /mcp HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer abc\r\n\r\n");
  request("GET /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n");
  request("nonsense\r\n\r\n");
  ASSERT_EQ(log->lines.size(), 3U);
  EXPECT_EQ(log->lines[0], "warning refused why=host value=evil.example");
  EXPECT_EQ(log->lines[1], "warning refused why=origin value=http://evil.example");
  EXPECT_THAT(log->lines[2], HasSubstr("info refused why="));
  EXPECT_THAT(log->lines[2], HasSubstr("value=400"));
}

TEST_F(Logging, EveryMessageIsALineWhenDebugging) {
  start(Severity::debug);
  open_channel();
  call(1, "hang");
  say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  say(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
  EXPECT_THAT(log->lines,
              ElementsAre("debug request method=tools/call id=1 target=hang revision=2026-07-28",
                          "debug notification method=notifications/cancelled id=null",
                          "debug cancelled method=tools/call id=1",
                          R"(debug request method=ping id="\"p\"" target="" revision=2025-11-25)",
                          R"(debug response method=ping id="\"p\"" error=0 bytes=38)"));
}

}  // namespace
}  // namespace squall::server
