#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "squall/json/value.h"
#include "squall/mcp/types.h"
#include "squall/runtime/task.h"

/// @file What a server may ask of its client. One interface for both eras: a request on 2025-11-25,
/// an entry of `inputRequests` on 2026-07-28.

namespace squall::client {

/// A refusal, as the server will see it.
struct RpcError {
  int code = -32603;
  std::string message;
};
using HandlerResult = std::expected<json::Value, RpcError>;

/// A question to the user.
struct Elicitation {
  bool is_url = false;
  std::string message;
  json::Value schema{};  ///< of a form: an object schema with flat properties
  std::string url{};     ///< to open, after consent; never opened or fetched by us
};

struct ElicitAnswer {
  enum class Action { accept, decline, cancel };
  Action action = Action::cancel;
  /// Of an accepted form; fields left out get the schema's defaults. What doesn't fit the schema is
  /// reported and never sent.
  json::Value content{};
};

struct Root {
  std::string uri;  ///< "file:///home/..."
  std::string name{};
};

/// Answers the server's questions. The coroutines run on the client's loop while the call that led
/// to the question waits; they are destroyed where they wait when it is cancelled. What a parameter
/// refers to lives as long as the coroutine. Which questions may come at all is declared in
/// `Options::capabilities`; the others are refused without asking here.
class Handlers {
 public:
  virtual ~Handlers() = default;
  virtual Task<ElicitAnswer> elicit(const Elicitation& question);
  /// `params` of sampling/createMessage to a CreateMessageResult.
  virtual Task<HandlerResult> sample(const json::Value& params);
  virtual Task<std::vector<Root>> roots();

  /// Any notification that is not progress of a call: log messages, changes. Must not destroy the
  /// client.
  virtual void on_notification(std::string_view method, const json::Value& params);
};

/// `content` with the defaults of `schema`'s properties for what it leaves out.
[[nodiscard]] json::Value with_defaults(const json::Value& schema, json::Value content);

}  // namespace squall::client
