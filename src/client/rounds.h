#pragma once

#include <string>

#include "caller.h"
#include "consents.h"
#include "follow.h"
#include "inputs.h"

namespace squall::client {

/// Requests that a server may answer with questions (2026-07-28), or with addresses to go to first
/// (2025-11-25): asks, and sends the request again, until it has a result.
class Rounds {
 public:
  Rounds(Caller& caller, Inputs& inputs)
      : caller_(caller),
        inputs_(inputs),
        consents_(caller.core(), inputs),
        follow_(caller, inputs) {}
  void stop() { follow_.stop(); }

  Task<Outcome<Answer>> perform(Request request);
  [[nodiscard]] Consents& consents() noexcept { return consents_; }

 private:
  /// The members that a round adds: `inputResponses` and `requestState`.
  Task<Outcome<std::string>> gather(const json::Value& result);

  Caller& caller_;
  Inputs& inputs_;
  Consents consents_;
  Follow follow_;
};

}  // namespace squall::client
