#include "squall/cli/cli.h"

#include <gmock/gmock.h>

#include "captured_console.h"
#include "version.h"

namespace squall::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Ran {
  Exit exit;
  std::string output;
  std::string errors;
};

Ran run_words(std::initializer_list<const char*> words) {
  CapturedConsole console;
  const Exit exit = run({words.begin(), words.size()}, console);
  return {exit, console.output, console.errors};
}

TEST(Run, ShowsItsVersion) {
  const Ran ran = run_words({"--version"});
  EXPECT_EQ(ran.exit, Exit::passed);
  EXPECT_EQ(ran.output, "squall " + std::string(kVersion) + "\n");
  EXPECT_EQ(ran.errors, "");
}

TEST(Run, HelpsWithoutWords) {
  const Ran ran = run_words({});
  EXPECT_EQ(ran.exit, Exit::passed);
  EXPECT_THAT(ran.output, HasSubstr("Usage: squall COMMAND"));
  EXPECT_EQ(ran.output, run_words({"--help"}).output);
  EXPECT_EQ(ran.output, run_words({"help"}).output);
}

TEST(Run, HelpsWithEveryCommand) {
  for (const char* command :
       {"demo", "serve", "proxy", "faults", "profile", "plan", "schema", "completion", "help"}) {
    const Ran ran = run_words({command, "--help"});
    EXPECT_EQ(ran.exit, Exit::passed);
    EXPECT_THAT(ran.output, HasSubstr("Usage: squall " + std::string(command)));
    EXPECT_EQ(run_words({"help", command}).output, ran.output);
  }
}

TEST(Run, PrintsTheSchemasOfFormats) {
  const Ran ran = run_words({"schema", "profile"});
  EXPECT_EQ(ran.exit, Exit::passed);
  EXPECT_THAT(ran.output, HasSubstr("\"title\": \"Squall profile, version 1\""));
  EXPECT_THAT(run_words({"schema", "report"}).output,
              HasSubstr("\"title\": \"Squall's JSON report, version 1\""));
  EXPECT_EQ(run_words({"schema", "sonnet"}).exit, Exit::could_not);
}

TEST(Run, PrintsCompletions) {
  EXPECT_THAT(run_words({"completion", "bash"}).output, HasSubstr("complete -F _squall squall"));
  EXPECT_THAT(run_words({"completion", "zsh"}).output, StartsWith("#compdef squall\n"));
  EXPECT_THAT(run_words({"completion", "fish"}).output, HasSubstr("complete -c squall"));
}

TEST(Run, ComplainsInOneLine) {
  for (const auto& words : {std::initializer_list<const char*>{"sevre"},
                            {"serve", "--nonsense"},
                            {"serve", "--port", "80"},
                            {"serve", "--transport", "http", "--host", "0.0.0.0"},
                            {"serve", "--transport", "http", "--host", "a\nb"},
                            {"completion", "csh"}}) {
    const Ran ran = run_words(words);
    EXPECT_EQ(ran.exit, Exit::could_not);
    EXPECT_EQ(ran.output, "");
    EXPECT_THAT(ran.errors, StartsWith("squall: "));
    EXPECT_EQ(ran.errors.find('\n'), ran.errors.size() - 1) << ran.errors;
  }
}

}  // namespace
}  // namespace squall::cli
