#pragma once

#include <map>
#include <string>
#include <string_view>

#include "squall/client/handlers.h"
#include "squall/runtime/task_set.h"

#include "core.h"

namespace squall::client {

/// Answers what the server asks: as requests of its own before 2026-07-28, as entries of
/// `inputRequests` since. What was not declared is refused without asking anybody.
class Inputs {
 public:
  explicit Inputs(Core& core) : core_(core), tasks_(core.loop()) {}

  /// The bare result, or how we refuse. `params` stays where it is until then.
  Task<HandlerResult> answer(std::string_view method, const json::Value& params);

  /// A request of the server's own: answers it, now or later.
  void serve(const jsonrpc::Message& message);
  /// The server gave up a request of its own.
  void cancel(const json::Value* request_id);
  void stop() { tasks_.clear(); }

 private:
  Task<void> serve_one(jsonrpc::Id id, std::string method, json::Value params);
  void refuse(const jsonrpc::Id& id, int code, std::string_view why);
  Task<HandlerResult> elicit(const json::Value& params);
  Task<HandlerResult> sample(const json::Value& params);
  Task<HandlerResult> list_roots();

  Core& core_;
  std::map<jsonrpc::Id, runtime::TaskSet::Id> serving_;
  runtime::TaskSet tasks_;
};

}  // namespace squall::client
