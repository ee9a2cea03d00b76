#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/json/value.h"
#include "squall/schema/schema.h"

namespace squall::inject {

/// Clean results of tools, the latest ones, and what the tools promise of them.
class Memory {
 public:
  Memory(std::size_t results_max, std::size_t bytes_max)
      : results_max_(results_max), bytes_max_(bytes_max) {}

  struct Result {
    std::string tool;
    std::string arguments;  ///< canonical
    json::Value result;
    std::size_t bytes = 0;
  };

  /// Keeps a result that is no error; the oldest make room.
  void remember(std::string_view tool, std::string_view arguments, const json::Value& result,
                std::size_t bytes);
  /// The `age`-th latest of the tool, with these arguments when given.
  [[nodiscard]] const json::Value* find(std::string_view tool,
                                        std::optional<std::string_view> arguments,
                                        std::uint64_t age) const;
  /// All results, the oldest first.
  [[nodiscard]] const std::deque<Result>& results() const noexcept { return results_; }

  /// Takes note of the output schemas in the result of a tools/list.
  void learn_tools(const json::Value& list);
  [[nodiscard]] const json::Value* output_schema(std::string_view tool) const;
  /// Whether `result` keeps to the schema of `tool`; true where none is known.
  [[nodiscard]] bool keeps_schema(std::string_view tool, const json::Value& result) const;

  void clear();

 private:
  struct Promise {
    json::Value text;
    std::optional<schema::Schema> compiled;  // none: it is no schema that we can read
  };
  std::size_t results_max_;
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  std::deque<Result> results_;
  std::map<std::string, Promise, std::less<>> promises_;
};

}  // namespace squall::inject
