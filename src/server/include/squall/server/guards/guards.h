#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "squall/runtime/loop.h"
#include "squall/schema/schema.h"
#include "squall/server/context.h"
#include "squall/server/stage.h"

/// @file Guards: stages that keep calls within bounds. Each works for the calls that it is put
/// around, on all loops together; what isn't configured costs nothing. They stand behind the
/// validation of arguments, so that an invalid call takes no place and no token.

namespace squall::server {

/// At most `active_max` calls at once; `queue_max` more wait, first come, first served. Any other
/// gets SERVER_BUSY, with the time after which a place may be free.
struct ConcurrencyOptions {
  std::size_t active_max = 1;
  std::size_t queue_max = 0;
};
[[nodiscard]] std::shared_ptr<Stage> limit_concurrency(ConcurrencyOptions options);

/// Calls run one at a time, in the order they came; with `key`, one at a time for each key (the
/// account that is changed, say). A waiter that is cancelled never lets two run together.
struct SerializeOptions {
  std::function<std::string(Context& context)> key{};
  std::size_t queue_max = 1'024;  ///< waiting for one key; more get SERVER_BUSY
};
[[nodiscard]] std::shared_ptr<Stage> serialize(SerializeOptions options = {});

/// At most `calls` in a time `per`, evenly refilled; that many may come at once. Any other gets
/// RATE_LIMITED, with the time after which the next one will be let in.
struct RateOptions {
  std::size_t calls = 60;
  runtime::Duration per = std::chrono::minutes(1);
};
[[nodiscard]] std::shared_ptr<Stage> limit_rate(RateOptions options);

/// Ends a call that takes longer with TIMEOUT: its handler is destroyed where it waits.
[[nodiscard]] std::shared_ptr<Stage> limit_time(runtime::Duration limit);

/// Refuses arguments whose JSON has more bytes with ARGUMENTS_TOO_LARGE.
[[nodiscard]] std::shared_ptr<Stage> limit_arguments(std::size_t bytes);

/// Keeps a result within a number of bytes, over blocks of all kinds and the structured content.
///
/// Text is cut where an item of its JSON list ends (and stays JSON), or else where a line does;
/// other blocks are left out whole. Rules, suggestions and notices are kept, and one more notice
/// tells what is missing. `isError` stays as it is.
struct EgressOptions {
  std::size_t bytes = 64 << 10;
  /// Structured content is counted and kept whole, unless this is set: then its longest list is
  /// cut too, as far as it fits `output`.
  bool trim_structured = false;
  std::optional<schema::Schema> output{};
};
[[nodiscard]] std::shared_ptr<Stage> limit_egress(EgressOptions options);
/// The same for a result at hand; whether it was cut.
bool cut_to_budget(ToolResult& result, mcp::Revision revision, const EgressOptions& options);

/// All of the above. What is set is put around the action.
struct GuardOptions {
  std::optional<EgressOptions> egress{};
  std::optional<std::size_t> argument_bytes{};
  std::optional<RateOptions> rate{};
  std::optional<SerializeOptions> serialize{};
  std::optional<ConcurrencyOptions> concurrency{};
  std::optional<runtime::Duration> time{};
};
/// The guards in the order in which they belong, outermost first: a call that waits for others of
/// its kind holds no place meanwhile, and its time starts when it does.
[[nodiscard]] std::vector<std::shared_ptr<Stage>> make_guards(const GuardOptions& options);

/// What becomes of structured content that is over its budget.
enum class Structured : std::uint8_t {
  keep,  ///< it is counted, and stays whole
  trim,  ///< its longest list is cut, as far as it fits the output schema
};

/// The guards of one action, with the places, tokens and turns that they keep: shared by all
/// pipelines that the action is compiled into, so that calls that began before a server was
/// extended still count.
class ActionGuards {
 public:
  /// Those made for `options` before, when `settings`, a text that tells them apart, is the same.
  [[nodiscard]] std::vector<std::shared_ptr<Stage>> made(const std::string& settings,
                                                         const GuardOptions& options);

 private:
  std::mutex mutex_;
  std::string settings_;
  std::vector<std::shared_ptr<Stage>> made_;
};

}  // namespace squall::server
