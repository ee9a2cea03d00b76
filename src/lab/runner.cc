#include "squall/lab/runner.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "squall/base/assert.h"
#include "squall/runtime/one_shot.h"
#include "squall/runtime/sleep.h"
#include "squall/runtime/task_set.h"

#include "fault_line.h"
#include "wire_log.h"

namespace squall::lab {

namespace {

using Kind = Step::Kind;
using runtime::Duration;

/// Operations of one run, whatever its steps repeat.
constexpr std::size_t kOperationsMax = 100'000;

/// A connection, its wire and its operations. Operations that are under way share it with the run,
/// which may have made another one meanwhile.
struct Connection {
  Connection(runtime::Loop& loop, Path& path, OperationLog& operations, WireLog& messages,
             std::uint32_t number)
      : wire(messages, number), subject(path.connect(wire)), life(loop, *subject, operations) {}

  ConnectionWire wire;
  std::unique_ptr<Subject> subject;
  Lifecycle life;
  std::uint64_t jobs = 0;
};
using Shared = std::shared_ptr<Connection>;

/// A call that runs in the background.
struct Background {
  StepResult* result = nullptr;
  Shared connection;
  std::uint64_t job = 0;
  bool done = false;
  std::vector<runtime::OneShot<>*> waiting{};
};

std::chrono::duration<double, std::milli> milliseconds(Duration span) { return span; }

class Run {
 public:
  Run(const Scenario& scenario, Path& path, runtime::Loop& loop, recording::Recorder* recorder)
      : scenario_(scenario),
        path_(path),
        loop_(loop),
        operations_(loop),
        wire_(scenario, operations_, recorder),
        notes_(wire_, 1),
        ends_(loop.now() + scenario.budgets.run),
        tasks_(loop) {
    path_.tell(notes_);
  }

  Task<void> whole() {
    Task<bool> opening = open();
    const bool open = co_await std::move(opening);
    if (open) {
      Task<void> steps = run_steps(scenario_.steps, "");
      co_await std::move(steps);
      Task<void> rest = finish_background();
      co_await std::move(rest);
    }
    if (main_ != nullptr) {
      Task<Lifecycle::Done> cleaning = main_->life.cleanup(cleanup_budget());
      co_await std::move(cleaning);
    }
    judge();
  }

  [[nodiscard]] WireLog& wire() noexcept { return wire_; }
  /// The faults between client and target; before `whole`.
  void set_faults(const FaultLine& line) { faults_ = &line; }

  RunResult take() {
    RunResult out;
    out.judgement = judgement_;
    out.why = std::move(why_);
    out.took = operations_.elapsed();
    out.steps.assign(std::make_move_iterator(results_.begin()),
                     std::make_move_iterator(results_.end()));
    out.findings = std::move(findings_);
    out.operations = operations_.all();
    out.healthy = operations_.healthy();
    out.introduction = std::move(introduction_);
    if (faults_ != nullptr) {
      out.fired = faults_->fired();
      out.rules = faults_->tally();
    }
    return out;
  }

 private:
  // Connections

  Task<bool> open() {
    Task<Attempt> connecting = connect();
    Attempt attempt = co_await std::move(connecting);
    if (attempt.ending == Ending::success) {
      introduction_ = main_->subject->introduction();
      co_return true;
    }
    judgement_ = scenario_.simple ? Judgement::errored : Judgement::inconclusive;
    why_ = "adapter setup failed: " + attempt.message;
    co_return false;
  }

  Shared make_connection() {
    return std::make_shared<Connection>(loop_, path_, operations_, wire_, ++connections_);
  }

  void introduce(const Connection& connection, std::uint32_t number) {
    const Introduction about = connection.subject->introduction();
    recording::Connect event;
    event.connection = number;
    event.transport = about.transport;
    event.with = recording::Party::server;
    event.peer = about.peer;
    wire_.record(std::move(event));
  }

  Task<Attempt> connect() {
    main_ = make_connection();
    introduce(*main_, connections_);
    const Shared connection = main_;
    Task<Lifecycle::Done> setting_up = connection->life.setup(scenario_.budgets.setup);
    Lifecycle::Done done = co_await std::move(setting_up);
    co_return std::move(done.attempt);
  }

  [[nodiscard]] Duration cleanup_budget() const { return scenario_.budgets.cleanup; }

  // Steps

