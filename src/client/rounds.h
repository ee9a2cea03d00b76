#pragma once

#include <string>

#include "caller.h"
#include "follow.h"
#include "inputs.h"

namespace squall::client {

/// Requests that a server may answer with questions (2026-07-28): asks them, and sends the request
/// again with the answers, until it has a result.
class Rounds {
 public:
  Rounds(Caller& caller, Inputs& inputs)
      : caller_(caller), inputs_(inputs), follow_(caller, inputs) {}
  void stop() { follow_.stop(); }

  Task<Outcome<Answer>> perform(Request request);

 private:
  /// The members that a round adds: `inputResponses` and `requestState`.
  Task<Outcome<std::string>> gather(const json::Value& result);

  Caller& caller_;
  Inputs& inputs_;
  Follow follow_;
};

}  // namespace squall::client
