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
  Result<Target> find(const std::string& content, const std::string& name,
                      const Environment& environment = {}) {
    TargetWords words = at(name);
    words.config_file = folder_ + "/config.json";
    std::ofstream(words.config_file) << content;
    return find_target(words, environment);
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
  EXPECT_EQ(target->url, "https://h:81/mcp?x");
  EXPECT_THAT(target->http.headers, ElementsAre(Pair("X-Key", "a:b"), Pair("X-Empty", "")));
  EXPECT_EQ(target->negotiation, client::Negotiation::modern);
}

TEST(Target, IsACommand) {
  TargetWords words;
  words.command = {"npx", "server", "--flag"};
  words.variables = {"KEY=a=b"};
  const auto target = find_target(words, {});
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(target->url, "");
  EXPECT_THAT(target->child.process.command, ElementsAre("npx", "server", "--flag"));
  EXPECT_THAT(target->child.process.environment, ElementsAre(Pair("KEY", "a=b")));
}

TEST(Target, TakesTheEnvironmentsWord) {
  const Environment environment = {{"SQUALL_TOKEN", "hunter2"}, {"SSL_CERT_FILE", "/ca.pem"}};
  const auto target = find_target(at("http://h"), environment);
  EXPECT_THAT(target->http.headers, ElementsAre(Pair("Authorization", "Bearer hunter2")));
  EXPECT_EQ(target->http.trust.ca_file, "/ca.pem");
  TargetWords words = at("http://h");
  words.ca_file = "/mine.pem";
  EXPECT_EQ(find_target(words, environment)->http.trust.ca_file, "/mine.pem");
}

TEST(Target, IsRefusedWithoutSayingASecret) {
  for (TargetWords words : {at("hunter2"), at("http://u:hunter2@h")}) {
    EXPECT_THAT(find_target(words, {}).error().message, Not(HasSubstr("hunter2")));
  }
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

TEST_F(ConfigTest, HasCommandsAndUrls) {
  const std::string content = R"({"mcpServers":{
    "local":{"command":"${HOME}/bin/x","args":["-y","${A}${B}"],"env":{"K":"v-${A}"},"cwd":"/tmp"},
    "far":{"url":"https://h/${A}","headers":{"X-Key":"${SECRET}"}}}})";
  const Environment environment = {
      {"HOME", "/opt/ann"}, {"A", "1"}, {"B", "2"}, {"SECRET", "hunter2"}};
  const auto local = find(content, "local", environment);
  ASSERT_TRUE(local.has_value()) << local.error().message;
  EXPECT_THAT(local->child.process.command, ElementsAre("/opt/ann/bin/x", "-y", "12"));
  EXPECT_THAT(local->child.process.environment, ElementsAre(Pair("K", "v-1")));
  EXPECT_EQ(local->child.process.directory, "/tmp");
  const auto far = find(content, "far", environment);
  EXPECT_EQ(far->url, "https://h/1");
  EXPECT_THAT(far->http.headers, ElementsAre(Pair("X-Key", "hunter2")));
  EXPECT_EQ(redact("key hunter2!", far->secrets), "key [redacted:X-Key]!");
}

TEST_F(ConfigTest, SaysWhatIsWrong) {
  const std::string one = R"({"mcpServers":{"orders":{"command":"x"}}})";
  EXPECT_THAT(find(one, "order").error().message, HasSubstr("did you mean 'orders'?"));
  EXPECT_THAT(find("{", "x").error().message, HasSubstr("line 1"));
  EXPECT_THAT(find("{}", "x").error().message, HasSubstr("no mcpServers"));
  EXPECT_THAT(find(R"({"mcpServers":{"x":{}}})", "x").error().message,
              HasSubstr("neither a command nor a url"));
  EXPECT_THAT(find(R"({"mcpServers":{"x":{"command":"${NOPE}"}}})", "x").error().message,
              HasSubstr("no 'NOPE'"));
  EXPECT_THAT(find(R"({"mcpServers":{"x":{"command":"${NOPE"}}})", "x").error().message,
              HasSubstr("never closed"));
  TargetWords missing = at("x");
  missing.config_file = "/nowhere/at/all.json";
  EXPECT_EQ(find_target(missing, {}).error().kind, ErrorKind::not_found);
}

TEST(Redact, ReplacesEverySecretAndTheLongestFirst) {
  TargetWords words = at("http://h");
  words.headers = {"Authorization: Bearer hunter2", "X: abc", "Y: [redacted:Y]"};
  const auto target = find_target(words, {});
  EXPECT_EQ(redact("Bearer hunter2, hunter2, abc", target->secrets),
            "[redacted:Authorization], [redacted:Authorization], abc");
  EXPECT_EQ(redact("[redacted:Y]", target->secrets), "[redacted:Y]");
}

}  // namespace
}  // namespace squall::cli
