#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/inject/injector.h"
#include "squall/recording/event.h"

/// @file Faults inside a test suite: tools that are functions, called through a profile, without a
/// transport, a process or a clock.
///
///     auto harness = Harness::make(my_tools, *profile, {1337});
///     const Invocation call = (*harness)->invoke("create_order", arguments);
///     EXPECT_EQ(call.outcome, Invocation::Outcome::lost);

namespace squall::inject {

/// What the tools do: the result of tools/call, an object with `content`. Called only when the
/// call gets that far.
using Tools = std::function<json::Value(std::string_view tool, const json::Value& arguments)>;

/// One call, as its caller sees it, and what was behind it.
struct Invocation {
  enum class Outcome : std::uint8_t {
    success,
    error,           ///< a result with isError
    protocol_error,  ///< a JSON-RPC error
    http_error,      ///< an HTTP status in place of an answer
    lost,            ///< nothing came: lost, dropped, hanging, cut off
    malformed,       ///< something came that is no response to this call
  };
  Outcome outcome = Outcome::success;
  json::Value result;     ///< as delivered; null when none was
  json::Value error;      ///< the JSON-RPC error, or null
  unsigned status = 200;  ///< of HTTP
  std::string bytes;      ///< the response's, exactly
  json::Value clean;      ///< what the tool gave; null when it didn't run
  recording::Executed executed = recording::Executed::unknown;
  std::chrono::nanoseconds delay{};  ///< that was decided for the response
  fault::Decision decision;          ///< every rule with site, draw and why not
  std::vector<Command> commands;     ///< all that was ordered; empty: untouched
  [[nodiscard]] bool struck() const noexcept { return !commands.empty(); }
};
[[nodiscard]] std::string_view name_of(Invocation::Outcome outcome) noexcept;

struct HarnessOptions {
  std::string revision = "2025-11-25";
  fault::Transport transport = fault::Transport::any;
  std::string session;
  /// The time since the run began. Without one, time stands still but for `advance` and for the
  /// delays of answers, which pass at once.
  std::function<std::chrono::nanoseconds()> clock;
  InjectorOptions injector{};
};

/// Calls tools through faults, one call at a time.
class Harness {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Harness>> make(Tools tools, fault::Profile profile,
                                                             fault::Seed seed,
                                                             HarnessOptions options = {});
  Harness(const Harness&) = delete;
  Harness& operator=(const Harness&) = delete;

  [[nodiscard]] Invocation invoke(std::string_view tool, const json::Value& arguments);
  /// As if the call had these numbers; nothing is counted: call 70 without calls 1 to 69.
  [[nodiscard]] Invocation invoke_as(const fault::Numbers& numbers, std::string_view tool,
                                     const json::Value& arguments);
  void advance(std::chrono::nanoseconds time) { time_ += time; }

  /// Everything so far: messages, decisions, what ran, what was delivered.
  [[nodiscard]] const std::vector<recording::Event>& journal() const noexcept { return journal_; }
  /// Equal runs have equal hashes, on every machine.
  [[nodiscard]] const std::string& run_hash() const noexcept { return run_hash_; }
  [[nodiscard]] Injector& injector() noexcept { return *injector_; }

 private:
  Harness(Tools tools, std::unique_ptr<Injector> injector, HarnessOptions options);
  [[nodiscard]] std::chrono::nanoseconds time() const;
  void note(recording::EventBody body);
  void carry_out(Reaction reaction, std::string_view bytes, bool to_upstream, Invocation& call);
  void pass_to_client(const Send& send, std::string_view bytes, Invocation& call);
  void pass_to_tools(const std::string& bytes, Invocation& call);

  Tools tools_;
  std::unique_ptr<Injector> injector_;
  HarnessOptions options_;
  std::chrono::nanoseconds time_{};
  std::uint64_t calls_ = 0;
  std::uint64_t arrivals_ = 0;
  std::uint64_t deliveries_ = 0;
  Exchange exchange_ = 0;
  bool answered_ = false;
  std::vector<recording::Event> journal_;
  std::string run_hash_;
};

}  // namespace squall::inject
