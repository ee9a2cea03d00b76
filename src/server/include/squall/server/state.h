#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "squall/base/result.h"
#include "squall/json/value.h"

/// @file What a server remembers across its processes.

namespace squall::server {

/// Where a server's state is kept between two processes.
class StateStore {
 public:
  virtual ~StateStore() = default;
  /// What was saved last; nothing when nothing ever was.
  [[nodiscard]] virtual Result<std::optional<std::string>> load() = 0;
  /// Keeps `text` in place of what was: all of it or, when this fails, none.
  [[nodiscard]] virtual Result<void> save(std::string_view text) = 0;
};

/// Keeps the state in one file, which is replaced in one step; a file beyond `bytes_max` is
/// refused.
[[nodiscard]] std::unique_ptr<StateStore> make_file_store(std::filesystem::path file,
                                                          std::size_t bytes_max = 16 << 20);

/// One JSON object of named values that outlives the process: restored when it is opened, saved
/// when `save` is called and when serving ends (`EngineOptions::state`). May be used from any
/// thread. Bounded, so that nothing grows without end.
class ServerState {
 public:
  static constexpr int kVersion = 1;
  /// Restores what `store` holds. Fails on what is no state of ours, is of a later version, or is
  /// larger than `bytes_max`.
  [[nodiscard]] static Result<std::shared_ptr<ServerState>> open(std::unique_ptr<StateStore> store,
                                                                 std::size_t bytes_max = 1 << 20);

  /// A copy; null when there is none.
  [[nodiscard]] json::Value get(std::string_view name) const;
  /// Null removes it. Fails, and changes nothing, when all would be larger than the limit.
  [[nodiscard]] Result<void> set(std::string_view name, json::Value value);
  [[nodiscard]] Result<void> save();

 private:
  ServerState(std::unique_ptr<StateStore> store, std::size_t bytes_max)
      : store_(std::move(store)), bytes_max_(bytes_max) {}
  const std::unique_ptr<StateStore> store_;
  const std::size_t bytes_max_;
  mutable std::mutex mutex_;
  std::mutex saving_;  // so that an older state never replaces a newer one
  json::Value values_ = json::Value::object();
  std::size_t bytes_ = 0;
};

}  // namespace squall::server