  Task<void> run_steps(const std::vector<Step>& steps, std::string suffix) {
    for (const Step& step : steps) {
      if (!may_go_on()) co_return;
      Task<void> running = run_step(step, suffix);
      co_await std::move(running);
    }
  }

  /// Whether there is time left, and room.
  bool may_go_on() {
    if (!stopped_.empty()) return false;
    if (operations_.all().size() >= kOperationsMax) {
      stopped_ = "the run has more than " + std::to_string(kOperationsMax) + " operations";
    } else if (!scenario_.simple && loop_.now() >= ends_) {
      stopped_ = "the run took longer than its budget";
    }
    return stopped_.empty();
  }

  [[nodiscard]] Duration within_run(Duration budget) const {
    if (scenario_.simple) return budget;
    return std::max(std::min(budget, ends_ - loop_.now()), Duration(1));
  }

  StepResult& begin(const Step& step, const std::string& suffix) {
    StepResult& result = results_.emplace_back();
    result.number = static_cast<std::uint32_t>(results_.size());
    result.step = &step;
    result.label = step.label + suffix;
    return result;
  }

  Task<void> run_step(const Step& step, std::string suffix) {
    switch (step.kind) {
      case Kind::wait:
        return wait(step, std::move(suffix));
      case Kind::cancel:
        return cancel(step, std::move(suffix));
      case Kind::reconnect:
        return reconnect(step, std::move(suffix));
      case Kind::parallel:
        return run_parallel(step, std::move(suffix));
      case Kind::repeat:
        return repeat(step, std::move(suffix));
      case Kind::observe:
        if (step.separate) return observe_apart(step, std::move(suffix));
        break;
      case Kind::call:
      case Kind::list:
      case Kind::read:
      case Kind::prompt:
      case Kind::complete:
      case Kind::request:
      case Kind::notify:
      case Kind::raw:
      case Kind::listen:
        break;
    }
    return step.background ? start_background(step, std::move(suffix))
                           : ask(step, std::move(suffix));
  }

  Task<void> ask(const Step& step, std::string suffix) {
    StepResult& result = begin(step, suffix);
    std::optional<Job> job = make_job(step, *main_, result);
    if (!job) co_return;
    const Shared connection = main_;
    Task<void> running = execute(step, *std::move(job), connection, result);
    co_await std::move(running);
  }

  /// The job of a step, its texts filled in; nothing when that can't be.
  std::optional<Job> make_job(const Step& step, Connection& connection, StepResult& result) {
    if (!step.templated) return Job(++connection.jobs, step.kind, step.params);
    auto params = fill_in(step.params, named_);
    if (params) return Job(++connection.jobs, step.kind, *std::move(params));
    cannot(result, params.error().message);
    conclude(step, result, wire_.arrivals() + 1);
    return std::nullopt;
  }

  static void cannot(StepResult& result, std::string why) {
    result.judgement = Judgement::errored;
    result.why = std::move(why);
  }

  Task<void> execute(const Step& step, Job job, Shared connection, StepResult& result) {
    const auto kind =
        step.kind == Kind::observe ? Operation::Kind::observe : Operation::Kind::execute;
    const std::uint64_t first = wire_.arrivals() + 1;
    for (std::int64_t left = step.retries;; --left) {
      Job next(job);
      Task<Lifecycle::Done> running = connection->life.execute(
          kind, std::move(next), within_run(step.timeout.value_or(scenario_.budgets.call)),
          scenario_.budgets.cancel);
      Lifecycle::Done done = co_await std::move(running);
      result.attempt = std::move(done.attempt);
      result.took += done.took;
      // As a client does that knows no better: no answer, so once more.
      const bool unanswered = result.attempt.ending == Ending::timeout ||
                              result.attempt.ending == Ending::transport_loss;
      if (!unanswered || left <= 0 || !may_go_on()) break;
      job.number = ++connection->jobs;
    }
    conclude(step, result, first);
  }

  void conclude(const Step& step, StepResult& result, std::uint64_t first_arrival) {
    judge_step(step, result);
    if (!step.name.empty()) remember(step.name, result);
    recording::Verdict verdict;
    verdict.first_in = first_arrival;
    verdict.last_in = wire_.arrivals();
    record(result, std::move(verdict));
  }

