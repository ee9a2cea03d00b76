#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/lab/adapter.h"
#include "squall/lab/expect.h"
#include "squall/lab/lifecycle.h"
#include "squall/lab/scenario.h"
#include "squall/recording/recorder.h"

namespace squall::lab {

/// The messages of a run: recorded, and counted as far as the scenario's rules ask for it.
class WireLog {
 public:
  WireLog(const Scenario& scenario, const OperationLog& clock, recording::Recorder* recorder);

  void on_message(std::uint32_t connection, recording::Party from, std::string_view text,
                  std::optional<int> status);
  void on_note(std::uint32_t connection, std::string_view what, std::string_view text);
  void record(recording::EventBody body);
  /// Somebody stands between client and target who records what arrives there; what the client
  /// sees is counted, and recorded no more.
  void let_be_relayed() { relayed_ = true; }
  [[nodiscard]] recording::Recorder* recorder() const noexcept { return recorder_; }
  [[nodiscard]] runtime::TimePoint began() const noexcept { return clock_.began(); }
  /// How many messages have come in all.
  [[nodiscard]] std::uint64_t& arrivals() noexcept { return arrivals_; }
  /// Appends a finding for each rule about the wire.
  void check(std::vector<Finding>& findings) const;

 private:
  [[nodiscard]] bool matches(const WireRule& rule, recording::Party from,
                             std::string_view method) const;

  const Scenario& scenario_;
  const OperationLog& clock_;
  recording::Recorder* recorder_;
  std::uint64_t arrivals_ = 0;
  bool relayed_ = false;
  std::vector<std::int64_t> counts_;  // by rule
  std::size_t in_order_ = 0;          // how many of the ordered rules have been met
};

/// One connection's messages, on their way to the run's log.
class ConnectionWire final : public Wire {
 public:
  ConnectionWire(WireLog& log, std::uint32_t connection) : log_(log), connection_(connection) {}
  void on_message(recording::Party from, std::string_view text) override {
    std::optional<int> status;
    if (from == recording::Party::server) status = std::exchange(status_, std::nullopt);
    log_.on_message(connection_, from, text, status);
  }
  void on_status(int status) override { status_ = status; }
  void on_note(std::string_view what, std::string_view text) override {
    log_.on_note(connection_, what, text);
  }

 private:
  WireLog& log_;
  std::uint32_t connection_;
  std::optional<int> status_;
};

}  // namespace squall::lab
