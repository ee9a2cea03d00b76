#include "trial.h"

#include <csignal>
#include <memory>
#include <optional>

#include "squall/runtime/loop.h"
#include "squall/runtime/process.h"

namespace squall::cli {

namespace {

constexpr int kBySignal = 128;
constexpr std::size_t kLastWordsMax = 2000;  // bytes

/// Reads to the end, and keeps the last of it.
class Drain final : public runtime::ByteStream::Receiver {
 public:
  void on_bytes(std::string_view bytes) override {
    last_ += bytes;
    if (last_.size() > 2 * kLastWordsMax) last_.erase(0, last_.size() - kLastWordsMax);
  }
  void on_end(runtime::End /*end*/) override {}
  [[nodiscard]] std::string last() const {
    return last_.size() > kLastWordsMax ? last_.substr(last_.size() - kLastWordsMax) : last_;
  }

 private:
  std::string last_;
};

}  // namespace

Result<TrialEnd> run_command(const std::vector<std::string>& command,
                             const std::vector<std::pair<std::string, std::string>>& environment,
                             std::chrono::nanoseconds timeout) {
  const auto loop = runtime::SystemLoop::make();
  runtime::ProcessOptions options;
  options.command = command;
  options.environment = environment;
  options.inherit.clear();
  SQUALL_TRY(const auto process, runtime::spawn(*loop, options));
  Drain out, err;
  process->stdio().start(out);
  process->stderr_stream().start(err);
  process->stdio().finish();
  TrialEnd end;
  process->on_exit([&](runtime::ExitStatus status) {
    end.code = status.code ? *status.code : kBySignal + status.signal.value_or(0);
    loop->stop();
  });
  loop->call_after(timeout, [&] {
    end.timed_out = true;
    process->signal(SIGKILL);
  });
  loop->run();
  end.last_words = err.last();
  return end;
}

}  // namespace squall::cli