  void judge_step(const Step& step, StepResult& result) const {
    if (result.judgement == Judgement::errored) return;
    // The failure lab's observer must get an answer, whatever it expects.
    if (scenario_.simple && step.kind == Kind::observe && !result.attempt.value) {
      const bool late = result.attempt.ending == Ending::timeout;
      Finding& found = result.findings.emplace_back("result", "a result", "none", false);
      found.text = late ? "observer execution timed out"
                        : "observer execution failed: " + result.attempt.message;
    } else if (step.expect) {
      step.expect->check(result.attempt, milliseconds(result.took).count(), result.findings);
    } else {
      // A step that says nothing must succeed, unless the scenario itself put an end to it.
      const bool well =
          result.attempt.ending == Ending::success || result.attempt.ending == Ending::cancelled;
      if (!well) {
        Expectation success;
        success.ending = Ending::success;
        success.check(result.attempt, 0, result.findings);
      }
    }
    const bool held = std::all_of(result.findings.begin(), result.findings.end(),
                                  [](const Finding& finding) { return finding.held; });
    if (!held) result.judgement = Judgement::failed;
  }

  void remember(const std::string& name, const StepResult& result) {
    json::Value about = json::Value::object();
    about.set("outcome", to_text(result.attempt.ending));
    about.set("durationMs", milliseconds(result.took).count());
    if (result.attempt.value) about.set("result", *result.attempt.value);
    if (!result.attempt.message.empty()) {
      json::Value error = json::Value::object({{"message", result.attempt.message}});
      if (result.attempt.code) error.set("code", *result.attempt.code);
      error.set("data", result.attempt.data);
      about.set("error", std::move(error));
    }
    named_.set(name, std::move(about));
  }

  Task<void> wait(const Step& step, std::string suffix) {
    StepResult& result = begin(step, suffix);
    const runtime::TimePoint began = loop_.now();
    if (step.of.empty()) {
      co_await runtime::sleep(loop_, within_run(step.time));
    } else if (Background* const call = background_of(step, result)) {
      Task<void> waiting = wait_for(*call);
      co_await std::move(waiting);
    }
    result.took = loop_.now() - began;
    conclude(step, result, wire_.arrivals() + 1);
  }

  Task<void> cancel(const Step& step, std::string suffix) {
    StepResult& result = begin(step, suffix);
    const std::uint64_t first = wire_.arrivals() + 1;
    Background* const call = background_of(step, result);
    if (call != nullptr && !call->done) {
      std::string reason = "cancelled by the scenario";
      Task<Lifecycle::Done> cancelling =
          call->connection->life.cancel(call->job, std::move(reason), scenario_.budgets.cancel);
      Lifecycle::Done done = co_await std::move(cancelling);
      result.attempt = std::move(done.attempt);
      result.took = done.took;
    }
    conclude(step, result, first);
  }

  Background* background_of(const Step& step, StepResult& result) {
    const auto found = background_.find(step.of);
    if (found != background_.end()) return &found->second;
    // The reader knows the name; what it names has never run in the background.
    if (!named_.contains(step.of)) cannot(result, step.of + " doesn't run in the background");
    return nullptr;
  }

  Task<void> reconnect(const Step& step, std::string suffix) {
    StepResult& result = begin(step, suffix);
    const std::uint64_t first = wire_.arrivals() + 1;
    const runtime::TimePoint began = loop_.now();
    const Shared old = main_;
    Task<Lifecycle::Done> cleaning = old->life.cleanup(cleanup_budget());
    co_await std::move(cleaning);
    Task<Attempt> connecting = connect();
    result.attempt = co_await std::move(connecting);
    result.took = loop_.now() - began;
    conclude(step, result, first);
  }

  Task<void> observe_apart(const Step& step, std::string suffix) {
    StepResult& result = begin(step, suffix);
    const Shared connection = make_connection();
    introduce(*connection, connections_);
    std::optional<Job> job = make_job(step, *connection, result);
    if (!job) co_return;
    Task<Lifecycle::Done> setting_up = connection->life.setup(scenario_.budgets.setup);
    Lifecycle::Done up = co_await std::move(setting_up);
    if (up.attempt.ending == Ending::success) {
      Task<void> running = execute(step, *std::move(job), connection, result);
      co_await std::move(running);
    } else {
      result.attempt = std::move(up.attempt);
      conclude(step, result, wire_.arrivals() + 1);
      const bool expected = step.expect && step.expect->ending;
      if (expected && result.judgement == Judgement::passed) operations_.expect(up.operation);
    }
    Task<Lifecycle::Done> cleaning = connection->life.cleanup(cleanup_budget());
    co_await std::move(cleaning);
  }

  // More than one at once

