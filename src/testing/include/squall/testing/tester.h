#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/json/value.h"
#include "squall/mcp/revision.h"
#include "squall/runtime/loop.h"
#include "squall/server/engine.h"

namespace squall::testing {

struct TesterOptions {
  mcp::Revision revision = mcp::kLatestModern;
  server::CompileOptions compile{};
  server::EngineOptions engine{};
  /// Sent with every request, as a user's own client would.
  std::vector<std::pair<std::string, std::string>> headers{};
  json::Value capabilities = json::Value::object();  ///< of the client
  /// Answers what the server asks ("elicitation/create"): the result. Null refuses.
  std::function<json::Value(std::string_view method, const json::Value& params)> answer{};
  /// Virtual time that a request may take.
  std::chrono::milliseconds patience{120'000};
};

/// What became of one call.
struct Call {
  json::Value result;                                            ///< null after a protocol error
  json::Value error;                                             ///< the protocol error, or null
  json::Value data;                                              ///< structured content, or null
  std::vector<std::string> blocks;                               ///< the text blocks, in order
  std::vector<std::string> rules;                                ///< of a presenter
  std::vector<std::pair<std::string, std::string>> suggestions;  ///< action and reason
  std::vector<json::Value> notifications;                        ///< that came before the result
  bool is_error = false;  ///< of the tool, or of the protocol
  std::string code;       ///< of a tool error: "NOT_FOUND"; else ""
  int status = 0;         ///< of HTTP; 0: no answer came in time
  std::string wire;       ///< the body of the last reply, as it came

  /// The first text block, or "".
  [[nodiscard]] std::string_view text() const {
    return blocks.empty() ? std::string_view() : std::string_view(blocks.front());
  }
};

/// A client of a server in the same thread: HTTP, sessions and all, on virtual time. Nothing
/// sleeps, and a test that passes once passes always.
///
/// ```cpp
/// Tester tester(registry);
/// const Call call = tester.call("billing", json::Value::object({{"action", "get"}, ...}));
/// EXPECT_EQ(call.code, "NOT_FOUND");
/// ```
class Tester {
 public:
  /// A registry that doesn't compile ends the test program, with its mistakes.
  explicit Tester(const server::Registry& registry, TesterOptions options = {});
  ~Tester();
  Tester(const Tester&) = delete;
  Tester& operator=(const Tester&) = delete;

  /// Calls a tool to its end, over as many rounds of questions as it takes.
  [[nodiscard]] Call call(std::string_view tool, json::Value arguments = json::Value::object());
  /// As above, of an action: by the discriminator, or by its flat name, as the server shows it.
  [[nodiscard]] Call call(std::string_view tool, std::string_view action, json::Value arguments);
  /// Any other request.
  [[nodiscard]] Call request(std::string_view method, json::Value params = json::Value::object());

  [[nodiscard]] server::Engine& engine() noexcept;
  [[nodiscard]] runtime::SimulatedLoop& loop() noexcept;
  /// The legacy session's id; "" on 2026-07-28.
  [[nodiscard]] const std::string& session_id() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace squall::testing
