#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "squall/json/value.h"
#include "squall/runtime/loop.h"
#include "squall/server/context.h"
#include "squall/server/tasks.h"

#include "form_schemas.h"

namespace squall::server {

enum class TaskStatus : std::uint8_t { working, input_required, completed, failed, cancelled };
[[nodiscard]] std::string_view to_text(TaskStatus status) noexcept;

/// The time of an event, on the loop's clock and on the wall.
struct TaskTime {
  runtime::TimePoint now;
  std::chrono::system_clock::time_point wall;
};

/// The call behind a task. Both are called without the store's lock, on the caller's thread, and
/// not any more once the task is over.
struct TaskCall {
  using Answers = std::vector<std::pair<std::string, json::Value>>;
  std::function<void()> cancel;
  std::function<void(Answers)> answer;  ///< usable answers, each to a question that was open
};

/// What became of the calls that are tasks: by id, bounded in number, bytes and time. Does no IO
/// and reads no clock; any thread may call.
///
/// A task belongs to an owner (a principal; "" for those who have none): for everybody else it
/// doesn't exist. A status that is final stays.
class TaskStore {
 public:
  explicit TaskStore(const TaskOptions& options) : options_(options) {}

  /// Whether another task of `owner` fits.
  [[nodiscard]] bool has_room(std::string_view owner, const TaskTime& time);
  /// Keeps a new task, working, and gives its id; nothing when it doesn't fit.
  [[nodiscard]] std::optional<std::string> add(std::string_view owner, TaskCall call,
                                               const TaskTime& time);
  /// The members of the task as JSON text; `detailed` ones with what its status brings: result,
  /// error or inputRequests. Nothing when there is no such task.
  [[nodiscard]] std::optional<std::string> describe(std::string_view id, std::string_view owner,
                                                    bool detailed, const TaskTime& time);

  // What the call itself tells; whether that changed anything.
  bool set_message(const std::string& id, std::string_view message, const TaskTime& time);
  /// Waits for answers to these, each under a key of its own; gives how many, 0 when it is over.
  std::size_t ask(const std::string& id,
                  const std::vector<std::pair<std::string, InputRequest>>& questions,
                  const TaskTime& time);
  /// Ends the task: `outcome` is the member `"result":...` or `"error":...` of the response.
  bool finish(const std::string& id, std::string_view outcome, const TaskTime& time);
  /// Ends the task without an outcome.
  bool abandon(const std::string& id, const TaskTime& time);

  // What clients tell.
  enum class Told : std::uint8_t { unknown, unchanged, changed };
  /// Hands those of `responses` on that answer open questions; others are ignored.
  Told answer(std::string_view id, std::string_view owner, const json::Value& responses,
              const TaskTime& time, FormSchemas& forms);
  Told cancel(std::string_view id, std::string_view owner, const TaskTime& time);

  [[nodiscard]] std::size_t size() const;

 private:
  struct Entry {
    std::string owner;
    TaskStatus status = TaskStatus::working;
    std::string message;
    std::chrono::system_clock::time_point created;
    std::chrono::system_clock::time_point updated;
    runtime::TimePoint ends;
    std::map<std::string, std::shared_ptr<const InputRequest>> questions;
    std::string outcome;
    TaskCall call;
    [[nodiscard]] bool over() const noexcept { return status >= TaskStatus::completed; }
  };
  struct Lookup : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Table = std::unordered_map<std::string, Entry, Lookup, std::equal_to<>>;
  using Calls = std::vector<std::function<void()>>;

  /// Drops what has outlived its time; gives the calls that must be told.
  [[nodiscard]] Calls expire(runtime::TimePoint now);
  Entry* find(std::string_view id, std::string_view owner);
  Entry* find_open(const std::string& id);
  [[nodiscard]] bool fits(std::string_view owner) const;
  void end(Entry& entry, TaskStatus status, const TaskTime& time);
  [[nodiscard]] std::string text_of(std::string_view id, const Entry& entry, bool detailed) const;

  const TaskOptions options_;
  mutable std::mutex mutex_;
  Table tasks_;
  std::deque<std::string> by_age_;                          // oldest first: all live equally long
  std::map<std::string, std::size_t, std::less<>> counts_;  // of each owner
  std::size_t bytes_ = 0;
};

}  // namespace squall::server
