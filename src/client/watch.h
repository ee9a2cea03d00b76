#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "squall/client/client.h"
#include "squall/runtime/task_set.h"

#include "caller.h"
#include "lists.h"

namespace squall::client {

class Watch;

/// All subscriptions of a client, and the judgement which notifications count: on 2026-07-28 those
/// of an acknowledged subscription alone.
class Watches {
 public:
  Watches(Caller& caller, Lists& lists)
      : caller_(caller), lists_(lists), background_(caller.core().loop()) {}

  /// `level` asks for log messages with the subscription (2026-07-28).
  [[nodiscard]] std::unique_ptr<Subscription> subscribe(Interest interest,
                                                        SubscriptionListener& listener,
                                                        std::optional<mcp::LogLevel> level);
  /// Whether the notification is about a change and may be believed; tells those concerned.
  [[nodiscard]] bool take(const jsonrpc::Message& message);
  /// Whether the message ends a subscription or begins it.
  [[nodiscard]] bool take_control(const jsonrpc::Message& message);
  /// Notifications may have been missed.
  void on_gap();
  void stop() { background_.clear(); }

 private:
  friend class Watch;
  [[nodiscard]] Watch* find(const json::Value* id);
  void forget(const Change& change);
  void unsubscribe(std::vector<std::string> uris);
  Task<void> unsubscribe_all(std::vector<std::string> uris);

  Caller& caller_;
  Lists& lists_;
  std::vector<Watch*> all_;
  runtime::TaskSet background_;
};

}  // namespace squall::client
