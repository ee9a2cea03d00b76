#include "squall/lab/suite.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "squall/lab/builtin.h"
#include "squall/lab/library.h"

#include "case_of_run.h"

namespace squall::lab {

namespace {

/// Failures of one scenario whose cases are kept, however often it is repeated.
constexpr std::size_t kCasesMax = 100;

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

/// The target file of a scenario; "": the built-in server.
std::string target_file_of(const Scenario& scenario, const SuiteOptions& options) {
  if (!options.target_file.empty()) return options.target_file;
  if (scenario.target.empty()) return {};
  return (std::filesystem::path(scenario.file).parent_path() / scenario.target).string();
}

Result<std::unique_ptr<Target>> read_target(const std::string& file,
                                            const AdapterRegistry& registry) {
  SQUALL_TRY(const std::string text, read_file(file));
  return registry.read(file, text);
}

bool passed(const RunResult& result) { return result.judgement == Judgement::passed; }

/// The pieces of work of a suite: every scenario, under every seed.
class Pieces {
 public:
  Pieces(std::span<const Scenario> scenarios, const SuiteOptions& options) : shard_(options.shard) {
    for (const Scenario& scenario : scenarios) {
      first_.push_back(all_);
      all_ += options.sweep && scenario.faults ? options.sweep->count : 1;
    }
  }
  /// How many fall to our shard.
  [[nodiscard]] std::uint64_t count() const {
    return all_ < shard_.number ? 0 : (all_ - shard_.number) / shard_.of + 1;
  }
  struct Piece {
    std::size_t scenario;
    std::uint64_t seed;  ///< how many stand before it
  };
  /// The number-th of our shard.
  [[nodiscard]] Piece at(std::uint64_t number) const {
    const std::uint64_t piece = number * shard_.of + (shard_.number - 1);
    const auto behind = std::upper_bound(first_.begin(), first_.end(), piece);
    const auto scenario = static_cast<std::size_t>(behind - first_.begin()) - 1;
    return {scenario, piece - first_[scenario]};
  }
  /// Whether our shard has anything of that scenario.
  [[nodiscard]] bool has(std::size_t scenario) const {
    const std::uint64_t end = scenario + 1 < first_.size() ? first_[scenario + 1] : all_;
    const std::uint64_t behind = first_[scenario] % shard_.of;
    const std::uint64_t ours = shard_.number - 1;
    return first_[scenario] + (ours + shard_.of - behind) % shard_.of < end;
  }

 private:
  Shard shard_;
  std::vector<std::uint64_t> first_;  // piece of each scenario
  std::uint64_t all_ = 0;
};

/// What the workers share.
class Board {
 public:
  Board(std::span<const Scenario> scenarios, const AdapterRegistry& registry,
        const SuiteOptions& options)
      : scenarios_(scenarios),
        registry_(registry),
        options_(options),
        pieces_(scenarios, options),
        played_(scenarios.size()) {
    for (std::size_t i = 0; i < played_.size(); ++i) {
      played_[i].scenario = &scenarios_[i];
      played_[i].repetition.runs = 0;
    }
    sweeps_.resize(scenarios.size());
    kept_.assign(scenarios.size(), kNone);
    cases_.assign(scenarios.size(), 0);
  }

  struct Turn {
    std::size_t scenario;
    std::uint64_t round;                ///< among those of its scenario, in their order
    std::optional<std::uint64_t> seed;  ///< in a sweep
  };
  /// The next run, in the order of the scenarios; nothing when there is none.
  std::optional<Turn> take() {
    if (options_.stop != nullptr && options_.stop->load()) return std::nullopt;
    const std::lock_guard lock(mutex_);
    if (next_ >= pieces_.count() * options_.repeat) return std::nullopt;
    const Pieces::Piece piece = pieces_.at(next_ / options_.repeat);
    Turn turn{piece.scenario, piece.seed * options_.repeat + next_ % options_.repeat, std::nullopt};
    if (options_.sweep && scenarios_[piece.scenario].faults) {
      turn.seed = options_.sweep->first + piece.seed;
    }
    if (options_.fail_fast && turn.scenario > first_bad_) return std::nullopt;
    ++next_;
    return turn;
  }

  /// Keeps the first run that didn't pass, or else the last one. `run` has the turn's own parts.
  void put(const Turn& turn, Played run) {
    const std::lock_guard lock(mutex_);
    Played& place = played_[turn.scenario];
    const bool bad = !passed(run.result);
    if (options_.progress != nullptr) {
      ++options_.progress->runs;
      if (bad) ++options_.progress->not_passed;
    }
    if (turn.seed) sweeps_[turn.scenario].add(*turn.seed, run.result, run.case_id);
    const std::size_t runs = place.repetition.runs + 1;
    const std::size_t not_passed = place.repetition.not_passed + (bad ? 1 : 0);
    if (bad) first_bad_ = std::min(first_bad_, turn.scenario);
    const bool first_run = place.repetition.runs == 0;
    const bool held_bad = !first_run && !passed(place.result);
    const std::uint64_t held = kept_[turn.scenario];
    const bool better = bad ? !held_bad || turn.round < held : !held_bad && turn.round > held;
    if (first_run || better) {
      place = std::move(run);
      place.scenario = &scenarios_[turn.scenario];
      kept_[turn.scenario] = turn.round;
    }
    place.repetition = {runs, not_passed};
  }

