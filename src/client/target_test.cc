#include "squall/client/target.h"

#include <gmock/gmock.h>

namespace squall::client {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

const Environment kEmpty = [](std::string_view) { return std::optional<std::string>(); };

TEST(ReadTarget, KnowsStdioWithItsVariables) {
  const auto target = read_target("t.yaml",
                                  "squall: 1\n"
                                  "target: { transport: stdio, command: npx, args: [-y, server],\n"
                                  "  env: { A: b }, env_from: { TOKEN: MY_TOKEN }, cwd: /tmp }\n"
                                  "protocol: 2025-11-25\n");
  ASSERT_TRUE(target.has_value()) << target.error().message;
  EXPECT_THAT(target->command, ElementsAre("npx", "-y", "server"));
  EXPECT_THAT(target->environment_from, ElementsAre(Pair("TOKEN", "MY_TOKEN")));
  EXPECT_EQ(target->directory, "/tmp");
  EXPECT_EQ(target->negotiation, Negotiation::legacy);
  EXPECT_EQ(target->describe(), "stdio npx");
}

TEST(ReadTarget, KnowsTheAdapterForm) {
  const auto target = read_target(
      "t.json", R"({"adapter":"mcp","config":{"transport":"http","url":"http://127.0.0.1:1/mcp",)"
                R"("headerEnv":{"Authorization":"MY_AUTH"}}})");
  ASSERT_TRUE(target.has_value()) << target.error().message;
  EXPECT_EQ(target->url, "http://127.0.0.1:1/mcp");
  EXPECT_THAT(target->headers_from, ElementsAre(Pair("Authorization", "MY_AUTH")));
}

TEST(ReadTarget, TellsAllMistakesWithoutASecret) {
  const std::string secret = "sk-5ecr3t-value";
  // Broken at every byte and in every key: nothing may come out that the file keeps.
  const std::string good = R"({"adapter":"mcp","config":{"transport":"http","url":")" + secret +
                           R"(","headers":{"Authorization":")" + secret + R"("}}})";
  int refused = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const std::string& broken :
         {good.substr(0, at), good.substr(0, at) + good.substr(at + 1),
          good.substr(0, at) + "\"" + good.substr(at), good.substr(0, at) + "}" + good.substr(at),
          good.substr(0, at) + "\xff" + good.substr(at),
          good.substr(0, at) + "7" + good.substr(at)}) {
      const auto read = read_target("t", broken);
      if (read) continue;
      ++refused;
      for (std::size_t part = 0; part + 5 <= secret.size(); ++part) {
        ASSERT_THAT(read.error().message, Not(HasSubstr(secret.substr(part, 5)))) << broken;
      }
    }
  }
  EXPECT_GT(refused, 500);
}

TEST(ReadClientConfig, TakesOneEntryAndLeavesTheRestAlone) {
  const std::string text = R"({"theme":"dark","mcpServers":{
    "files":{"command":"npx","args":["-y","${PACKAGE}"],"env":{"TOKEN":"${SECRET}"},
      "disabled":false},
    "web":{"type":"http","url":"https://example.com/mcp","headers":{"X":"y"}}}})";
  const auto files = read_client_config("c.json", text, "files");
  ASSERT_TRUE(files.has_value()) << files.error().message;
  EXPECT_THAT(files->command, ElementsAre("npx", "-y", "${PACKAGE}"));
  EXPECT_TRUE(files->expand);
  EXPECT_EQ(read_client_config("c.json", text, "web")->url, "https://example.com/mcp");
  EXPECT_THAT(read_client_config("c.json", text, "other").error().message,
              HasSubstr("no server \"other\""));
}

TEST(ReadClientConfig, NamesTheServerThatMayBeMeant) {
  const std::string text = R"({"mcpServers":{"orders":{"command":"x"},"none":{}}})";
  EXPECT_THAT(read_client_config("c.json", text, "order").error().message,
              HasSubstr("did you mean \"orders\"?"));
  EXPECT_THAT(read_client_config("c.json", text, "none").error().message,
              HasSubstr("neither a command nor a url"));
}

TEST(OpenTarget, PutsVariablesInPlaceAndKeepsThemSecret) {
  const auto loop = runtime::SystemLoop::make();
  const Environment ours = [](std::string_view name) {
    return name == "KEY" ? std::optional<std::string>("Bearer hunter2") : std::nullopt;
  };
  const std::string text = R"({"mcpServers":{
    "far":{"url":"http://far.example/mcp","headers":{"X":"${KEY}"}},
    "lost":{"url":"http://far.example/${NOPE}"}}})";
  const auto far = read_client_config("c.json", text, "far");
  const auto open = open_target(*loop, *far, ours);
  ASSERT_TRUE(open.has_value()) << open.error().message;
  EXPECT_EQ(redact("key hunter2!", open->secrets), "key [redacted:KEY]!");
  EXPECT_EQ(url_of(*far, ours), "http://far.example/mcp");
  const auto lost = read_client_config("c.json", text, "lost");
  EXPECT_THAT(open_target(*loop, *lost, ours).error().message, HasSubstr("NOPE is not set"));
}

TEST(OpenTarget, KeepsTargetFilesFromClearText) {
  const auto loop = runtime::SystemLoop::make();
  for (const char* config : {R"("url":"http://far.example/mcp")",
                             R"("url":"http://127.0.0.1:1/mcp","headers":{"X":"y"})"}) {
    const auto target = read_target(
        "t.json", R"({"adapter":"mcp","config":{"transport":"http",)" + std::string(config) + "}}");
    ASSERT_TRUE(target.has_value()) << target.error().message;
    EXPECT_THAT(open_target(*loop, *target, kEmpty).error().message, HasSubstr("https"));
  }
}

TEST(Redact, ReplacesValuesLongestFirst) {
  const Target::Pairs secrets = {{"hunter", "SHORT"}, {"hunter22", "LONG"}, {"abc", "TINY"}};
  EXPECT_EQ(redact("hunter22 and hunter, abc", secrets),
            "[redacted:LONG] and [redacted:SHORT], abc");
  EXPECT_EQ(show_variable("API_KEY_2"), "environment variable API_KEY_2");
  EXPECT_EQ(show_variable("sk-Hunter22").find("Hunter"), std::string::npos);
  EXPECT_EQ(redact("hunter22", {{"hunter22", "x hunter22"}}), "[redacted:secret]");
  EXPECT_EQ(redact("Bearer hunter22", {{"Bearer hunter22", "hunter22"}}), "[redacted:secret]");
  EXPECT_EQ(redact("hunter22, word", {{"word", "hunter22"}, {"hunter22", "A"}}),
            "[redacted:A], [redacted:secret]");
}

}  // namespace
}  // namespace squall::client
