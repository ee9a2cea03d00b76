#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "squall/fault/profile.h"
#include "squall/inject/harness.h"

/// A GoogleTest fixture that puts faults in front of tools. Derive from it, name your tools and a
/// profile, and call:
///
///     class Orders : public FaultFixture {
///      protected:
///       json::Value run(std::string_view tool, const json::Value& arguments) override;
///     };
///     TEST_F(Orders, BooksOnce) {
///       use("squall: 1\nname: p\nrules: [{fault: lost, attempts: [1]}]\n");
///       ...
///     }
class FaultFixture : public testing::Test {
 protected:
  /// What a tool does: the result of tools/call.
  virtual squall::json::Value run(std::string_view tool, const squall::json::Value& arguments) = 0;

  /// Puts this profile in front of the tools. A mistake in it fails the test.
  void use(const std::string& profile, squall::fault::Seed seed = {1337}) {
    auto read = squall::fault::read_profile("profile.yaml", profile);
    ASSERT_TRUE(read.has_value()) << read.error().message;
    auto tools = [this](std::string_view tool, const squall::json::Value& arguments) {
      return run(tool, arguments);
    };
    auto made = squall::inject::Harness::make(tools, *std::move(read), seed);
    ASSERT_TRUE(made.has_value()) << made.error().message;
    harness_ = *std::move(made);
  }

  squall::inject::Invocation call(std::string_view tool, const squall::json::Value& arguments) {
    return harness_->invoke(tool, arguments);
  }
  squall::inject::Harness& harness() { return *harness_; }

 private:
  std::unique_ptr<squall::inject::Harness> harness_;
};
