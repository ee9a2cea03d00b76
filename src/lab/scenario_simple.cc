#include "scenario_forms.h"

/// @file The failure lab's form: one call, and one observer behind it.

namespace squall::lab {

namespace {

using json::StrictNode;
using json::StrictObject;
using std::chrono::milliseconds;

constexpr std::int64_t kTimeoutMs = 30'000;

Step read_call(const StrictNode& node, Step::Kind kind) {
  Step step;
  step.kind = kind;
  StrictObject call(node);
  const std::string tool = call.text("tool");
  json::Value args = json::Value::object();
  if (const auto member = call.need("args")) {
    if (!member->value().is_object()) member->expected("an object");
    args = member->value();
  }
  call.finish();
  step.label = (kind == Step::Kind::call ? "call " : "observe ") + tool;
  step.params = json::Value::object({{"name", tool}, {"arguments", std::move(args)}});
  return step;
}

std::chrono::nanoseconds read_timeout(StrictObject& object) {
  const auto member = object.find("timeoutMs");
  // Beyond a year nothing is waited for; the bound keeps nanoseconds from overflowing.
  constexpr std::int64_t kYearMs = 366LL * 24 * 3'600 * 1'000;
  const std::int64_t given = member ? member->integer(1) : kTimeoutMs;
  return milliseconds(std::min(given, kYearMs));
}

/// {call, timeoutMs, expect}, as they stand in the scenario and in its observer.
Step read_observed_call(StrictObject& object, Step::Kind kind) {
  Step step;
  if (const auto call = object.need("call")) step = read_call(*call, kind);
  step.timeout = read_timeout(object);
  if (const auto expect = object.need("expect")) step.expect = read_simple_expectation(*expect);
  return step;
}

}  // namespace

Scenario read_simple_scenario(json::StrictFile& file) {
  Scenario out;
  out.simple = true;
  StrictObject object(file.root());
  out.name = object.text("name");
  out.steps.push_back(read_observed_call(object, Step::Kind::call));
  if (const auto version = object.find("protocolVersion")) {
    out.protocol_given = true;
    const bool legacy = version->choice({"2025-11-25", "2026-07-28"}) == 0;
    out.protocol = legacy ? Protocol::legacy : Protocol::modern;
  }
  if (const auto observe = object.find("observe")) {
    StrictObject observer(*observe);
    out.steps.push_back(read_observed_call(observer, Step::Kind::observe));
    observer.finish();
  }
  object.finish();
  // One time rules setup, call, cancellation and cleanup there; the observer has its own.
  const std::chrono::nanoseconds timeout = *out.steps[0].timeout;
  out.budgets.call = timeout;
  return out;
}

}  // namespace squall::lab
