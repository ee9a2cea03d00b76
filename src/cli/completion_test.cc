#include "completion.h"

#include <gmock/gmock.h>

#include "parser.h"

namespace squall::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// What the shells make of the scripts is tested with the shells, in apps/.

/// A program with commands in commands, and texts that need care.
CommandModel nested_model() {
  OptionModel mode{{"-m", "--mode"}, "It's [the] mode: x", "a|b", "", true};
  CommandModel list;
  list.name = "list";
  list.description = "List 'em";
  list.options = {mode, {{"--into"}, "Where", "FILE", "", false}};
  CommandModel profile;
  profile.name = "profile";
  profile.commands = {list};
  CommandModel root;
  root.name = "prog";
  root.commands = {profile};
  return root;
}

TEST(CompletionScript, KnowsEveryCommandAndOption) {
  const CommandModel model = command_model();
  for (const Shell shell : {Shell::bash, Shell::zsh, Shell::fish}) {
    const std::string script = completion_script(model, shell);
    for (const CommandModel& command : model.commands) {
      EXPECT_THAT(script, HasSubstr(command.name));
      for (const OptionModel& option : command.options) {
        const std::string& name = option.names.back();
        EXPECT_THAT(script, HasSubstr(shell == Shell::fish ? "-l " + name.substr(2) : name));
      }
    }
  }
}

TEST(CompletionScript, LeavesNoPlaceholder) {
  for (const CommandModel& model : {command_model(), nested_model()}) {
    const std::string script = completion_script(model, Shell::bash);
    for (const char* placeholder : {"<steps>", "<values>", "<words>", "<program>"}) {
      EXPECT_THAT(script, Not(HasSubstr(placeholder)));
    }
  }
}

TEST(CompletionScript, ReachesCommandsInCommands) {
  EXPECT_THAT(completion_script(nested_model(), Shell::bash),
              HasSubstr("    ' profile list:-m'|' profile list:--mode')\n"));
  EXPECT_THAT(completion_script(nested_model(), Shell::zsh),
              HasSubstr("list) _prog_profile_list ;;"));
  EXPECT_THAT(completion_script(nested_model(), Shell::fish),
              HasSubstr("-n '__fish_seen_subcommand_from profile; and not "
                        "__fish_seen_subcommand_from list' -a list -d 'List \\'em'"));
}

TEST(CompletionScript, CompletesValues) {
  const CommandModel model = nested_model();
  EXPECT_THAT(completion_script(model, Shell::bash), HasSubstr("compgen -W 'a b'"));
  EXPECT_THAT(completion_script(model, Shell::bash), HasSubstr("compgen -f"));
  EXPECT_THAT(completion_script(model, Shell::zsh), HasSubstr(":FILE:_files'"));
  EXPECT_THAT(completion_script(model, Shell::fish), HasSubstr(" -s m -l mode -x -a 'a b'"));
  EXPECT_THAT(completion_script(model, Shell::fish), HasSubstr(" -l into -r -F"));
}

TEST(CompletionScript, QuotesWhatShellsWouldRead) {
  EXPECT_THAT(completion_script(nested_model(), Shell::zsh),
              HasSubstr("'*--mode[It'\\''s \\[the\\] mode\\: x]:a|b:(a b)'"));
}

}  // namespace
}  // namespace squall::cli
