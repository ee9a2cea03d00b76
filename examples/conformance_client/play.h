#pragma once

#include <string>

#include "squall/client/client.h"

/// @file What the official suite wants to see of a client: it uses everything that a server offers.

namespace conformance {

/// Connects, lists what there is, calls each tool, reads each resource, gets each prompt, and
/// closes. `context` is what the suite hands along, or null. The first failure ends it.
[[nodiscard]] squall::Task<squall::client::Outcome<void>> play(squall::client::Client& client,
                                                               const squall::json::Value& context);

/// Accepts whatever is asked, with the defaults of its schema.
class Obliging : public squall::client::Handlers {
 public:
  squall::Task<squall::client::ElicitAnswer> elicit(
      const squall::client::Elicitation& question) override;
  squall::Task<squall::client::HandlerResult> sample(const squall::json::Value& params) override;
  squall::Task<std::vector<squall::client::Root>> roots() override;
};

}  // namespace conformance