  Task<void> run_parallel(const Step& step, std::string suffix) {
    std::size_t left = step.steps.size();
    runtime::OneShot<> all_done(loop_);
    for (const Step& child : step.steps) tasks_.start(run_child(child, suffix, left, all_done));
    if (left > 0) co_await all_done;
  }

  Task<void> run_child(const Step& step, std::string suffix, std::size_t& left,
                       runtime::OneShot<>& all_done) {
    if (may_go_on()) {
      Task<void> running = run_step(step, std::move(suffix));
      co_await std::move(running);
    }
    if (--left == 0) all_done.set();
  }

  Task<void> repeat(const Step& step, std::string suffix) {
    for (std::int64_t i = 1; i <= step.times; ++i) {
      std::string next = suffix + " (" + std::to_string(i) + " of " + std::to_string(step.times);
      next += ")";
      Task<void> round = run_steps(step.steps, std::move(next));
      co_await std::move(round);
      if (!may_go_on()) co_return;
    }
  }

  Task<void> start_background(const Step& step, std::string suffix) {
    StepResult& result = begin(step, suffix);
    std::optional<Job> job = make_job(step, *main_, result);
    if (!job) co_return;
    Background& call = background_[step.name];
    if (call.result != nullptr && !call.done) {
      cannot(result, step.name + " still runs in the background");
      conclude(step, result, wire_.arrivals() + 1);
      co_return;
    }
    call.result = &result;
    call.connection = main_;
    call.job = job->number;
    call.done = false;
    tasks_.start(run_background(step, *std::move(job), call, result));
  }

  Task<void> run_background(const Step& step, Job job, Background& call, StepResult& result) {
    const Shared connection = call.connection;
    Task<void> running = execute(step, std::move(job), connection, result);
    co_await std::move(running);
    call.done = true;
    for (runtime::OneShot<>* const waiter : std::exchange(call.waiting, {})) waiter->set();
  }

  Task<void> wait_for(Background& call) {
    if (call.done) co_return;
    runtime::OneShot<> done(loop_);
    call.waiting.push_back(&done);
    co_await done;
  }

  Task<void> finish_background() {
    for (auto& [name, call] : background_) {
      Task<void> waiting = wait_for(call);
      co_await std::move(waiting);
    }
  }

  // Verdicts

  void judge() {
    if (judgement_ == Judgement::passed) {
      wire_.check(findings_);
      judgement_ = worst();
      check_faults();
      if (!stopped_.empty()) {
        why_ = stopped_;
        judgement_ = Judgement::failed;
      } else if (judgement_ == Judgement::passed && !operations_.healthy()) {
        why_ = "the connection could not be kept in order: " + trouble();
        judgement_ = Judgement::failed;
      }
    }
    recording::Verdict verdict;
    verdict.name = scenario_.name;
    verdict.judgement = judgement_;
    verdict.why = why_;
    verdict.took = operations_.elapsed();
    if (!results_.empty()) verdict.outcome = outcome_text(results_.front());
    for (const Finding& finding : findings_) verdict.expectations.push_back(to_event(finding));
    wire_.record(std::move(verdict));
  }

  /// Where a fault that had to strike did not, nothing was shown.
  void check_faults() {
    if (scenario_.fired.empty()) return;
    const std::vector<std::string> fired =
        faults_ != nullptr ? faults_->fired() : std::vector<std::string>();
    std::string received;
    for (const std::string& rule : fired) received += (received.empty() ? "" : ", ") + rule;
    if (received.empty()) received = "none";
    for (const std::string& rule : scenario_.fired) {
      const bool held = std::find(fired.begin(), fired.end(), rule) != fired.end();
      Finding& found = findings_.emplace_back("faults fired", rule, received, held);
      if (held) continue;
      found.text = "expected the fault " + rule + " to fire, received " + received;
      if (judgement_ == Judgement::passed) {
        judgement_ = Judgement::inconclusive;
        why_ = "rule " + rule + " never struck";
      }
    }
  }

  [[nodiscard]] Judgement worst() const {
    const bool run_held = std::all_of(findings_.begin(), findings_.end(),
                                      [](const Finding& finding) { return finding.held; });
    Judgement out = run_held ? Judgement::passed : Judgement::failed;
    for (const StepResult& result : results_) {
      if (result.judgement == Judgement::errored) return Judgement::errored;
      if (result.judgement == Judgement::failed) out = Judgement::failed;
    }
    return out;
  }