  /// Whether another failure of that scenario gets its case.
  bool take_case(const Scenario& scenario) {
    const std::lock_guard lock(mutex_);
    const auto index = static_cast<std::size_t>(&scenario - scenarios_.data());
    return ++cases_[index] <= kCasesMax;
  }

  std::vector<Played> results() {
    for (std::size_t i = 0; i < played_.size(); ++i) {
      if (sweeps_[i].runs() > 0) judge_sweep(played_[i], std::move(sweeps_[i]));
      const bool behind = options_.fail_fast && i > first_bad_;
      if (!behind && played_[i].repetition.runs > 0) continue;
      played_[i] = Played();
      played_[i].scenario = &scenarios_[i];
      played_[i].repetition.runs = 0;
      played_[i].result.judgement = Judgement::skipped;
      played_[i].result.why =
          behind ? "an earlier scenario did not pass" : "the run was interrupted";
    }
    std::vector<Played> out;
    for (std::size_t i = 0; i < played_.size(); ++i) {
      if (pieces_.has(i)) out.push_back(std::move(played_[i]));
    }
    return out;
  }

  [[nodiscard]] const Scenario& scenario(std::size_t index) const { return scenarios_[index]; }
  [[nodiscard]] const AdapterRegistry& registry() const { return registry_; }
  [[nodiscard]] const SuiteOptions& options() const { return options_; }

 private:
  /// A fault that never struck leaves open what the scenario would have said of it.
  static void judge_sweep(Played& place, Sweep sweep) {
    const std::string unproven = sweep.unproven();
    place.sweep = std::move(sweep);
    if (unproven.empty()) return;
    if (passed(place.result)) place.result.judgement = Judgement::inconclusive;
    place.result.why += (place.result.why.empty() ? "" : "; ") + unproven;
  }

  const std::span<const Scenario> scenarios_;
  const AdapterRegistry& registry_;
  const SuiteOptions& options_;
  const Pieces pieces_;
  std::mutex mutex_;  // of all below
  std::uint64_t next_ = 0;
  std::size_t first_bad_ = kNone;
  std::vector<Played> played_;
  std::vector<Sweep> sweeps_;
  std::vector<std::uint64_t> kept_;  // which round each has
  std::vector<std::size_t> cases_;   // failures so far
};

/// One thread's targets, and its way with a turn.
class Worker {
 public:
  explicit Worker(Board& board) : board_(board), options_(board.options()) {}

  void work() {
    while (const auto turn = board_.take()) {
      board_.put(*turn, play(board_.scenario(turn->scenario), turn->seed));
    }
  }

 private:
  Played play(const Scenario& scenario, std::optional<std::uint64_t> swept) {
    Played out;
    swept_ = swept;
    const auto target = target_of(scenario);
    if (!target) {
      out.result.judgement = Judgement::errored;
      out.result.why = target.error().message;
      return out;
    }
    out.target = (*target)->describe();
    if ((*target)->external()) out.adapter = (*target)->adapter();
    RunOptions run;
    run.real_time = options_.real_time;
    run.environment = options_.environment;
    run.protocol = choose_protocol(scenario, **target, options_.protocol);
    auto faults = faults_of(scenario, swept);
    if (!faults) {
      out.result.judgement = Judgement::errored;
      out.result.why = faults.error().message;
      return out;
    }
    run.faults = *std::move(faults);
    if (run.faults) out.seed = run.faults->seed.value;
    auto redactor = (*target)->redactor(options_.environment);
    const auto secrets =
        redactor ? *std::move(redactor) : std::make_shared<const recording::Redactor>();
    if (options_.cases.always) {
      run_recorded(scenario, **target, run, secrets, out);
    } else {
      run_and_keep_failures(scenario, **target, run, secrets, out);
    }
    redact(out.result, *secrets);
    return out;
  }

  using Secrets = std::shared_ptr<const recording::Redactor>;

  Result<std::unique_ptr<recording::CaseWriter>> open(const Scenario& scenario,
                                                      const Target& target, const RunOptions& run,
                                                      const Secrets& secrets) const {
    const std::string repeat =
        options_.repeat_command ? options_.repeat_command(scenario, swept_) : std::string();
    return open_case(scenario, target, run.protocol, options_.cases, repeat, secrets,
                     run.faults.get());
  }

  void run_recorded(const Scenario& scenario, Target& target, const RunOptions& run,
                    const Secrets& secrets, Played& out) {
    auto writer = open(scenario, target, run, secrets);
    recording::CaseWriter* const recorder = writer ? writer->get() : nullptr;
    out.result = run_once(scenario, target, run, recorder);
    close(writer, out);
  }

