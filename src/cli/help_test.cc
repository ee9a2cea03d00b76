#include "help.h"

#include <gmock/gmock.h>

#include "parser.h"

namespace squall::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HelpText, ListsTheCommands) {
  const std::string help = help_text(command_model(), {});
  EXPECT_THAT(help, HasSubstr("Usage: squall COMMAND [OPTIONS]\n"));
  for (const CommandModel& command : command_model().commands) {
    EXPECT_THAT(help, HasSubstr("\n  " + command.name + " "));
  }
  EXPECT_THAT(help, HasSubstr("  -v, --version"));
}

TEST(HelpText, ExplainsACommand) {
  const std::vector<std::string> path = {"serve"};
  const std::string help = help_text(command_model(), path);
  EXPECT_THAT(help, HasSubstr("Usage: squall serve [OPTIONS]\n"));
  EXPECT_THAT(help, HasSubstr("      --transport stdio|http"));
  EXPECT_THAT(help, HasSubstr("0 takes a free one (HTTP) [3000]\n"));
  EXPECT_THAT(help, HasSubstr("(repeatable)"));
  EXPECT_THAT(help, Not(HasSubstr("Commands:")));
}

TEST(HelpText, ShowsArguments) {
  const std::vector<std::string> path = {"completion"};
  EXPECT_THAT(help_text(command_model(), path),
              HasSubstr("Usage: squall completion bash|zsh|fish [OPTIONS]\n"));
}

TEST(HelpText, FitsATerminal) {
  for (const CommandModel& command : command_model().commands) {
    const std::vector<std::string> path = {command.name};
    const std::string help = help_text(command_model(), path);
    for (std::size_t at = 0; at < help.size();) {
      const std::size_t end = help.find('\n', at);
      ASSERT_NE(end, std::string::npos);
      EXPECT_LE(end - at, 100u) << help.substr(at, end - at);
      EXPECT_FALSE(end > at && help[end - 1] == ' ') << "a blank ends a line";
      at = end + 1;
    }
  }
}

}  // namespace
}  // namespace squall::cli