  /// The first operation that should have gone well and did not.
  [[nodiscard]] std::string trouble() const {
    for (const Operation& operation : operations_.all()) {
      const bool judged =
          operation.kind == Operation::Kind::execute || operation.kind == Operation::Kind::observe;
      const bool bad = judged ? operation.code == "adapter_operation_rejected"
                              : operation.outcome != Outcome::success;
      if (bad && !operation.expected)
        return std::string(operation.name()) + ": " + operation.message;
    }
    return {};
  }

  [[nodiscard]] std::string outcome_text(const StepResult& result) const {
    return std::string(word_of(result.attempt.ending, scenario_.simple));
  }

  static recording::Expectation to_event(const Finding& finding) {
    return {.name = finding.name,
            .expected = finding.expected,
            .received = finding.received,
            .held = finding.held,
            .timing = finding.timing};
  }

  void record(const StepResult& result, recording::Verdict verdict) {
    verdict.step = result.number;
    verdict.name = result.label;
    verdict.judgement = result.judgement;
    verdict.outcome = outcome_text(result);
    verdict.why = result.why.empty() ? result.attempt.message : result.why;
    verdict.took = result.took;
    for (const Finding& finding : result.findings) {
      verdict.expectations.push_back(to_event(finding));
    }
    wire_.record(std::move(verdict));
  }

  const Scenario& scenario_;
  Path& path_;
  runtime::Loop& loop_;
  OperationLog operations_;
  WireLog wire_;
  ConnectionWire notes_;
  runtime::TimePoint ends_;
  std::deque<StepResult> results_;  // a deque: steps under way keep their place
  std::vector<Finding> findings_;
  json::Value named_ = json::Value::object();  // results by name
  std::map<std::string, Background> background_;
  Introduction introduction_;
  Judgement judgement_ = Judgement::passed;
  std::string why_;
  std::string stopped_;  // why no more steps are run
  std::uint32_t connections_ = 0;
  const FaultLine* faults_ = nullptr;
  Shared main_;
  runtime::TaskSet tasks_;  // destroyed first: its coroutines use all the others
};

Task<void> drive(Run& run, runtime::Loop& loop, bool& ended) {
  Task<void> whole = run.whole();
  co_await std::move(whole);
  ended = true;
  loop.stop();
}

}  // namespace

RunResult run_scenario(const Scenario& scenario, Target& target, const Place& place,
                       recording::Recorder* recorder, const FaultSetup* faults) {
  std::unique_ptr<FaultLine> line;
  Place faulty = place;
  if (faults != nullptr) {
    faulty.wrap = [&line](std::unique_ptr<client::Link> link) {
      return line->in_front_of(std::move(link));
    };
  }
  auto path = target.open(faulty);
  if (!path) {
    RunResult out;
    out.judgement = scenario.simple ? Judgement::errored : Judgement::inconclusive;
    out.why = "adapter setup failed: " + path.error().message;
    out.healthy = false;
    return out;
  }
  Run run(scenario, **path, *place.loop, recorder);
  if (faults != nullptr) {
    auto made = FaultLine::make(*faults, *place.loop, run.wire());
    if (!made) {
      RunResult out;
      out.judgement = Judgement::errored;
      out.why = made.error().message;
      return out;
    }
    line = *std::move(made);
    run.set_faults(*line);
  }
  bool ended = false;
  const Task<void> driving = drive(run, *place.loop, ended);
  driving.start();
  if (!ended) place.loop->run();
  SQUALL_ASSERT(ended);  // every operation has its time, so something always happens
  return run.take();
}

RunResult run_once(const Scenario& scenario, Target& target, const RunOptions& options,
                   recording::Recorder* recorder) {
  Place place;
  place.environment = options.environment;
  place.protocol = options.protocol;
  if (options.real_time || target.external()) {
    const auto loop = runtime::SystemLoop::make();
    place.loop = loop.get();
    place.machine = loop.get();
    return run_scenario(scenario, target, place, recorder, options.faults.get());
  }
  const auto loop = runtime::SimulatedLoop::make();
  place.loop = loop.get();
  return run_scenario(scenario, target, place, recorder, options.faults.get());
}

Protocol choose_protocol(const Scenario& scenario, const Target& target,
                         std::optional<Protocol> wanted) {
  if (wanted) return *wanted;
  if (scenario.protocol_given) return scenario.protocol;
  if (const auto said = target.protocol()) return *said;
  return target.external() ? Protocol::automatic : Protocol::modern;
}

}  // namespace squall::lab
