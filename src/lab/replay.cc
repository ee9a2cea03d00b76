#include "squall/lab/replay.h"

#include <utility>

#include "squall/cases/inputs.h"
#include "squall/cases/pin.h"
#include "squall/client/target.h"
#include "squall/fault/schedule.h"
#include "squall/json/write.h"
#include "squall/lab/builtin.h"
#include "squall/lab/library.h"
#include "squall/recording/recorder.h"
#include "squall/recording/run_hash.h"

#include "recorded_client.h"
#include "sealed.h"

namespace squall::lab {

namespace {

/// On the machine's clock nothing happens at the same time twice.
constexpr std::chrono::milliseconds kMachineTolerance{50};

/// Whether the run took place in this process, on virtual time.
bool in_process(const recording::Header& header) {
  return header.target.is_null() || header.target.find_string("adapter") == "builtin";
}

/// What a target file would say of the case's target.
Result<std::string> target_text(const recording::Case& from) {
  json::Value target = from.header.target;
  // A proxy notes the words of its server's command in one list.
  if (const json::Value* const command = target.find("command"); command != nullptr) {
    if (const std::vector<json::Value> words(command->items().begin(), command->items().end());
        !words.empty()) {
      target.set("command", words.front());
      target.set("args", json::Value::from_items({words.begin() + 1, words.end()}));
    }
  }
  if (!target.contains("adapter")) {
    target = json::Value::object({{"squall", 1}, {"target", std::move(target)}});
  }
  std::string text = json::to_string(target);
  if (text.find("[redacted:") == std::string::npos) return text;
  return fail(ErrorKind::invalid,
              "the case's target has secrets that it doesn't name; give a "
              "target file (--target)");
}

class Replay {
 public:
  Replay(const recording::Case& from, const AdapterRegistry& registry, const ReplayOptions& options)
      : from_(from), registry_(registry), options_(options) {}

  Result<Replayed> run() {
    SQUALL_TRY(faults_, faults_of(from_, options_.mode == ReplayMode::pinned));
    if (sealed()) {
      SQUALL_TRY(answers_, SealedAnswers::of(from_));
    }
    out_.by_scenario = !from_.header.scenario.is_null();
    if (out_.by_scenario) {
      SQUALL_CHECK(run_scenario());
    } else {
      SQUALL_CHECK(run_messages());
    }
    return judged();
  }

 private:
  [[nodiscard]] bool sealed() const { return options_.mode == ReplayMode::sealed; }

  Result<void> run_scenario() {
    SQUALL_TRY(const Scenario scenario, scenario_of(from_));
    if (!sealed() || options_.pass_unrecorded) {
      SQUALL_TRY(live_, target_of(from_, registry_, options_.target_file));
    }
    std::unique_ptr<Target> instead;
    if (sealed()) {
      const bool learns_tools = !in_process(from_.header);
      instead = make_sealed_target(answers_, learns_tools, live_.get());
    }
    RunOptions run;
    run.environment = options_.environment;
    run.protocol = protocol_of(from_);
    run.faults = faults_;
    const RunResult result = run_once(scenario, sealed() ? *instead : *live_, run, &events_);
    if (result.steps.empty() && !result.why.empty()) {
      return fail(ErrorKind::unavailable, result.why);
    }
    events_.add(result.took, recording::Exit{});
    out_.verdict = result.judgement;
    on_machine_ = live_ != nullptr && live_->external();
    return {};
  }

  Result<void> run_messages() {
    std::unique_ptr<runtime::Loop> virtual_time;
    std::unique_ptr<runtime::SystemLoop> machine;
    runtime::Loop* loop = nullptr;
    std::optional<client::Target> target;
    if (sealed()) {
      virtual_time = runtime::SimulatedLoop::make();
      loop = virtual_time.get();
    } else {
      std::string text;
      std::string file = options_.target_file;
      if (file.empty() && from_.header.target.is_null()) {
        return fail(ErrorKind::invalid, "the case names no target; give one with --target");
      }
      if (file.empty()) {
        file = "the case's target";
        SQUALL_TRY(text, target_text(from_));
      } else {
        SQUALL_TRY(text, read_file(file));
      }
      SQUALL_TRY(target, client::read_target(file, std::move(text)));
      machine = runtime::SystemLoop::make();
      loop = machine.get();
      on_machine_ = true;
    }
    const MakeLink make_link = [&]() -> Result<std::unique_ptr<client::Link>> {
      if (sealed()) return make_sealed_link(*loop, *answers_);
      SQUALL_TRY(auto opened, client::open_target(*machine, *target, options_.environment));
      return std::move(opened.link);
    };
    SQUALL_CHECK(play_recorded_client(from_, make_link, *loop, events_, faults_.get()));
    return {};
  }

