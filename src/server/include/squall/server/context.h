#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/json/value.h"
#include "squall/mcp/revision.h"
#include "squall/mcp/types.h"
#include "squall/runtime/loop.h"
#include "squall/runtime/sleep.h"
#include "squall/runtime/task.h"
#include "squall/server/content.h"
#include "squall/server/outlet.h"

namespace squall::server {

class Engine;
class ServedRequest;

/// A question to the client's user, model or host. Made by `elicit_form`, `elicit_url`, `sample`
/// and `list_roots`.
struct InputRequest {
  enum class Kind : std::uint8_t { form, url, sampling, roots };
  Kind kind = Kind::form;
  json::Value params;
};

/// Asks the user to fill in a form. `schema` is an object schema with flat properties.
[[nodiscard]] InputRequest elicit_form(std::string_view message, json::Value schema);
/// Asks the user to open `url`. An answer of accept says that the user agreed, not that it is done.
[[nodiscard]] InputRequest elicit_url(std::string_view message, std::string_view url);
/// Asks the client's model. `more` adds members of sampling/createMessage.
[[nodiscard]] InputRequest sample(std::string_view user_text, int max_tokens,
                                  json::Value more = {});
[[nodiscard]] InputRequest list_roots();

/// What became of a request to the client.
struct ClientAnswer {
  enum class Kind : std::uint8_t {
    result,       ///< `value` is the result, whatever it is
    error,        ///< `value` is the error object, whatever it holds
    timeout,      ///< no answer in time; the client was told that nobody waits any more
    unsupported,  ///< this revision has no requests to clients: nothing was sent
  };
  Kind kind = Kind::unsupported;
  json::Value value;
};

/// Makes an outlet around another one.
using OutletWrapper = std::function<std::unique_ptr<Outlet>(std::unique_ptr<Outlet>)>;

/// One request as its handler sees it. Lives on the request's loop for as long as the handler runs.
///
/// A coroutine handler of a cancelled request is destroyed where it waits; a plain one runs to its
/// end, and what it still sends goes nowhere.
class Context {
 public:
  explicit Context(ServedRequest& request) : request_(request) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// The arguments of the call: an object that the input schema accepts.
  [[nodiscard]] const json::Value& arguments() const noexcept;
  /// An argument's text, or "" when it is absent or no string.
  [[nodiscard]] std::string_view text(std::string_view name) const noexcept;
  /// An argument's whole number, or `otherwise`.
  [[nodiscard]] std::int64_t integer(std::string_view name,
                                     std::int64_t otherwise = 0) const noexcept;
  /// The URI being read, and the variables of the template it fits.
  [[nodiscard]] std::string_view uri() const noexcept;
  [[nodiscard]] std::string_view variable(std::string_view name) const noexcept;

  [[nodiscard]] mcp::Revision revision() const noexcept;
  [[nodiscard]] const mcp::ClientCapabilities& client() const noexcept;
  /// The request's `_meta`; an empty object when there is none.
  [[nodiscard]] const json::Value& meta() const noexcept;
  /// The legacy session's id; "" without one.
  [[nodiscard]] std::string_view session_id() const noexcept;
  /// The request's id as JSON text.
  [[nodiscard]] std::string_view request_id() const noexcept;
  /// Who makes the request, when something in front of us has found out; else "".
  [[nodiscard]] std::string_view principal() const noexcept;
  /// A header of the HTTP request, any case. Only until the request waits for the first time: for
  /// context factories and checks.
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
  [[nodiscard]] runtime::Loop& loop() const noexcept;
  [[nodiscard]] Engine& engine() const noexcept;

  /// Tells the caller how far the call is, when it asked to know. `progress` must grow.
  void progress(double progress, std::optional<double> total = std::nullopt,
                std::string_view message = {});
  /// Logs to the client, when its level asks for it.
  void log(mcp::LogLevel level, const json::Value& data, std::string_view logger = {});

  /// The client's answer to `question` under `key`, or null: then the question is noted and
  /// `return context.need_input();` sends it. The handler runs again from its start once the
  /// answers are there, over as many rounds (at most 8) as it asks new questions in. An answer of
  /// the wrong shape is as good as none. The same code serves both eras.
  [[nodiscard]] const json::Value* ask(std::string_view key, InputRequest question);
  [[nodiscard]] NeedInput need_input() const noexcept { return {}; }
  /// Text that comes back in the next round, sealed so that the client can neither read nor change
  /// it. "" in the first round.
  [[nodiscard]] std::string_view state() const noexcept;
  void set_state(std::string state);

  /// Sends the client a request that belongs to this call, on this call's stream, and waits for its
  /// answer for `within`. For what `ask` doesn't cover, such as a ping; before 2026-07-28.
  [[nodiscard]] Task<ClientAnswer> call_client(std::string method, std::string params,
                                               runtime::Duration within);

  /// Makes the call a task, where its tool supports that and the client declares the extension:
  /// the client is answered with a handle at once, and asks for the outcome by it. From here on
  /// the call outlives its connection (over stdio: not the process), progress and logs go nowhere,
  /// and questions wait for tasks/update. False when it stays an ordinary call. Calling it again,
  /// as a handler does in each round of questions, changes nothing.
  bool become_task();
  /// Tells whoever follows the task what it is at.
  void set_task_message(std::string_view message);

  /// For stages that make calls wait for their turn: tells observers how long this one has waited,
  /// and whether its turn has come or it was turned away.
  void note_wait(runtime::Duration waited, bool admitted);

  /// `co_await context.sleep(50ms);`
  [[nodiscard]] runtime::Sleep sleep(runtime::Duration duration) const;
  /// Waits until the request is cancelled, or its server ends.
  [[nodiscard]] runtime::Forever wait_forever() const;
  [[nodiscard]] bool cancelled() const noexcept;
  /// Puts an outlet around this request's own, from here on.
  void around_outlet(const OutletWrapper& wrap);
  /// Closes the connection that carries this call's stream while the call goes on; a 2025-11-25
  /// client comes back for the rest. Nothing happens where streams can't be resumed.
  void release_stream();

 private:
  friend void* own_context(Context& context) noexcept;
  friend ServedRequest& request_of(Context& context) noexcept;
  ServedRequest& request_;
};

/// The server's own context of this request, as its factory has made it; null without a factory.
/// Handlers and checks rather take it as a parameter.
[[nodiscard]] void* own_context(Context& context) noexcept;
/// For the engine's own parts.
[[nodiscard]] ServedRequest& request_of(Context& context) noexcept;

}  // namespace squall::server
