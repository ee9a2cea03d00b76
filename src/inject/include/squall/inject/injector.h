#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "squall/fault/decide.h"
#include "squall/inject/arrival.h"
#include "squall/inject/command.h"
#include "squall/recording/event.h"

/// @file Faults in front of a server, without IO: what happens goes in, what is to be done comes
/// out. No clock, no timer, no socket.
///
///     const Reaction reaction = injector.on(ClientMessage{...});
///     if (reaction.untouched) return forward(bytes);   // most messages, nearly free
///     for (const Command& command : reaction.commands) carry_out(command);

namespace squall::inject {

/// What is to be done about one event.
struct Reaction {
  /// Nothing strikes: hand on what arrived as it came. Then there are no commands.
  bool untouched = true;
  /// All that is to be done, also with what arrived: without a `Send` of it, it goes no further.
  std::vector<Command> commands;
  /// When `record` is on: `Decision` (before anything it decides), `Upstream`, and `Delivered` of
  /// what was lost; what a command hands on is recorded by whoever does it. A strike that found
  /// nothing to change comes again as a `Decision` with that rule alone, standing `noop`.
  std::vector<recording::EventBody> records;
};

/// How often a rule could have struck, and how often it did something.
struct RuleTally {
  std::string rule;
  std::uint64_t eligible = 0;  ///< events that it concerned, whatever its coin then said
  std::uint64_t fired = 0;
};

struct InjectorOptions {
  bool record = false;  ///< whether reactions carry records
  fault::Surroundings surroundings{};
  /// Beyond these, strikes are passed over: recorded as exhausted, the traffic untouched.
  std::size_t concurrent_max = 1000;                   ///< exchanges being struck at one time
  std::size_t held_bytes_max = std::size_t{64} << 20;  ///< of messages held back
  /// Clean answers kept for `stale`, `crossed` and the like, when a rule needs them.
  std::size_t remembered_max = 256;
  std::size_t remembered_bytes_max = std::size_t{8} << 20;
};

/// Decides about events and says what to do, in their order. For one thread at a time.
///
/// What an exchange's strikes do is settled when its request arrives; the injector remembers it
/// until the response is handed on or the exchange ended.
class Injector {
 public:
  /// Fails when a kind of `profile` has no meaning in the surroundings.
  [[nodiscard]] static Result<std::unique_ptr<Injector>> make(fault::Profile profile,
                                                              fault::Seed seed,
                                                              InjectorOptions options = {});
  ~Injector();
  Injector(const Injector&) = delete;
  Injector& operator=(const Injector&) = delete;

  /// Every message of the client, also those without an exchange.
  [[nodiscard]] Reaction on(const ClientMessage& message);
  /// Every message of the server.
  [[nodiscard]] Reaction on(const ServerMessage& message);
  [[nodiscard]] Reaction on(const Opened& opened);
  [[nodiscard]] Reaction on(const Ended& ended);
  [[nodiscard]] Reaction on(const Woken& woken);

  /// The kill switch: disabled, it decides and counts nothing and everything passes. What is held
  /// back at that moment is released by the reaction.
  [[nodiscard]] Reaction set_enabled(bool enabled, std::chrono::nanoseconds now);
  [[nodiscard]] bool enabled() const noexcept;

  /// Other rules from now on; counters and the budgets of rules that stay (by id) go on, strikes
  /// under way end as they began. Fails as `make` does, and leaves all as it was.
  [[nodiscard]] Result<void> replace(fault::Profile profile);
  /// Counters, budgets and memory as at the start.
  void reset();

  /// The next client message takes these numbers instead of its own: call 70 without calls 1 to 69.
  void number_next(const fault::Numbers& numbers);
  /// Where the counters stand, and going on from there; see fault::Decider.
  [[nodiscard]] json::Value standing() const;
  [[nodiscard]] Result<void> stand_at(const json::Value& standing);
  /// What was decided at the last event.
  [[nodiscard]] const fault::Decision& last_decision() const noexcept;

  [[nodiscard]] const fault::Profile& profile() const noexcept;
  [[nodiscard]] fault::Seed seed() const noexcept;
  /// Strikes that did something, by rule id.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> fired() const;
  /// What became of every rule so far, in the profile's order.
  [[nodiscard]] std::vector<RuleTally> tally() const;
  [[nodiscard]] std::size_t struck_exchanges() const noexcept;  ///< at this moment

 private:
  class State;
  explicit Injector(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// What `record` carries of a decision.
[[nodiscard]] recording::Decision to_record(const fault::Decision& decision);
/// A message on its way, as a case records it: `bytes` are what is sent. To whom, and with which
/// numbers, is the caller's to say.
[[nodiscard]] recording::Delivered to_record(const Send& send, std::string_view bytes);

}  // namespace squall::inject