  void run_and_keep_failures(const Scenario& scenario, Target& target, const RunOptions& run,
                             const Secrets& secrets, Played& out) {
    events_.clear();
    out.result = run_once(scenario, target, run, &events_);
    if (passed(out.result) || !board_.take_case(scenario)) return;
    auto writer = open(scenario, target, run, secrets);
    if (writer) events_.replay_into(**writer);
    close(writer, out);
  }

  static void close(Result<std::unique_ptr<recording::CaseWriter>>& writer, Played& out) {
    if (!writer) {
      out.trouble = "no case: " + writer.error().message;
      return;
    }
    recording::CaseWriter& record = **writer;
    if (!out.result.introduction.server.is_null()) {
      static_cast<void>(record.learn(out.result.introduction.server, ""));
    }
    if (const auto finished = record.finish(out.result.took); !finished) {
      out.trouble = finished.error().message;
    }
    out.case_folder = record.folder();
    out.case_id = record.id();
    out.run_hash = record.run_hash();
  }

  /// Read once: a sweep has no time to read the profile for every seed.
  Result<std::shared_ptr<const FaultSetup>> faults_of(const Scenario& scenario,
                                                      std::optional<std::uint64_t> swept) {
    auto known = faults_.find(&scenario);
    if (known == faults_.end()) {
      std::vector<fault::SeedSource> seeds = options_.seeds;
      if (swept) seeds = {{"--seeds", std::to_string(*swept)}};
      SQUALL_TRY(const auto loaded, load_faults(scenario, seeds));
      auto own = loaded ? std::make_shared<FaultSetup>(*loaded) : nullptr;
      known = faults_.emplace(&scenario, std::move(own)).first;
    }
    if (swept && known->second) known->second->seed.value = *swept;
    return known->second;
  }

  Result<Target*> target_of(const Scenario& scenario) {
    const std::string file = target_file_of(scenario, options_);
    const auto known = targets_.find(file);
    if (known != targets_.end()) return known->second.get();
    std::unique_ptr<Target> target;
    if (file.empty()) {
      target = make_builtin_target();
    } else {
      SQUALL_TRY(target, read_target(file, board_.registry()));
    }
    return targets_.emplace(file, std::move(target)).first->second.get();
  }

  Board& board_;
  const SuiteOptions& options_;
  std::map<std::string, std::unique_ptr<Target>> targets_;  // by file
  std::map<const Scenario*, std::shared_ptr<FaultSetup>> faults_;
  std::optional<std::uint64_t> swept_;  // the seed of the run under way
  recording::MemoryRecorder events_;
};

}  // namespace

double Repetition::rate() const {
  return runs == 0 ? 0 : static_cast<double>(not_passed) / static_cast<double>(runs);
}

std::pair<double, double> Repetition::interval() const {
  if (runs == 0) return {0, 1};
  constexpr double kZ = 1.959963984540054;  // 97.5% of the normal distribution lie below
  const auto n = static_cast<double>(runs);
  const double p = rate();
  const double middle = (p + kZ * kZ / (2 * n)) / (1 + kZ * kZ / n);
  const double half = kZ / (1 + kZ * kZ / n) * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
  return {not_passed == 0 ? 0 : std::max(0.0, middle - half),
          not_passed == runs ? 1 : std::min(1.0, middle + half)};
}

Result<void> check_targets(std::span<const Scenario> scenarios, const AdapterRegistry& registry,
                           const SuiteOptions& options) {
  std::set<std::string> files;
  for (const Scenario& scenario : scenarios) {
    const std::string file = target_file_of(scenario, options);
    if (file.empty() || !files.insert(file).second) continue;
    SQUALL_CHECK(read_target(file, registry));
  }
  return {};
}

Result<std::string> case_id_of(const Scenario& scenario, const AdapterRegistry& registry,
                               const SuiteOptions& options) {
  const std::string file = target_file_of(scenario, options);
  std::unique_ptr<Target> target = make_builtin_target();
  if (!file.empty()) {
    SQUALL_TRY(target, read_target(file, registry));
  }
  std::vector<fault::SeedSource> seeds = options.seeds;
  if (options.sweep) seeds = {{"--seeds", std::to_string(options.sweep->first)}};
  SQUALL_TRY(const auto faults, load_faults(scenario, seeds));
  return recording::case_id(header_of(scenario, *target,
                                      choose_protocol(scenario, *target, options.protocol),
                                      options.cases, faults.get()));
}

std::uint64_t count_runs(std::span<const Scenario> scenarios, const SuiteOptions& options) {
  return Pieces(scenarios, options).count() * options.repeat;
}

std::vector<Played> run_suite(std::span<const Scenario> scenarios, const AdapterRegistry& registry,
                              const SuiteOptions& options) {
  Board board(scenarios, registry, options);
  const std::uint64_t runs = count_runs(scenarios, options);
  const std::uint64_t jobs = std::min<std::uint64_t>(std::max<std::size_t>(options.jobs, 1), runs);
  if (jobs <= 1) {
    Worker(board).work();
    return board.results();
  }
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < jobs; ++i) {
      threads.emplace_back([&board] { Worker(board).work(); });
    }
  }
  return board.results();
}

}  // namespace squall::lab
