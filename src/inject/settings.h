#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "squall/json/value.h"

namespace squall::inject {

/// The settings of one strike. The profile's reader has checked them, and wrote every one in its
/// one spelling; what is left out has the value given with the question.
class Settings {
 public:
  explicit Settings(const json::Value& with) : with_(with) {}

  [[nodiscard]] bool has(std::string_view name) const { return with_.contains(name); }
  [[nodiscard]] std::string_view text(std::string_view name, std::string_view otherwise = {}) const;
  [[nodiscard]] bool flag(std::string_view name, bool otherwise = false) const;
  [[nodiscard]] std::uint64_t count(std::string_view name, std::uint64_t otherwise = 0) const;
  [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t otherwise = 0) const;
  [[nodiscard]] std::uint64_t size(std::string_view name, std::uint64_t otherwise = 0) const;
  [[nodiscard]] std::chrono::nanoseconds time(std::string_view name,
                                              std::chrono::nanoseconds otherwise = {}) const;
  /// A delay for that many bytes: fixed or drawn, or so much for each KiB.
  [[nodiscard]] std::chrono::nanoseconds delay(std::string_view name, std::size_t bytes) const;
  /// Whether the setting is a time and not one of its words.
  [[nodiscard]] bool is_time(std::string_view name) const;
  [[nodiscard]] const json::Value* any(std::string_view name) const { return with_.find(name); }

 private:
  const json::Value& with_;
};

}  // namespace squall::inject
