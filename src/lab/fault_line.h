#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "squall/base/result.h"
#include "squall/client/link.h"
#include "squall/inject/injector.h"
#include "squall/lab/runner.h"
#include "squall/runtime/loop.h"

#include "wire_log.h"

namespace squall::lab {

/// The faults of one run, between its client and its target: one injector for every connection, so
/// that counters and budgets are the run's.
class FaultLine {
 public:
  /// `loop` and `wire` outlive it. What is on the wire is recorded by the links from now on.
  [[nodiscard]] static Result<std::unique_ptr<FaultLine>> make(const FaultSetup& setup,
                                                               runtime::Loop& loop, WireLog& wire);
  /// Puts the faults in front of `link`. The result must not outlive this.
  [[nodiscard]] std::unique_ptr<client::Link> in_front_of(std::unique_ptr<client::Link> link);
  /// What became of every rule.
  [[nodiscard]] std::vector<inject::RuleTally> tally() const { return injector_->tally(); }
  /// The rules that have struck.
  [[nodiscard]] std::vector<std::string> fired() const;

 private:
  FaultLine(std::unique_ptr<inject::Injector> injector, runtime::Loop& loop, WireLog& wire)
      : injector_(std::move(injector)), loop_(loop), wire_(wire) {}

  std::unique_ptr<inject::Injector> injector_;
  runtime::Loop& loop_;
  WireLog& wire_;
  std::uint64_t connections_ = 0;
};

}  // namespace squall::lab
