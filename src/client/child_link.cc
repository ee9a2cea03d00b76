#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "squall/client/link.h"

#include "show.h"

namespace squall::client {

namespace {

/// Bytes that wait for a peer which doesn't read.
constexpr std::size_t kBacklogMax = 16 << 20;

/// Between the end of a child's output and its end, or the other way round.
constexpr std::chrono::milliseconds kExitGrace{100};

/// A stream that somebody else owns, for those who want one of their own.
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

/// Reads a child's standard error always, and keeps the newest of it.
class Tail final : public runtime::ByteStream::Receiver {
 public:
  explicit Tail(std::size_t bytes_max) : bytes_max_(bytes_max) {}
  void on_bytes(std::string_view bytes) override {
    if (bytes.size() >= bytes_max_) {
      kept_.assign(bytes.substr(bytes.size() - bytes_max_));
      return;
    }
    kept_ += bytes;
    // In large steps, so that a flood is not copied once a line.
    if (kept_.size() > 2 * bytes_max_) kept_.erase(0, kept_.size() - bytes_max_);
  }
  void on_end(runtime::End /*end*/) override {}
  [[nodiscard]] std::string text() const {
    return kept_.size() > bytes_max_ ? kept_.substr(kept_.size() - bytes_max_) : kept_;
  }

 private:
  std::size_t bytes_max_;
  std::string kept_;
};

class ChildLink final : public Link, private transport::MessageChannel::Receiver {
 public:
  ChildLink(runtime::Loop& loop, std::unique_ptr<runtime::Process> process,
            const ChildOptions& options)
      : loop_(loop),
        stop_step_(options.stop_step),
        tail_(options.stderr_bytes_max),
        process_(std::move(process)) {}
  ~ChildLink() override {
    if (timer_ != runtime::TimerId::none) loop_.cancel(timer_);
  }

  void start(Link::Receiver& receiver, const Options& options) override {
    receiver_ = &receiver;
    process_->stderr_stream().start(tail_);
    transport::LineLimits limits;
    limits.line_bytes_max = options.limits.message_bytes;
    channel_ =
        transport::make_line_channel(std::make_unique<BorrowedStream>(process_->stdio()), limits);
    channel_->start(*this);
    process_->on_exit([this, alive = std::weak_ptr(alive_)](runtime::ExitStatus status) {
      if (!alive.expired()) on_exit(status);
    });
  }
  void send(Outgoing message) override {
    channel_->send(message.text);
    if (message.ticket == 0) return;
    loop_.post([this, alive = std::weak_ptr(alive_), ticket = message.ticket] {
      if (!alive.expired()) receiver_->on_taken(ticket, std::nullopt);
    });
  }
  void abandon(std::uint64_t /*key*/, bool /*close*/) override {}
  void set_revision(mcp::Revision /*revision*/) override {}
  void close(std::move_only_function<void()> done) override {
    done_ = std::move(done);
    over_ = true;
    channel_->finish();
    signal_ = 0;
    step();
  }
  [[nodiscard]] bool congested() const override {
    return channel_ != nullptr && channel_->pending() > kBacklogMax;
  }
  [[nodiscard]] bool is_http() const override { return false; }

 private:
  void on_message(std::string text) override {
    if (!over_) receiver_->on_message(std::move(text), 0, false);
  }
  void on_oversize(std::size_t bytes_seen) override {
    receiver_->on_report(
        {Report::Kind::oversize,
         "a message of at least " + std::to_string(bytes_seen) + " bytes was skipped"});
  }
  /// Its output has ended: it is going to, or has forked off what goes on. Either way it is over.
  void on_end(runtime::End /*end*/) override {
    output_ended_ = true;
    if (exit_) return tell();
    wait_a_moment();
  }
  void on_exit(runtime::ExitStatus status) {
    exit_ = status;
    if (done_) return finish_close();
    // What it wrote last may still be on its way, unless a grandchild holds the pipe.
    if (output_ended_) return tell();
    wait_a_moment();
  }
  void wait_a_moment() {
    if (over_ || timer_ != runtime::TimerId::none) return;
    timer_ = loop_.call_after(kExitGrace, [this] {
      timer_ = runtime::TimerId::none;
      tell();
    });
  }
  void tell() {
    if (std::exchange(over_, true)) return;
    Loss loss{.cause = Loss::Cause::ended, .detail = "the server closed its standard output"};
    if (exit_) {
      loss.cause = Loss::Cause::child_exited;
      loss.exit = exit_;
      loss.detail = "the server ended with " + exit_->text();
    }
    loss.stderr_tail = tail_.text();
    if (!loss.stderr_tail.empty()) {
      std::string_view last = loss.stderr_tail;
      while (last.ends_with('\n') || last.ends_with('\r')) last.remove_suffix(1);
      last = last.substr(last.rfind('\n') + 1);
      loss.detail += "; it last wrote: " + show(last, 200);
    }
    loss.may_have_run = true;
    receiver_->on_over(std::move(loss));
  }

  /// Standard input closed, then SIGTERM, then the end of its whole group.
  void step() {
    if (exit_) return finish_close();
    if (signal_ == SIGKILL) return finish_close();
    if (signal_ != 0) process_->signal(signal_);
    signal_ = signal_ == 0 ? SIGTERM : SIGKILL;
    if (timer_ != runtime::TimerId::none) loop_.cancel(timer_);
    timer_ = loop_.call_after(stop_step_, [this] {
      timer_ = runtime::TimerId::none;
      step();
    });
  }
  void finish_close() {
    if (!done_) return;
    if (timer_ != runtime::TimerId::none) {
      loop_.cancel(std::exchange(timer_, runtime::TimerId::none));
    }
    loop_.post([this, alive = std::weak_ptr(alive_)] {
      if (alive.expired() || !done_) return;
      channel_.reset();
      process_.reset();
      auto done = std::exchange(done_, nullptr);
      done();
    });
  }

  runtime::Loop& loop_;
  const std::chrono::milliseconds stop_step_;
  Tail tail_;
  std::unique_ptr<runtime::Process> process_;
  std::unique_ptr<transport::MessageChannel> channel_;
  Link::Receiver* receiver_ = nullptr;
  std::optional<runtime::ExitStatus> exit_;
  bool output_ended_ = false;
  bool over_ = false;
  int signal_ = 0;  // the next to send
  runtime::TimerId timer_ = runtime::TimerId::none;
  std::move_only_function<void()> done_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // expires with us
};

}  // namespace

Result<std::unique_ptr<Link>> over_child(runtime::SystemLoop& loop, ChildOptions options) {
  SQUALL_TRY(std::unique_ptr<runtime::Process> process, runtime::spawn(loop, options.process));
  return std::make_unique<ChildLink>(loop, std::move(process), options);
}

}  // namespace squall::client
