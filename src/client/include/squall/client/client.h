#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "squall/client/era_cache.h"
#include "squall/client/link.h"
#include "squall/client/options.h"
#include "squall/client/outcome.h"
#include "squall/json/value.h"
#include "squall/mcp/revision.h"
#include "squall/runtime/loop.h"
#include "squall/runtime/task.h"

/// @file The client of both eras.

namespace squall::client {

/// What a server said of itself.
struct Server {
  mcp::Revision revision = mcp::kLatestLegacy;
  json::Value info{};          ///< Implementation; null when a modern server keeps it to itself
  json::Value capabilities{};  ///< an object
  std::string instructions{};
  /// Whether the server declared `name`: "tools", "resources" ...
  [[nodiscard]] bool has(std::string_view name) const { return capabilities.contains(name); }
};

/// A list, all pages of it. Entries are as the server wrote them; those that can't be used are left
/// out and reported.
struct Listing {
  std::vector<json::Value> entries{};
  std::size_t dropped = 0;
  bool complete = true;  ///< false: a limit or a cursor that goes round ended the walk
};

/// What a subscription is about.
struct Interest {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  std::vector<std::string> uris{};  ///< resources whose content is watched
  /// Changes of everything, and the content of these.
  [[nodiscard]] static Interest in_all(std::vector<std::string> uris = {});
};

/// Something changed, or may have while nobody listened.
struct Change {
  enum class What : std::uint8_t { tools, prompts, resources, resource };
  What what = What::tools;
  std::string uri{};     ///< of a resource
  bool guessed = false;  ///< the stream was broken: refetch, it may have changed
};

class SubscriptionListener {
 public:
  /// The server agreed to watch `granted`, at first and after each break.
  virtual void on_granted(const Interest& granted) { static_cast<void>(granted); }
  virtual void on_change(const Change& change) = 0;
  /// No more changes will come; null: the server ended it properly.
  virtual void on_ended(const Failure* failure) { static_cast<void>(failure); }

 protected:
  ~SubscriptionListener() = default;
};

/// Watches for as long as it lives; comes back by itself after breaks, with growing pauses.
/// Must be destroyed before its client, and not from inside a call to its listener.
class Subscription {
 public:
  virtual ~Subscription() = default;
  [[nodiscard]] virtual bool ended() const = 0;
};

/// A connection to one server. Lives on one loop; a call is a Task, and any number run at once.
///
/// Destroying a Task cancels its request, as `Cancellation` does. Destroying the client fails no
/// Task: destroy those first.
class Client {
 public:
  /// `loop` outlives it, and so does what `options` point to.
  Client(runtime::Loop& loop, std::unique_ptr<Link> link, Options options = {});
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Finds the era, and shakes hands where there is one. Requests made before it is done wait for
  /// it.
  Task<Outcome<Server>> connect();
  /// What `connect` found; null until it succeeded.
  [[nodiscard]] const Server* server() const noexcept;
  [[nodiscard]] bool is_modern() const noexcept;

  Task<Outcome<Listing>> list_tools(CallOptions options = CallOptions());
  Task<Outcome<Listing>> list_prompts(CallOptions options = CallOptions());
  Task<Outcome<Listing>> list_resources(CallOptions options = CallOptions());
  Task<Outcome<Listing>> list_resource_templates(CallOptions options = CallOptions());

  /// Calls a tool, answering what it asks on the way. `arguments` is an object, or null for none.
  Task<Outcome<ToolResult>> call_tool(std::string name, json::Value arguments,
                                      CallOptions options = CallOptions());
  Task<Outcome<Answer>> read_resource(std::string uri, CallOptions options = CallOptions());
  Task<Outcome<Answer>> get_prompt(std::string name, json::Value arguments,
                                   CallOptions options = CallOptions());
  /// `reference`: {"type":"ref/prompt","name":...} or {"type":"ref/resource","uri":...}; `context`:
  /// arguments filled in before, or null.
  Task<Outcome<Answer>> complete(json::Value reference, std::string argument, std::string value,
                                 json::Value context, CallOptions options = CallOptions());
  /// A round trip: `ping`, and `server/discover` where that is gone.
  Task<Outcome<Answer>> ping(CallOptions options = CallOptions());
  /// Asks for log messages from this level on: at once on a legacy server; with every later request
  /// on a modern one.
  Task<Outcome<Answer>> set_log_level(mcp::LogLevel level, CallOptions options = CallOptions());

  /// Any request, with the envelope of the era added to `params` (an object or null). Its result is
  /// not looked at.
  Task<Outcome<Answer>> request(std::string method, json::Value params,
                                CallOptions options = CallOptions());
  void notify(std::string_view method, const json::Value& params);

  /// Watches for changes. `listener` outlives the subscription.
  [[nodiscard]] std::unique_ptr<Subscription> subscribe(Interest interest,
                                                        SubscriptionListener& listener);

  /// Ends the connection politely; what is under way is lost.
  Task<void> close();

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace squall::client
