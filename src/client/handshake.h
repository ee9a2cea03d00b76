#pragma once

#include <optional>
#include <string>

#include "squall/client/client.h"

#include "core.h"

namespace squall::client {

/// Finds the era of a server, and shakes hands with those that want it.
class Handshake {
 public:
  explicit Handshake(Core& core) : core_(core), options_(core.options()) {}

  Task<Outcome<Server>> run();
  /// A fresh session of the same revision, after the server forgot the old one.
  Task<Outcome<Server>> again();

 private:
  enum class Verdict { modern, again, legacy, fail };

  Task<Outcome<Server>> probe(bool may_fall_back);
  Task<Outcome<Server>> discover_failed(Failure why, bool may_fall_back);
  Task<Outcome<Server>> legacy();
  Task<Outcome<Server>> initialize(mcp::Revision offer);
  Task<Outcome<Server>> initialized(const Answer& answer);
  Task<Outcome<Server>> over_sse(Failure first);
  [[nodiscard]] Verdict judge(const Failure& why, bool first) const;
  [[nodiscard]] Outcome<Server> fail_modern(Failure why) const;
  void remember(bool modern);
  void tell(std::string text) { core_.report(Report::Kind::era, std::move(text)); }

  Core& core_;
  const Options& options_;
};

}  // namespace squall::client
