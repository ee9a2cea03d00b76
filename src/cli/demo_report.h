#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "squall/json/value.h"
#include "squall/runtime/loop.h"

/// @file What `squall demo` found out, and how it reads.

namespace squall::cli {

/// How the call under test ended; the names are those of reports.
enum class Outcome : std::uint8_t { success, tool_error, error, timeout };
[[nodiscard]] std::string_view to_text(Outcome outcome) noexcept;

/// One request on the way.
struct DemoStep {
  std::string what;    ///< "tools/call delay"
  std::string answer;  ///< the gist of it
  runtime::Duration duration{};
};

struct DemoAssertion {
  std::string text;
  bool holds = false;
};

struct DemoReport {
  std::string endpoint;
  std::vector<DemoStep> steps;
  Outcome outcome = Outcome::error;
  runtime::Duration duration{};  ///< of the call under test
  std::vector<DemoAssertion> assertions;
  json::Value result;  ///< of the call; null when it gave none
  std::string error;   ///< why it gave none

  [[nodiscard]] bool passed() const;
};

inline constexpr std::string_view kDemoScenario = "A call that takes half a second";

[[nodiscard]] std::string demo_text(const DemoReport& report, bool colours);
/// One JSON document, described in the README of cli.
[[nodiscard]] std::string demo_json(const DemoReport& report);

}  // namespace squall::cli
