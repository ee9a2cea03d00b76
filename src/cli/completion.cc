#include "completion.h"

#include <string_view>
#include <vector>

namespace squall::cli {
namespace {

/// A command and how it is reached: " serve"; "" is the program itself.
struct Reached {
  std::string path;
  const CommandModel* command;
};

/// Every command, parents before children.
std::vector<Reached> reach_all(const CommandModel& model) {
  std::vector<Reached> all{{"", &model}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Reached from = all[i];  // a copy: `all` grows
    for (const CommandModel& child : from.command->commands) {
      all.push_back({from.path + " " + child.name, &child});
    }
  }
  return all;
}

std::string join(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += between;
    out += word;
  }
  return out;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// What can stand behind a command: its commands, the values of its arguments, its options.
std::vector<std::string> words_of(const CommandModel& command) {
  std::vector<std::string> words;
  for (const CommandModel& child : command.commands) words.push_back(child.name);
  for (const OptionModel& positional : command.positionals) {
    for (std::string& choice : positional.choices()) words.push_back(std::move(choice));
  }
  for (const OptionModel& option : command.options) {
    words.insert(words.end(), option.names.begin(), option.names.end());
  }
  return words;
}

// ---- bash

/// A case of the function below that completes the value of an option.
std::string bash_value_case(const std::string& path, const OptionModel& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : option.names) patterns.push_back("'" + path + ":" + name + "'");
  std::string out = "    " + join(patterns, "|") + ")\n";
  if (option.value == "FILE") {
    out += "      compopt -o filenames 2>/dev/null\n";
    out += "      mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n";
  } else if (const auto choices = option.choices(); !choices.empty()) {
    out +=
        "      mapfile -t COMPREPLY < <(compgen -W '" + join(choices, " ") + "' -- \"$current\")\n";
  }
  return out + "      return ;;\n";
}

std::string bash_script(const CommandModel& model) {
  std::string steps, values, words;
  for (const auto& [path, command] : reach_all(model)) {
    if (!path.empty()) steps += "      '" + path + "') command='" + path + "' ;;\n";
    for (const OptionModel& option : command->options) {
      if (option.takes_value()) values += bash_value_case(path, option);
    }
    words += "    '" + path + "') words='" + join(words_of(*command), " ") + "' ;;\n";
  }
  const std::string script = R"(# Completes <program> in bash:  source <(<program> completion bash)
_<program>() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command='' words=''
  local -i i
  COMPREPLY=()
  # "--option=value" comes as three words.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${COMP_WORDS[i]}" in
<steps>    esac
  done
  case "$command:$previous" in
<values>  esac
  case "$command" in
<words>  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _<program> <program>
)";
  // None of what is put in holds a '<'.
  return replace_all(
      replace_all(replace_all(replace_all(script, "<steps>", steps), "<values>", values), "<words>",
                  words),
      "<program>", model.name);
}

// ---- zsh

/// Text within '...[...]' of _arguments, or behind the ':' of _describe.
std::string zsh_text(const std::string& text) {
  std::string out = replace_all(text, "\\", "\\\\");
  for (const char* special : {"[", "]", ":"}) {
    out = replace_all(out, special, std::string("\\") + special);
  }
  return replace_all(out, "'", "'\\''");
}

/// ":FILE:_files", ":stdio|http:(stdio http)"
std::string zsh_value(const OptionModel& option) {
  std::string out = ":" + zsh_text(option.value) + ":";
  if (option.value == "FILE") return out + "_files";
  const auto choices = option.choices();
  return choices.empty() ? out + " " : out + "(" + join(choices, " ") + ")";
}

