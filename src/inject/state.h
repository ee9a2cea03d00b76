#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "squall/fault/decide.h"
#include "squall/inject/injector.h"

#include "faults.h"
#include "scene.h"

namespace squall::inject {

/// What some rule of a profile asks for, so that nothing else need be looked at.
struct Needs {
  bool server_messages = false;
  bool entries = false;      ///< of lists
  bool memory = false;       ///< of results
  bool schemas = false;      ///< of tools
  bool in_flight = false;    ///< ids of requests
  bool connections = false;  ///< so with the next three: their beginnings
  bool streams = false;
  bool processes = false;
  bool sessions = false;
  static Needs of(const fault::Profile& profile);
  /// Whether something is to be known of a request when its response comes, struck or not.
  [[nodiscard]] bool keeps(std::string_view method) const {
    if (method == "tools/call") return memory || in_flight;
    return in_flight || (entries && method.ends_with("/list")) ||
           (schemas && method == "tools/list");
  }
};

/// A process or session that was struck.
struct Affliction {
  Ongoing base;
};

class Injector::State {
 public:
  State(fault::Profile profile, fault::Seed seed, InjectorOptions options);

  Reaction on(const ClientMessage& message);
  Reaction on(const ServerMessage& message);
  Reaction on(const Opened& opened);
  Reaction on(const Ended& ended);
  Reaction on(const Woken& woken);
  Reaction set_enabled(bool enabled, std::chrono::nanoseconds now);
  Result<void> replace(fault::Profile profile);
  void reset();
  [[nodiscard]] json::Value standing() const { return decider_->standing(); }
  Result<void> stand_at(const json::Value& at) { return decider_->stand_at(at); }

  std::shared_ptr<const fault::Profile> profile;  // shared with the exchanges struck by its rules
  fault::Seed seed;
  InjectorOptions options;
  bool enabled = true;
  std::optional<fault::Numbers> numbers;
  fault::Decision last;
  std::map<std::string, std::uint64_t> fired;
  std::vector<std::uint64_t> eligible;  // by the place of the rule in the profile
  std::size_t struck = 0;

 private:
  /// One event being answered.
  struct Turn {
    Reaction reaction;
    Outgoing out;
    std::chrono::nanoseconds now;
    const ClientMessage* request = nullptr;
    const ServerMessage* reply = nullptr;
    bool acted = false;
    std::vector<Outgoing::Lost> lost;
  };
  using Act = Fault::Act Fault::*;

  fault::Decision decide(const fault::Arrival& arrival, bool numbered = false);
  void note_decision(Turn& turn, std::uint64_t in, const fault::Decision& decision,
                     const Ongoing* ongoing = nullptr);
  std::vector<Struck> take_strikes(const fault::Decision& decision);
  /// Lets a strike act; what it did is in `turn.out`.
  void run(Turn& turn, Struck& strike, Ongoing& ongoing, Act act);
  void run_layers(Turn& turn, Ongoing& ongoing, Act act, std::initializer_list<fault::Layer> order);
  void run_every(Turn& turn, Ongoing& ongoing);
  void run_traffic(Turn& turn, std::string_view session, std::uint64_t process);
  /// Takes what the response chain makes of `out.main`, and ends the exchange.
  void respond(Turn& turn, Ongoing& ongoing, bool made_up, fault::Layer by);
  void apply_events(Turn& turn, Ongoing& ongoing);
  void apply_entries(Turn& turn, Ongoing& ongoing);
  Reaction finish(Turn& turn);
  void finish_strikes(Turn& turn, Ongoing& ongoing, std::chrono::nanoseconds after);
  void end_exchange(Turn& turn, Exchange exchange, std::chrono::nanoseconds after = {});
  void release_due(std::chrono::nanoseconds now);
  void free_place(const std::shared_ptr<const fault::Profile>& of, const fault::Rule* rule);
  void note_lost(Turn& turn, std::uint64_t in, const Outgoing::Lost& lost);
  void note_noop(Turn& turn, const Struck& strike, std::uint64_t in, std::string why);
  bool swallow(const json::Value& message);
  void use_own_name(Turn& turn, const std::string& name);

  Reaction on_request(const ClientMessage& message, const json::Value& body,
                      std::string_view method);
  Reaction on_notification(const ClientMessage& message, const json::Value& body,
                           std::string_view method);
  Reaction on_bare_request(const ClientMessage& message);
  Reaction on_response(const ServerMessage& message, Ongoing& ongoing);
  Reaction on_server_message(const ServerMessage& message, const json::Value& body,
                             std::string_view method);
  Ongoing describe(const ClientMessage& message, const json::Value& body, std::string_view method);

  Needs needs_;
  std::unique_ptr<fault::Decider> decider_;
  Shared shared_;
  std::unordered_map<Exchange, Ongoing> exchanges_;
  std::map<std::uint64_t, Affliction> processes_;
  std::map<std::string, Affliction, std::less<>> sessions_;
  std::map<std::string, std::uint64_t, std::less<>> lists_;  // counted by session and method
  struct Due {
    std::chrono::nanoseconds at;
    std::shared_ptr<const fault::Profile> profile;
    const fault::Rule* rule;
  };
  std::vector<Due> due_;  // strikes that end when a delayed message has left
};

}  // namespace squall::inject
