#include "squall/fault/profile_schema.h"

#include <gtest/gtest.h>

#include "squall/fault/builtin.h"
#include "squall/fault/catalogue.h"
#include "squall/json/write.h"
#include "squall/json/yaml.h"
#include "squall/schema/schema.h"

namespace squall::fault {
namespace {

class ProfileSchema : public testing::Test {
 protected:
  ProfileSchema() : schema_(schema::Schema::compile(profile_schema())) {
    EXPECT_TRUE(schema_) << schema_.error().message;
  }
  bool takes(const std::string& yaml) const {
    const auto value = json::parse_yaml(yaml);
    EXPECT_TRUE(value) << yaml;
    return value && schema_->validate(*value) == schema::Verdict::valid;
  }
  bool takes_rule(const std::string& rule) const {
    const std::string profile = "squall: 1\nname: p\nseed: 1\nrules:\n  - " + rule + "\n";
    const bool taken = takes(profile);
    // Whatever is right to the one is right to the other.
    EXPECT_EQ(taken, read_profile("p.yaml", profile).has_value()) << rule;
    return taken;
  }
  Result<schema::Schema> schema_;
};

TEST_F(ProfileSchema, TakesTheBuiltinProfilesAndTheirNormalForms) {
  for (const BuiltinProfile& builtin : builtin_profiles()) {
    EXPECT_TRUE(takes(std::string(builtin.text))) << builtin.name;
    const auto profile = read_profile("p", std::string(builtin.text));
    EXPECT_TRUE(takes(json::to_string(to_json(*profile)))) << builtin.name;
  }
}

TEST_F(ProfileSchema, TakesTheExampleOfEveryKind) {
  for (const Kind& kind : kinds()) {
    std::string rule = "{fault: " + std::string(kind.name);
    if (!kind.example.empty()) rule += ", " + std::string(kind.example);
    EXPECT_TRUE(takes_rule(rule + "}")) << kind.name;
  }
}

TEST_F(ProfileSchema, TakesWhatTheReaderTakes) {
  for (const char* rule :
       {"{fault: hang, until: cancelled}", "{fault: hang, until: 5s}", "{fault: hang, until: 20}",
        "{fault: crash, when: start}", "{fault: crash, when: {transport: stdio}}",
        "{fault: empty, style: null}", "{fault: expire, answer: 404}",
        "{fault: stream-format, variant: [crlf, {cr: 3}]}",
        "{fault: duplicate, times: {uniform: [2, 5]}}",
        "{fault: error, burst: {max: 3}, probability: 1/8, only: [/a], budget: {strikes: 2}}"}) {
    EXPECT_TRUE(takes_rule(rule)) << rule;
  }
}

TEST_F(ProfileSchema, RefusesWhatTheReaderRefuses) {
  for (const char* rule :
       {"{fault: errr}", "{}", "{fault: error, mesage: x}", "{fault: truncate}",
        "{fault: lost, how: slience}", "{fault: latency, delay: 5}", "{fault: error, rank: 2000}",
        "{fault: latency, delay: {uniform: [1s]}}", "{fault: error, calls: [0]}",
        "{fault: error, when: {tol: x}}", "{fault: error, keep: 3}"}) {
    EXPECT_FALSE(takes_rule(rule)) << rule;
  }
}

}  // namespace
}  // namespace squall::fault
