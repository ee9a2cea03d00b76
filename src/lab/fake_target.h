#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "squall/lab/adapter.h"
#include "squall/runtime/sleep.h"

namespace squall::lab::test {

/// One operation of a fake: how long it takes, and what comes of it.
struct FakeStep {
  runtime::Duration takes{};
  Attempt attempt{};
  std::function<void()> breaks{};  ///< called before the outcome, to throw as foreign code may
};

/// What fakes do, in order, and what was asked of them.
struct FakePlan {
  std::deque<FakeStep> steps;
  std::vector<std::string> asked;
};

/// A subject that does what its plan says, and notes what it is asked for.
class FakeSubject final : public Subject {
 public:
  FakeSubject(runtime::Loop& loop, FakePlan& plan) : loop_(loop), plan_(plan) {}
  Task<Attempt> setup() override { return next("setup"); }
  Task<Attempt> execute(Job job) override { return next("execute " + std::to_string(job.number)); }
  Task<Attempt> cancel(std::uint64_t job, std::string reason) override {
    return next("cancel " + std::to_string(job) + ": " + reason);
  }
  Task<Attempt> cleanup() override { return next("cleanup"); }
  [[nodiscard]] Introduction introduction() const override {
    Introduction out;
    out.protocol = "fake";
    return out;
  }

 private:
  Task<Attempt> next(std::string what) {
    plan_.asked.push_back(std::move(what));
    if (plan_.steps.empty()) {
      Attempt exhausted;
      exhausted.ending = Ending::protocol_error;
      exhausted.message = "fake_plan_exhausted";
      co_return exhausted;
    }
    FakeStep step = std::move(plan_.steps.front());
    plan_.steps.pop_front();
    if (step.takes > runtime::Duration::zero()) co_await runtime::sleep(loop_, step.takes);
    if (step.breaks) step.breaks();
    co_return std::move(step.attempt);
  }

  runtime::Loop& loop_;
  FakePlan& plan_;
};

class FakeTarget final : public Target {
 public:
  explicit FakeTarget(FakePlan& plan) : plan_(plan) {}
  [[nodiscard]] std::string_view adapter() const override { return "fake"; }
  [[nodiscard]] bool external() const override { return false; }
  [[nodiscard]] std::string describe() const override { return "fake"; }
  Result<std::unique_ptr<Path>> open(const Place& place) override {
    return std::make_unique<FakePath>(*place.loop, plan_);
  }

 private:
  class FakePath final : public Path {
   public:
    FakePath(runtime::Loop& loop, FakePlan& plan) : loop_(loop), plan_(plan) {}
    std::unique_ptr<Subject> connect(Wire& /*wire*/) override {
      return std::make_unique<FakeSubject>(loop_, plan_);
    }

   private:
    runtime::Loop& loop_;
    FakePlan& plan_;
  };
  FakePlan& plan_;
};

}  // namespace squall::lab::test
