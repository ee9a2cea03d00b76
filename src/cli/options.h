#pragma once

#include <charconv>
#include <optional>
#include <string>

#include <CLI/App.hpp>

#include "text.h"

/// @file Kinds of options, for the two sources that know CLI11.

namespace squall::cli {

/// Lets `rule`, which gives "" or a complaint, judge an option's value.
inline void obey(CLI::Option* option, std::string (*rule)(const std::string&)) {
  option->check(CLI::Validator(rule, ""));
}

/// Adds an option whose value is one of those in `choices`: "stdio|http".
CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& target,
                        const std::string& choices, const std::string& description);

/// Adds an option whose value is a decimal number from `min` to `max`.
template <typename T>
CLI::Option* add_number(CLI::App& app, const std::string& name, T& target, T min, T max,
                        const std::string& description) {
  const auto read = [min, max](const std::string& text) -> std::optional<T> {
    T number{};
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    if (error != std::errc() || end != last || number < min || number > max) return std::nullopt;
    return number;
  };
  const auto check = [read, min, max](const std::string& text) -> std::string {
    if (read(text)) return {};
    return "must be a whole number from " + std::to_string(min) + " to " + std::to_string(max) +
           ", not " + quote(text);
  };
  const auto store = [read, &target](const std::string& text) {
    target = read(text).value_or(T{});
  };
  return app.add_option_function<std::string>(name, store, description)
      ->type_name("N")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->check(CLI::Validator(check, ""));
}

}  // namespace squall::cli
