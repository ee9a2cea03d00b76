#pragma once

#include <set>
#include <string>

#include "squall/runtime/task_set.h"

#include "caller.h"
#include "inputs.h"

namespace squall::client {

/// Calls that a server turned into tasks (the extension io.modelcontextprotocol/tasks): asks how
/// they stand until they are over, and answers what they ask meanwhile.
class Follow {
 public:
  Follow(Caller& caller, Inputs& inputs)
      : caller_(caller), inputs_(inputs), background_(caller.core().loop()) {}

  /// `created` is a result of type "task"; gives the result that the call would have had.
  Task<Outcome<Answer>> to_end(Answer created, CallOptions options);
  void stop() { background_.clear(); }

 private:
  class Guard;
  Task<std::optional<Failure>> answer_questions(const std::string& id, const json::Value& task,
                                                std::set<std::string>& answered,
                                                const CallOptions& options);
  Task<void> cancel(std::string id);

  Caller& caller_;
  Inputs& inputs_;
  runtime::TaskSet background_;
};

}  // namespace squall::client
