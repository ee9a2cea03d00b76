#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "squall/json/write.h"
#include "squall/schema/schema.h"

#include "test_support.h"

/// @file The public JSON Schema Test Suite: all of its required tests, and the optional ones that
/// README.md claims. The numbers of tests are asserted, so that none can go missing.

namespace squall::schema {
namespace {

constexpr std::string_view kRemotePrefix = "http://localhost:1234/";

class Suite {
 public:
  explicit Suite(std::string draft) : draft_(std::move(draft)) {
    options_.draft = draft_ == "draft7" ? Draft::draft_07 : Draft::draft_2020_12;
    options_.resolve = [this](std::string_view uri) { return remote(uri); };
  }
  Suite& assert_formats() {
    options_.assert_formats = true;
    return *this;
  }
  /// Leaves the group with that description out of the files to come.
  Suite& without(std::string group) {
    left_out_.insert(std::move(group));
    return *this;
  }
  void run_folder(std::string_view below) {
    for (const auto& file : list_json(folder() / below)) run_file(file);
  }
  void run(std::string_view below) { run_file(folder() / (std::string(below) + ".json")); }
  [[nodiscard]] int passed() const { return passed_; }
  [[nodiscard]] int total() const { return total_; }

 private:
  [[nodiscard]] std::filesystem::path folder() const {
    return data_path("json-schema-test-suite") / draft_;
  }

  const json::Value* remote(std::string_view uri) {
    if (!uri.starts_with(kRemotePrefix)) return nullptr;
    const std::string name(uri.substr(kRemotePrefix.size()));
    const auto file = data_path("json-schema-test-suite/remotes") / name;
    if (!std::filesystem::is_regular_file(file)) return nullptr;
    auto& document = remotes_[name];
    if (document == nullptr) document = std::make_unique<json::Value>(read_json(file));
    return document.get();
  }

  void run_file(const std::filesystem::path& file) {
    const json::Value groups = read_json(file);
    for (const json::Value& group : groups.items()) {
      const std::string description(group.find_string("description").value_or(""));
      if (left_out_.contains(description)) continue;
      run_group(file.filename().string() + ": " + description, group);
    }
  }

  void run_group(const std::string& name, const json::Value& group) {
    const auto& tests = *group.find("tests");
    total_ += static_cast<int>(tests.size());
    const auto schema = Schema::compile(*group.find("schema"), options_);
    if (!schema) {
      ADD_FAILURE() << name << ": does not compile: " << schema.error().message;
      return;
    }
    for (const json::Value& test : tests.items()) run_test(name, *schema, test);
  }

  void run_test(const std::string& name, const Schema& schema, const json::Value& test) {
    const json::Value& instance = *test.find("data");
    const bool valid = test.find("valid")->boolean();
    std::vector<Violation> violations;
    const Verdict verdict = schema.validate(instance, violations);
    const bool right = verdict == (valid ? Verdict::valid : Verdict::invalid);
    EXPECT_TRUE(right) << name << ": " << test.find_string("description").value_or("") << ": "
                       << json::to_string(instance) << " should be "
                       << (valid ? "valid" : "invalid");
    EXPECT_EQ(violations.empty(), verdict == Verdict::valid) << name;
    if (right) ++passed_;
  }

  std::string draft_;
  CompileOptions options_;
  std::map<std::string, std::unique_ptr<json::Value>> remotes_;
  std::set<std::string> left_out_;
  int passed_ = 0;
  int total_ = 0;
};

void expect_all(const Suite& suite, int total) {
  std::cout << suite.passed() << " of " << suite.total() << " tests passed\n";
  EXPECT_EQ(suite.total(), total);
  EXPECT_EQ(suite.passed(), total);
}

TEST(Suite, EveryRequiredTestOf2020Passes) {
  Suite suite("draft2020-12");
  suite.run_folder("");
  expect_all(suite, 1299);
}

TEST(Suite, EveryRequiredTestOfDraft07Passes) {
  Suite suite("draft7");
  suite.run_folder("");
  expect_all(suite, 927);
}

TEST(Suite, ClaimedOptionalTestsOf2020Pass) {
  Suite suite("draft2020-12");
  for (const char* file :
       {"anchor", "bignum", "dynamicRef", "ecmascript-regex", "float-overflow", "format-assertion",
        "id", "no-schema", "non-bmp-regex", "refOfUnknownKeyword", "unknownKeyword"}) {
    suite.run("optional/" + std::string(file));
  }
  expect_all(suite, 125);
}

TEST(Suite, ClaimedOptionalTestsOfDraft07Pass) {
  Suite suite("draft7");
  for (const char* file :
       {"bignum", "ecmascript-regex", "float-overflow", "id", "non-bmp-regex", "unknownKeyword"}) {
    suite.run("optional/" + std::string(file));
  }
  expect_all(suite, 106);
}

constexpr const char* kALabels = "validation of A-label (punycode) host names";

TEST(Suite, ClaimedFormatsOf2020Pass) {
  Suite suite("draft2020-12");
  suite.assert_formats().without(kALabels);
  for (const char* file :
       {"date-time", "date", "duration", "ecmascript-regex", "email", "hostname", "ipv4", "ipv6",
        "iri-reference", "iri", "json-pointer", "regex", "relative-json-pointer", "time", "unknown",
        "uri-reference", "uri-template", "uri", "uuid"}) {
    suite.run("optional/format/" + std::string(file));
  }
  expect_all(suite, 764 - 38 - 18 - 90);
}

TEST(Suite, ClaimedFormatsOfDraft07Pass) {
  Suite suite("draft7");
  suite.assert_formats().without(kALabels);
  for (const char* file :
       {"date-time", "date", "ecmascript-regex", "email", "hostname", "ipv4", "ipv6",
        "iri-reference", "iri", "json-pointer", "regex", "relative-json-pointer", "time", "unknown",
        "uri-reference", "uri-template", "uri"}) {
    suite.run("optional/format/" + std::string(file));
  }
  expect_all(suite, 676 - 38 - 18 - 89);
}

}  // namespace
}  // namespace squall::schema
