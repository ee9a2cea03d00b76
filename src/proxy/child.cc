#include "child.h"

#include <csignal>
#include <deque>
#include <utility>

namespace squall::proxy {

namespace {

/// Between the end of its output and its end, or the other way round.
constexpr std::chrono::milliseconds kExitGrace{100};
constexpr std::size_t kTailBytesMax = 16 << 10;
constexpr std::size_t kTailLinesMax = 20;

/// A stream that its process owns.
class BorrowedStream final : public runtime::ByteStream {
 public:
  explicit BorrowedStream(runtime::ByteStream& stream) : stream_(stream) {}
  void start(Receiver& receiver) override { stream_.start(receiver); }
  void pause() override { stream_.pause(); }
  void resume() override { stream_.resume(); }
  void send(std::string_view bytes) override { stream_.send(bytes); }
  [[nodiscard]] std::size_t pending() const override { return stream_.pending(); }
  void finish() override { stream_.finish(); }
  void close() override { stream_.close(); }
  void reset() override { stream_.reset(); }
  [[nodiscard]] std::string peer() const override { return stream_.peer(); }

 private:
  runtime::ByteStream& stream_;
};

}  // namespace

/// Reads its stderr always, hands it on and keeps the newest of it.
struct Child::Errors final : runtime::ByteStream::Receiver {
  explicit Errors(Owner& whose) : owner(whose) {}
  void on_bytes(std::string_view bytes) override {
    kept += bytes.substr(bytes.size() > kTailBytesMax ? bytes.size() - kTailBytesMax : 0);
    // In large steps, so that a flood is not copied once a line.
    if (kept.size() > 2 * kTailBytesMax) kept.erase(0, kept.size() - kTailBytesMax);
    owner.on_child_stderr(bytes);
  }
  void on_end(runtime::End /*end*/) override {}
  Owner& owner;
  std::string kept;
};

Result<std::unique_ptr<Child>> Child::start(runtime::SystemLoop& loop,
                                            const runtime::ProcessOptions& options,
                                            std::size_t line_bytes_max, Owner& owner) {
  SQUALL_TRY(std::unique_ptr<runtime::Process> process, runtime::spawn(loop, options));
  return std::unique_ptr<Child>(new Child(loop, std::move(process), line_bytes_max, owner));
}

Child::Child(runtime::SystemLoop& loop, std::unique_ptr<runtime::Process> process,
             std::size_t line_bytes_max, Owner& owner)
    : loop_(loop),
      owner_(owner),
      process_(std::move(process)),
      errors_(std::make_unique<Errors>(owner)) {
  transport::LineLimits limits;
  limits.line_bytes_max = line_bytes_max;
  channel_ =
      transport::make_line_channel(std::make_unique<BorrowedStream>(process_->stdio()), limits);
}

Child::~Child() {
  if (moment_ != runtime::TimerId::none) loop_.cancel(moment_);
  if (stopping_ != runtime::TimerId::none) loop_.cancel(stopping_);
  channel_.reset();
}

void Child::begin() {
  process_->stderr_stream().start(*errors_);
  channel_->start(*this);
  process_->on_exit([this, alive = std::weak_ptr(alive_)](runtime::ExitStatus status) {
    if (!alive.expired()) on_exit(status);
  });
}

// Not through the channel: a client's line may hold what a well-formed message can't.
void Child::send(std::string_view bytes) {
  std::string line;
  line.reserve(bytes.size() + 1);
  line += bytes;
  line += '\n';
  process_->stdio().send(line);
}
void Child::send_raw(std::string_view bytes) { process_->stdio().send(bytes); }
void Child::signal(int number) { process_->signal(number); }

void Child::on_end(runtime::End /*end*/) {
  output_ended_ = true;
  if (exit_) return tell();
  wait_a_moment();
}
void Child::on_exit(runtime::ExitStatus status) {
  exit_ = status;
  // What it wrote last may still be on its way, unless a grandchild holds the pipe.
  if (output_ended_) return tell();
  wait_a_moment();
}
void Child::wait_a_moment() {
  if (over_ || moment_ != runtime::TimerId::none) return;
  moment_ = loop_.call_after(kExitGrace, [this] {
    moment_ = runtime::TimerId::none;
    tell();
  });
}
void Child::tell() {
  if (std::exchange(over_, true)) return;
  owner_.on_child_over(exit_);
}

void Child::stop(std::chrono::milliseconds step_time) {
  step_ = step_time;
  process_->stdio().finish();
  if (stopping_ == runtime::TimerId::none && next_signal_ == 0) {
    next_signal_ = SIGTERM;
    stopping_ = loop_.call_after(step_, [this] { step(); });
  }
}
void Child::step() {
  stopping_ = runtime::TimerId::none;
  if (exit_) return;
  // A stopped process hears nothing but these.
  process_->signal(next_signal_);
  if (next_signal_ == SIGKILL) return;
  process_->signal(SIGCONT);
  next_signal_ = SIGKILL;
  stopping_ = loop_.call_after(step_, [this] { step(); });
}

std::vector<std::string> Child::last_lines() const {
  std::deque<std::string> lines;
  std::string_view rest = errors_->kept;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    lines.emplace_back(rest.substr(0, end));
    if (lines.size() > kTailLinesMax) lines.pop_front();
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return {lines.begin(), lines.end()};
}

}  // namespace squall::proxy
