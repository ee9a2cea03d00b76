#pragma once

#include <optional>
#include <string>
#include <vector>

#include "squall/client/client.h"
#include "squall/json/value.h"
#include "squall/runtime/one_shot.h"
#include "squall/runtime/task.h"

#include "remote_console.h"

namespace squall::cli {

/// Watches a server's lists and resources, and tells what comes of the watching; the notifications
/// themselves come by the client's handlers.
class Ear final : private client::SubscriptionListener {
 public:
  /// All outlive it. With `json`, each line is an object whose `event` is "listening" or "missed".
  Ear(runtime::Loop& loop, client::Client& client, RemoteConsole& console, bool json)
      : client_(client), console_(console), json_(json), ended_(loop) {}

  /// Listens to changes of lists and of these resources until the server ends it: nothing when it
  /// did so properly.
  Task<std::optional<client::Failure>> listen(std::vector<std::string> uris);

 private:
  void on_granted(const client::Interest& granted) override;
  void on_change(const client::Change& change) override;
  void on_ended(const client::Failure* failure) override;

  client::Client& client_;
  RemoteConsole& console_;
  const bool json_;
  std::size_t asked_ = 0;  // resources
  runtime::OneShot<std::optional<client::Failure>> ended_;
};

/// "tools changed", "resource changed: file:///a", "warning orders: text"; anything else as it
/// came.
[[nodiscard]] std::string notification_text(std::string_view method, const json::Value& params);
/// {"event":"notification","method":...,"params":...}
[[nodiscard]] json::Value notification_json(std::string_view method, const json::Value& params);

}  // namespace squall::cli
