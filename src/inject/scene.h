#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/fault/decide.h"
#include "squall/inject/command.h"
#include "squall/json/value.h"
#include "squall/jsonrpc/message.h"

#include "memory.h"
#include "settings.h"

/// @file What a fault sees and may do at the moment it acts.

namespace squall::inject {

struct Fault;

/// A strike on something that lasts: an exchange, a session.
struct Struck {
  const fault::Rule* rule = nullptr;
  const Fault* fault = nullptr;
  std::string site;
  json::Value with = json::Value::object();
  std::uint64_t seen = 0;  ///< a fault's own count: of events, of bytes
  bool acted = false;      ///< it did something that can be seen
  bool over = false;       ///< it has nothing more to do
  bool counted = true;     ///< it takes a place under its rule's budget
};

/// One entry of a list on its way to the client.
struct Entry {
  std::string_view name;             ///< as it came
  std::optional<json::Value> value;  ///< nothing: it isn't there
  json::Value* result = nullptr;     ///< that the list is part of
};

/// A request of the client under way.
struct Ongoing {
  Exchange number = 0;
  std::shared_ptr<const fault::Profile> profile;  // the rules of strikes live in one of these
  std::string method;
  std::string tool;
  std::string arguments;  ///< canonical; "" where there are none or no canonical form
  jsonrpc::Id id;
  json::Value progress_token;  ///< null without one
  json::Value cursor;          ///< of a list; null on its first page
  std::string session;
  std::uint64_t connection = 0;
  std::uint64_t process = 0;
  std::string revision;
  fault::Transport transport = fault::Transport::any;
  std::uint64_t list = 0;  ///< of a */list: the how manieth of its method in the session
  std::vector<Struck> strikes;
  bool forwarded = false;  ///< the upstream has it, or will
  bool cancelled = false;
  bool silent = false;                ///< nothing more of it may reach the client
  std::uint64_t events = 0;           ///< messages handed to the client
  std::vector<Send> held;             ///< back, until something happens
  [[nodiscard]] bool modern() const;  ///< of the revision without handshake
  [[nodiscard]] bool is_http() const { return transport == fault::Transport::http; }
};

/// What is about to happen in place of what arrived.
struct Outgoing {
  struct Lost {
    std::string rule;
    std::string how;
  };
  std::vector<Command> before;
  std::optional<Send> main;  ///< the message itself, on its way
  std::vector<Command> behind;
  std::vector<Lost> lost;  ///< who kept the message from going on
};

/// What faults share over the run, beyond one exchange.
struct Shared {
  Shared(Memory empty, std::size_t held_max) : memory(std::move(empty)), held_bytes_max(held_max) {}
  Memory memory;
  /// Facts that a rule keeps, by rule id and name: "refused 3 times". Bounded by kFactsMax.
  std::map<std::string, std::uint64_t, std::less<>> facts;
  std::vector<std::pair<Exchange, jsonrpc::Id>> in_flight;  ///< requests without their response
  std::vector<std::string>
      swallow;                ///< ids (JSON texts) of requests that are ours: answers end here
  std::uint64_t made_up = 0;  ///< ids given so far
  std::map<std::string, std::vector<Send>, std::less<>> queues;  ///< of `reorder`, by rule
  std::size_t held_bytes = 0;                                    ///< in queues and exchanges
  std::size_t held_bytes_max;
  /// Names of tools as the client was told, to those that the server knows.
  std::map<std::string, std::string, std::less<>> renamed;
  std::uint64_t wakes = 0;
  std::map<std::uint64_t, std::string> wake_of;  ///< token to the id of a rule
  std::vector<std::string> sessions;             ///< ids of the latest, at most kSessionsMax
};
inline constexpr std::size_t kFactsMax = 100'000;
inline constexpr std::size_t kSessionsMax = 16;

/// One strike at one moment.
class Scene {
 public:
  Scene(fault::Seed seed, Struck& struck, Ongoing& exchange, Outgoing& outgoing, Shared& all,
        std::chrono::nanoseconds time)
      : with(struck.with),
        strike(struck),
        ongoing(exchange),
        out(outgoing),
        shared(all),
        now(time),
        seed_(seed) {}
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  const Settings with;
  Struck& strike;
  Ongoing& ongoing;
  Outgoing& out;
  Shared& shared;
  const std::chrono::nanoseconds now;
  const ClientMessage* request = nullptr;  ///< while the request is on its way
  const ServerMessage* reply = nullptr;    ///< while something of the server is
  Entry* entry = nullptr;                  ///< while entries of a list are

  [[nodiscard]] fault::Draws draws() const { return {seed_, strike.rule->draw_key, strike.site}; }

  // While the request is on its way to the server: `out.main` is it.

  /// Answers without the server. `result` is that of the method.
  void answer(json::Value result, std::string how);
  void answer_error(std::int64_t code, std::string_view message, std::string how,
                    const json::Value* data = nullptr);
  /// Over HTTP, answers the request with a status; nothing else comes of it.
  void answer_http(unsigned status, std::vector<std::pair<std::string, std::string>> headers,
                   std::string body, std::string how);
  /// Changes how the response will be written.
  void shape(Shape shape, std::string how);

  // While the response, or another message of the server, is on its way: `out.main` is it.

  /// The result of the response; nothing when it is an error or no JSON.
  [[nodiscard]] std::optional<json::Value> result() const;
  [[nodiscard]] std::optional<json::Value> message() const;
  [[nodiscard]] const std::string& bytes() const { return *out.main->bytes; }
  void set_result(json::Value result, std::string how);
  void set_message(const json::Value& message, std::string how);
  void set_bytes(std::string bytes, std::string how);
  void delay(std::chrono::nanoseconds time, std::string how);
  /// Nothing of it goes on.
  void withhold(std::string how);
  /// Keeps it back in the exchange, to be sent later or never; false, and a noop, when too much
  /// is kept already.
  bool hold(std::string how);
  /// Sends what was kept back.
  void release_held();
  /// Ends what the client hears of the exchange.
  void end(Cut how, std::string how_text);

  // At any moment.

  /// Sends the client a message more, before or behind the one on its way.
  void send_before(std::string bytes, std::string how, std::chrono::nanoseconds after = {});
  void send_behind(std::string bytes, std::string how, std::chrono::nanoseconds after = {});
  void send_stream_bytes(std::string bytes, std::string how, std::chrono::nanoseconds after = {});
  /// There was nothing to do: the strike doesn't count.
  void noop(std::string why);
  [[nodiscard]] const std::string& why_noop() const noexcept { return why_noop_; }
  /// A number that the rule keeps over the run, 0 at first.
  [[nodiscard]] std::uint64_t& fact(std::string_view name);
  /// An id for a request or response that we make up; no client has a reason to use it.
  [[nodiscard]] jsonrpc::Id make_id();
  /// Whether the strike is on a message by itself, not on a request and what belongs to it.
  [[nodiscard]] bool alone() const noexcept { return ongoing.number == 0; }
  /// Marks that something was done, what, and by whom.
  void did() { strike.acted = true; }
  void did(std::string how);
  [[nodiscard]] const std::string& rule() const { return strike.rule->id; }

 private:
  Send extra(std::string bytes, std::string how, std::chrono::nanoseconds after) const;
  fault::Seed seed_;
  std::string why_noop_;
};

}  // namespace squall::inject
