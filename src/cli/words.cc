#include "words.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "squall/base/text.h"

#include "text.h"

namespace squall::cli {
namespace {

const OptionModel* find_option(const CommandModel& command, std::string_view name) {
  for (const OptionModel& option : command.options) {
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) {
      return &option;
    }
  }
  return nullptr;
}

/// "unknown option '--prot'; did you mean --port?"
Result<void> fail_unknown(std::string_view what, std::string_view word,
                          const std::vector<std::string>& known) {
  std::string message = "unknown " + std::string(what) + " " + quote(word);
  const auto near = base::nearest(word, known);
  if (near && word.size() > 2) {  // any "-x" is near to any "-v"
    message += "; did you mean " + std::string(*near) + "?";
  } else {
    message += "; squall --help lists what there is";
  }
  return fail(ErrorKind::invalid, std::move(message));
}

Result<void> fail_unknown_option(std::string_view word, const CommandModel& command) {
  std::vector<std::string> known;
  for (const OptionModel& option : command.options) {
    known.insert(known.end(), option.names.begin(), option.names.end());
  }
  return fail_unknown("option", word, known);
}

/// Walks over the words, keeping the command that they have led to.
class Walk {
 public:
  Walk(std::span<const char* const> words, const CommandModel& model)
      : words_(words), command_(&model) {}

  Result<void> run() {
    while (next_ < words_.size()) SQUALL_CHECK(step(words_[next_++]));
    return {};
  }

 private:
  Result<void> step(std::string_view word) {
    if (word == "--") return fail(ErrorKind::invalid, "'--' has no place here");
    if (word.starts_with("--")) return step_option(word);
    if (word.starts_with('-') && word.size() > 1) return step_switches(word);
    return step_plain(word);
  }

  Result<void> step_option(std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const OptionModel* option = find_option(*command_, name);
    if (option == nullptr) return fail_unknown_option(name, *command_);
    const std::string text(name);
    if (equals != std::string_view::npos) {
      if (!option->takes_value()) return fail(ErrorKind::invalid, text + " takes no value");
      if (equals + 1 < word.size()) return {};
    } else {
      if (!option->takes_value()) return {};
      const bool has_value =
          next_ < words_.size() && !std::string_view(words_[next_]).starts_with("--");
      if (has_value && *words_[next_++] != '\0') return {};
    }
    return fail(ErrorKind::invalid, text + " needs a value: " + option->value);
  }

  /// "-v", or several at once: "-vh".
  Result<void> step_switches(std::string_view word) {
    for (const char letter : word.substr(1)) {
      const OptionModel* option = find_option(*command_, std::string{'-', letter});
      if (option == nullptr) return fail_unknown_option(word, *command_);
    }
    return {};
  }

  Result<void> step_plain(std::string_view word) {
    if (!command_->commands.empty()) {
      if (const CommandModel* found = command_->find(word)) {
        command_ = found;
        return {};
      }
      std::vector<std::string> known;
      for (const CommandModel& command : command_->commands) known.push_back(command.name);
      return fail_unknown("command", word, known);
    }
    const auto& places = command_->positionals;
    if (positionals_++ < places.size() || (!places.empty() && places.back().repeats)) return {};
    return fail(ErrorKind::invalid, command_->name + " has no place for " + quote(word));
  }

  std::span<const char* const> words_;
  std::size_t next_ = 0;
  std::size_t positionals_ = 0;
  const CommandModel* command_;
};

}  // namespace

Result<void> check_words(std::span<const char* const> words, const CommandModel& model) {
  return Walk(words, model).run();
}

}  // namespace squall::cli
