#pragma once

#include <chrono>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core.h"
#include "inputs.h"

namespace squall::client {

/// Addresses that a person has to go to before a server serves a request: error -32042, which is of
/// 2025-11-25 alone.
class Consents {
 public:
  Consents(Core& core, Inputs& inputs) : core_(core), inputs_(inputs) {}

  /// Whether this failure can be mended so.
  [[nodiscard]] bool can_mend(const Failure& failure) const;
  /// Asks for each address; true once the person agreed to all of them and the server told that
  /// they are done with, or `patience` is over, for servers need not tell.
  Task<bool> gain(const json::Value& data, std::chrono::milliseconds patience);
  /// notifications/elicitation/complete
  void completed(const json::Value& params);

 private:
  struct Wait;
  Core& core_;
  Inputs& inputs_;
  std::vector<Wait*> waiting_;
};

}  // namespace squall::client
