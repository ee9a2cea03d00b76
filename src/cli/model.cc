#include "model.h"

namespace squall::cli {

std::vector<std::string> split_choices(std::string_view text) {
  std::vector<std::string> out;
  if (text.find('|') == std::string_view::npos) return out;
  while (true) {
    const std::size_t bar = text.find('|');
    out.emplace_back(text.substr(0, bar));
    if (bar == std::string_view::npos) return out;
    text.remove_prefix(bar + 1);
  }
}

std::vector<std::string> OptionModel::choices() const { return split_choices(value); }

const CommandModel* CommandModel::find(std::string_view command) const {
  for (const CommandModel& candidate : commands) {
    if (candidate.name == command) return &candidate;
  }
  return nullptr;
}

}  // namespace squall::cli
