#include "help.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace squall::cli {
namespace {

using Row = std::pair<std::string, std::string>;  // what to type, and what it does

constexpr std::size_t kLeftMax = 34;  // a longer left column puts its right one on the next line

void append_table(std::string& out, std::string_view heading, const std::vector<Row>& rows) {
  if (rows.empty()) return;
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, std::min(row.first.size(), kLeftMax));
  out.append("\n").append(heading).append(":\n");
  for (const auto& [left, right] : rows) {
    out.append("  ").append(left);
    if (left.size() > width) out.append("\n").append(width + 2, ' ');
    out.append(left.size() > width ? 0 : width - left.size(), ' ');
    out.append("  ").append(right).append("\n");
  }
}

/// "-v, --verbose", "    --port N"
std::string spelling(const OptionModel& option) {
  std::string out;
  for (const std::string& name : option.names) out += (out.empty() ? "" : ", ") + name;
  if (!option.names.front().starts_with('-')) return out;
  if (option.names.front().starts_with("--")) out.insert(0, "    ");
  if (option.takes_value()) out += " " + option.value;
  return out;
}

std::string explanation(const OptionModel& option) {
  std::string out = option.description;
  if (!option.default_text.empty()) out += " [" + option.default_text + "]";
  if (option.repeats) out += " (repeatable)";
  return out;
}

std::vector<Row> rows_of(const std::vector<OptionModel>& options) {
  std::vector<Row> rows;
  for (const OptionModel& option : options) {
    rows.emplace_back(spelling(option), explanation(option));
  }
  return rows;
}

}  // namespace

constexpr std::size_t kUsageValueBytesMax = 60;

std::string help_text(const CommandModel& model, std::span<const std::string> path) {
  const CommandModel* command = &model;
  std::string usage = model.name;
  for (const std::string& name : path) {
    const CommandModel* next = command->find(name);
    if (next == nullptr) break;
    command = next;
    usage += " " + name;
  }
  if (!command->commands.empty()) usage += " COMMAND";
  for (const OptionModel& positional : command->positionals) {
    // Many choices stand among the arguments; here their name is enough.
    const bool shown = positional.takes_value() && positional.value.size() <= kUsageValueBytesMax;
    usage += " " + (shown ? positional.value : positional.names.front());
  }

  std::string out = command->description + "\n\nUsage: " + usage + " [OPTIONS]\n";
  std::vector<Row> commands;
  for (const CommandModel& each : command->commands) {
    commands.emplace_back(each.name, each.description);
  }
  append_table(out, "Commands", commands);
  append_table(out, "Arguments", rows_of(command->positionals));
  append_table(out, "Options", rows_of(command->options));
  if (!command->commands.empty()) out += "\n'squall COMMAND --help' explains a command.\n";
  return out;
}

}  // namespace squall::cli
