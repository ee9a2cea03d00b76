#pragma once

#include <string>
#include <string_view>
#include <vector>

/// @file The command line as plain values: what help and completions are made from.

namespace squall::cli {

struct OptionModel {
  std::vector<std::string> names;  ///< "-v", "--verbose"; a positional has its name in capitals
  std::string description;
  std::string value;         ///< "" for a switch; "FILE", "N", "stdio|http" ...
  std::string default_text;  ///< "" when there is none worth showing
  bool repeats = false;

  [[nodiscard]] bool takes_value() const { return !value.empty(); }
  /// The values that are possible, or none when many are.
  [[nodiscard]] std::vector<std::string> choices() const;
};

struct CommandModel {
  std::string name;
  std::string description;
  std::vector<OptionModel> options;
  std::vector<OptionModel> positionals;
  std::vector<CommandModel> commands;

  [[nodiscard]] const CommandModel* find(std::string_view command) const;
};

/// "stdio|http" as {"stdio", "http"}; no '|', no choices.
[[nodiscard]] std::vector<std::string> split_choices(std::string_view text);

}  // namespace squall::cli