  Result<Replayed> judged() {
    cases::CompareOptions compare;
    compare.pinned = options_.mode == ReplayMode::pinned;
    const bool by_machine = on_machine_ || !in_process(from_.header) || !out_.by_scenario;
    if (!by_machine) {
      compare.tolerance = std::chrono::nanoseconds{};
    } else if (options_.strict) {
      compare.tolerance = kMachineTolerance;
    }
    out_.divergence = cases::first_divergence(from_, events_.events(), compare);
    for (const recording::Event& event : events_.events()) {
      recording::extend_run_hash(out_.run_hash, event);
      const auto* message = std::get_if<recording::Message>(&event.body);
      out_.messages += message != nullptr && message->from == recording::Party::client ? 1 : 0;
      out_.decisions += std::holds_alternative<recording::Decision>(event.body) ? 1 : 0;
    }
    if (answers_ != nullptr) {
      out_.unrecorded = answers_->unrecorded();
      out_.first_unrecorded = answers_->first_unrecorded();
    }
    hide_secrets();
    return std::move(out_);
  }

  void hide_secrets() {
    if (live_ == nullptr) return;
    const auto redactor = live_->redactor(options_.environment);
    if (!redactor) return;
    (*redactor)->redact(out_.first_unrecorded);
    if (!out_.divergence) return;
    (*redactor)->redact(out_.divergence->recorded);
    (*redactor)->redact(out_.divergence->replayed);
  }

  const recording::Case& from_;
  const AdapterRegistry& registry_;
  const ReplayOptions& options_;
  std::shared_ptr<const FaultSetup> faults_;
  std::shared_ptr<SealedAnswers> answers_;  // null unless sealed
  std::unique_ptr<Target> live_;            // null where the case answers alone
  recording::MemoryRecorder events_;
  bool on_machine_ = false;
  Replayed out_;
};

}  // namespace

Result<std::shared_ptr<const FaultSetup>> faults_of(const recording::Case& from, bool pinned) {
  if (from.header.profile.is_null() && from.header.schedule.is_null()) return nullptr;
  auto out = std::make_shared<FaultSetup>();
  SQUALL_TRY(cases::Inputs inputs, cases::inputs_of(from.header));
  out->seed = inputs.seed;
  out->seed_from = "the case";
  out->counters = from.header.counters;
  out->schedule = from.header.schedule;
  out->profile = std::move(inputs.profile);
  if (!pinned || inputs.pinned) {
    sort_rules(out->profile);
    return out;
  }
  SQUALL_TRY(out->schedule, cases::pin(from));
  SQUALL_TRY(out->profile,
             fault::read_schedule("the case's strikes", json::to_string(out->schedule)));
  sort_rules(out->profile);
  return out;
}

Result<std::unique_ptr<Target>> target_of(const recording::Case& from,
                                          const AdapterRegistry& registry,
                                          const std::string& target_file) {
  if (!target_file.empty()) {
    SQUALL_TRY(const std::string text, read_file(target_file));
    return registry.read(target_file, text);
  }
  if (from.header.target.is_null()) return make_builtin_target();
  SQUALL_TRY(const std::string text, target_text(from));
  return registry.read("the case's target", text);
}

Result<Scenario> scenario_of(const recording::Case& from) {
  if (from.header.scenario.is_null()) return fail(ErrorKind::invalid, "the case has no scenario");
  const std::string& file = from.header.scenario_file;
  return read_scenario(file.empty() ? "the case's scenario" : file,
                       json::to_string(from.header.scenario));
}

Protocol protocol_of(const recording::Case& from) {
  if (from.header.protocol == to_text(Protocol::legacy)) return Protocol::legacy;
  if (from.header.protocol == to_text(Protocol::modern)) return Protocol::modern;
  return Protocol::automatic;
}

Result<Replayed> replay(const recording::Case& from, const AdapterRegistry& registry,
                        const ReplayOptions& options) {
  return Replay(from, registry, options).run();
}

}  // namespace squall::lab