std::string zsh_function(const std::string& function, const CommandModel& command) {
  std::string out = function + "() {\n  local context state state_descr line\n";
  out += "  typeset -A opt_args\n  _arguments -C";
  for (const OptionModel& option : command.options) {
    for (const std::string& name : option.names) {
      out += " \\\n    '" + std::string(option.repeats ? "*" : "") + name + "[" +
             zsh_text(option.description) + "]" + (option.takes_value() ? zsh_value(option) : "") +
             "'";
    }
  }
  for (const OptionModel& positional : command.positionals)
    out += " \\\n    '" + zsh_value(positional) + "'";
  if (command.commands.empty()) return out + "\n}\n\n";

  out += " \\\n    '1:command:->command' \\\n    '*::argument:->argument'\n";
  out += "  case $state in\n  command)\n    local -a commands=(\n";
  for (const CommandModel& child : command.commands) {
    out += "      '" + child.name + ":" + zsh_text(child.description) + "'\n";
  }
  out += "    )\n    _describe command commands ;;\n  argument)\n    case $words[1] in\n";
  for (const CommandModel& child : command.commands) {
    out += "    " + child.name + ") " + function + "_" + child.name + " ;;\n";
  }
  return out + "    esac ;;\n  esac\n}\n\n";
}

std::string zsh_script(const CommandModel& model) {
  std::string out = "#compdef " + model.name + "\n# Completes " + model.name +
                    " in zsh:  source <(" + model.name + " completion zsh)\n\n";
  for (const auto& [path, command] : reach_all(model)) {
    out += zsh_function("_" + model.name + replace_all(path, " ", "_"), *command);
  }
  // Autoloaded, the file is the function's body; sourced, it only declares it.
  return out + "if [[ $funcstack[1] == _" + model.name + " ]]; then\n  _" + model.name +
         " \"$@\"\nelse\n  compdef _" + model.name + " " + model.name + "\nfi\n";
}

// ---- fish

std::string fish_text(const std::string& text) {
  return replace_all(replace_all(text, "\\", "\\\\"), "'", "\\'");
}

/// When the command at `path` is the one being typed.
std::string fish_condition(const std::string& path, const CommandModel& command) {
  std::string out;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find(' ', at + 1), path.size());
    out += (out.empty() ? "" : "; and ") + std::string("__fish_seen_subcommand_from ") +
           path.substr(at + 1, end - at - 1);
    at = end;
  }
  if (command.commands.empty()) return out;
  std::vector<std::string> names;
  for (const CommandModel& child : command.commands) names.push_back(child.name);
  return out + (out.empty() ? "" : "; and ") + "not __fish_seen_subcommand_from " +
         join(names, " ");
}

std::string fish_option(const OptionModel& option) {
  std::string out;
  for (const std::string& name : option.names) {
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (option.value == "FILE") return out + " -r -F";
  if (const auto choices = option.choices(); !choices.empty()) {
    return out + " -x -a '" + join(choices, " ") + "'";
  }
  return option.takes_value() ? out + " -x" : out;
}

std::string fish_script(const CommandModel& model) {
  std::string out = "# Completes " + model.name + " in fish:  " + model.name +
                    " completion fish | source\ncomplete -c " + model.name + " -f\n";
  for (const auto& [path, command] : reach_all(model)) {
    const std::string start =
        "complete -c " + model.name + " -n '" + fish_condition(path, *command) + "'";
    const auto add = [&](const std::string& what, const std::string& description) {
      out += start + what + " -d '" + fish_text(description) + "'\n";
    };
    for (const CommandModel& child : command->commands) add(" -a " + child.name, child.description);
    for (const OptionModel& positional : command->positionals) {
      const auto choices = positional.choices();
      if (!choices.empty()) add(" -a '" + join(choices, " ") + "'", positional.description);
    }
    for (const OptionModel& option : command->options) add(fish_option(option), option.description);
  }
  return out;
}

}  // namespace

std::string completion_script(const CommandModel& model, Shell shell) {
  switch (shell) {
    case Shell::zsh:
      return zsh_script(model);
    case Shell::fish:
      return fish_script(model);
    case Shell::bash:
      break;
  }
  return bash_script(model);
}

}  // namespace squall::cli
