#include "target.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

namespace squall::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

TargetWords at(const std::string& name) {
  TargetWords words;
  words.name = name;
  return words;
}

/// A configuration file in a folder of its own.
class ConfigTest : public testing::Test {
 protected:
  ConfigTest() {
    std::string name = std::filesystem::temp_directory_path() / "squall-config-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~ConfigTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Result<ChosenTarget> find(const std::string& content, const std::string& name) {
    TargetWords words = at(name);
    words.config_file = write(content);
    return find_target(words, {});
  }
  std::string write(const std::string& content) {
    const std::string file = folder_ + "/file.yaml";
    std::ofstream(file) << content;
    return file;
  }

 private:
  std::string folder_;
};

TEST(Target, IsAUrl) {
  TargetWords words = at("https://h:81/mcp?x");
  words.headers = {"X-Key: a:b", "X-Empty:"};
  words.protocol = "2026-07-28";
  const auto target = find_target(words, {});
  ASSERT_TRUE(target.has_value()) << target.error().message;
  EXPECT_TRUE(target->is_http());
  EXPECT_FALSE(target->has_authorization());
  EXPECT_EQ(target->server.url, "https://h:81/mcp?x");
  EXPECT_THAT(target->http.headers, ElementsAre(Pair("X-Key", "a:b"), Pair("X-Empty", "")));
  EXPECT_EQ(target->negotiation, client::Negotiation::modern);
}

TEST(Target, IsACommand) {
  TargetWords words;
  words.command = {"npx", "server", "--flag"};
  words.variables = {"KEY=a=b"};
  const auto target = find_target(words, {});
  ASSERT_TRUE(target.has_value());
  EXPECT_FALSE(target->is_http());
  EXPECT_THAT(target->server.command, ElementsAre("npx", "server", "--flag"));
  EXPECT_THAT(target->child.process.environment, ElementsAre(Pair("KEY", "a=b")));
}

TEST(Target, TakesTheEnvironmentsWord) {
  const Variables environment = {{"SQUALL_TOKEN", "hunter2"}, {"SSL_CERT_FILE", "/ca.pem"}};
  const auto target = find_target(at("http://h"), environment);
  EXPECT_THAT(target->http.headers, ElementsAre(Pair("Authorization", "Bearer hunter2")));
  EXPECT_TRUE(target->has_authorization());
  EXPECT_EQ(target->http.trust.ca_file, "/ca.pem");
  TargetWords words = at("http://h");
  words.ca_file = "/mine.pem";
  EXPECT_EQ(find_target(words, environment)->http.trust.ca_file, "/mine.pem");
}

TEST(Target, IsRefusedWithoutSayingASecret) {
  EXPECT_THAT(find_target(at("http://u:hunter2@h"), {}).error().message, Not(HasSubstr("hunter2")));
  TargetWords header = at("http://h");
  header.headers = {"hunter2"};
  EXPECT_THAT(find_target(header, {}).error().message, Not(HasSubstr("hunter2")));
  TargetWords variable;
  variable.command = {"x"};
  variable.variables = {"=hunter2"};
  EXPECT_THAT(find_target(variable, {}).error().message, Not(HasSubstr("hunter2")));
}

TEST(Target, RefusesOptionsOfTheOtherKind) {
  TargetWords url = at("http://h");
  url.variables = {"A=b"};
  EXPECT_THAT(find_target(url, {}).error().message, HasSubstr("--env"));
  TargetWords command;
  command.command = {"x"};
  command.headers = {"A: b"};
  EXPECT_THAT(find_target(command, {}).error().message, HasSubstr("--header"));
}

TEST(Target, TakesAHeaderRatherThanTheEnvironmentsToken) {
  TargetWords words = at("http://h");
  words.headers = {"authorization: Basic abc"};
  const auto target = find_target(words, {{"SQUALL_TOKEN", "hunter2"}});
  EXPECT_THAT(target->http.headers, ElementsAre(Pair("authorization", "Basic abc")));
}

TEST_F(ConfigTest, HasCommandsAndUrls) {
  const std::string content = R"({"mcpServers":{
    "local":{"command":"${HOME}/bin/x","args":["-y"],"env":{"K":"v"},"cwd":"/tmp"},
    "far":{"url":"http://h/1","headers":{"X-Key":"${SECRET}"}}}})";
  const auto local = find(content, "local");
  ASSERT_TRUE(local.has_value()) << local.error().message;
  EXPECT_THAT(local->server.command, ElementsAre("${HOME}/bin/x", "-y"));
  EXPECT_EQ(find(content, "far")->server.url, "http://h/1");
}

TEST_F(ConfigTest, SaysWhatIsWrong) {
  const std::string one = R"({"mcpServers":{"orders":{"command":"x"}}})";
  EXPECT_THAT(find(one, "order").error().message, HasSubstr("did you mean \"orders\"?"));
  EXPECT_THAT(find("{", "x").error().message, HasSubstr(":1:"));
  EXPECT_THAT(find("{}", "x").error().message, HasSubstr("mcpServers"));
  EXPECT_THAT(find(R"({"mcpServers":{"x":{}}})", "x").error().message,
              HasSubstr("neither a command nor a url"));
  TargetWords missing = at("x");
  missing.config_file = "/nowhere/at/all.json";
  EXPECT_EQ(find_target(missing, {}).error().kind, ErrorKind::not_found);
}

TEST_F(ConfigTest, IsBesideTargetFiles) {
  TargetWords words =
      at(write("squall: 1\ntarget: { transport: stdio, command: npx }\n"
               "protocol: 2025-11-25\n"));
  auto target = find_target(words, {});
  ASSERT_TRUE(target.has_value()) << target.error().message;
  EXPECT_THAT(target->server.command, ElementsAre("npx"));
  EXPECT_EQ(target->negotiation, client::Negotiation::legacy);
  words.protocol = "auto";
  EXPECT_EQ(find_target(words, {})->negotiation, client::Negotiation::automatic);
  EXPECT_THAT(find_target(at("/nowhere/at/all.yaml"), {}).error().message,
              HasSubstr("no URL, and as a target file: cannot read"));
}

TEST(LookUp, GivesVariables) {
  const Variables variables = {{"A", "1"}};
  EXPECT_EQ(look_up(variables)("A"), "1");
  EXPECT_EQ(look_up(variables)("B"), std::nullopt);
}

}  // namespace
}  // namespace squall::cli
