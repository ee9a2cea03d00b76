#include "remote.h"

#include <gmock/gmock.h>

#include "captured_console.h"
#include "parser.h"

namespace squall::cli {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

Result<RemoteCommand> parse(std::initializer_list<const char*> words) {
  SQUALL_TRY(const Command command, parse_command({words.begin(), words.size()}));
  return std::get<RemoteCommand>(command);
}

TEST(RemoteCommand, TakesAUrlAndWhatFollowsIt) {
  const auto command =
      parse({"call",     "http://h/mcp", "create",   "a=1",  "b=2",        "--args",    "{}",
             "--header", "X: 1",         "--header", "Y: 2", "--timeout",  "1.5s",      "--json",
             "--raw",    "--insecure",   "--ca",     "f",    "--protocol", "2025-11-25"});
  ASSERT_TRUE(command.has_value()) << command.error().message;
  EXPECT_EQ(command->what, RemoteCommand::What::call);
  EXPECT_EQ(command->target.name, "http://h/mcp");
  EXPECT_EQ(command->subject, "create");
  EXPECT_THAT(command->words, ElementsAre("a=1", "b=2"));
  EXPECT_EQ(command->args, "{}");
  EXPECT_THAT(command->target.headers, ElementsAre("X: 1", "Y: 2"));
  EXPECT_EQ(command->target.timeout, 1500ms);
  EXPECT_TRUE(command->json && command->raw && command->target.insecure);
  EXPECT_EQ(command->target.protocol, "2025-11-25");
}

TEST(RemoteCommand, TakesACommandAtTheEnd) {
  const auto command =
      parse({"call", "create", "a=1", "--env", "K=v", "--", "npx", "-y", "--json"});
  ASSERT_TRUE(command.has_value()) << command.error().message;
  EXPECT_EQ(command->subject, "create");
  EXPECT_THAT(command->target.command, ElementsAre("npx", "-y", "--json"));
  EXPECT_THAT(command->target.variables, ElementsAre("K=v"));
  EXPECT_FALSE(command->json) << "that word is the server's";
}

TEST(RemoteCommand, TakesAnEntryOfAConfiguration) {
  const auto command = parse({"read", "--config", "c.json", "orders", "file:///a"});
  ASSERT_TRUE(command.has_value()) << command.error().message;
  EXPECT_EQ(command->target.config_file, "c.json");
  EXPECT_EQ(command->target.name, "orders");
  EXPECT_EQ(command->subject, "file:///a");
}

TEST(RemoteCommand, ListensToResources) {
  const auto command = parse({"listen", "http://h", "file:///a", "file:///b", "--log-level",
                              "warning", "-v", "--no-browser", "--client-id", "me"});
  ASSERT_TRUE(command.has_value()) << command.error().message;
  EXPECT_EQ(command->what, RemoteCommand::What::listen);
  EXPECT_THAT(command->words, ElementsAre("file:///a", "file:///b"));
  EXPECT_EQ(command->log_level, mcp::LogLevel::warning);
  EXPECT_TRUE(command->verbose && command->no_browser);
  EXPECT_EQ(command->client_id, "me");
}

TEST(RemoteCommand, SaysWhatIsMissingOrTooMuch) {
  EXPECT_THAT(parse({"inspect"}).error().message, HasSubstr("needs a server"));
  EXPECT_THAT(parse({"inspect", "--"}).error().message, HasSubstr("no place"));
  EXPECT_THAT(parse({"call", "http://h"}).error().message, HasSubstr("TOOL"));
  EXPECT_THAT(parse({"read", "--", "npx"}).error().message, HasSubstr("URI"));
  EXPECT_THAT(parse({"inspect", "http://h", "more"}).error().message, HasSubstr("'more'"));
  EXPECT_THAT(parse({"inspect", "http://h", "--args", "{}"}).error().message, HasSubstr("--args"));
  EXPECT_THAT(parse({"inspect", "http://h", "--timeout", "5"}).error().message,
              HasSubstr("timeout"));
  EXPECT_THAT(parse({"inspect", "--config", "c", "x", "--", "y"}).error().message,
              HasSubstr("not by both"));
}

TEST(VisitServer, CannotStartWithoutAServer) {
  CapturedConsole console;
  RemoteCommand command;
  command.target.name = "http://127.0.0.1:1/mcp";
  EXPECT_EQ(visit_server(command, console), Exit::could_not);
  EXPECT_THAT(console.errors, HasSubstr("squall: cannot connect: "));
  CapturedConsole other;
  command.target.name = "nonsense";
  EXPECT_EQ(visit_server(command, other), Exit::could_not);
  EXPECT_EQ(console.output + other.output, "");
}

}  // namespace
}  // namespace squall::cli
