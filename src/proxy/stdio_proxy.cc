#include "squall/proxy/stdio_proxy.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "child.h"
#include "face.h"

namespace squall::proxy {

namespace {

using inject::Command;
using inject::ProcessAct;
using inject::Send;
using std::chrono::nanoseconds;

/// Beyond this, whoever is slow in reading slows whoever writes.
constexpr std::size_t kBacklogMax = std::size_t{16} << 20;
constexpr int kSignalExit = 128;  // what a shell adds to a signal's number
constexpr int kFirstPrivateFd = 3;
constexpr unsigned kGrandchildSeconds = 60;

/// Leaves a process behind us that does nothing but keep the client's pipes open.
void leave_grandchild(int output, int errors) {
  if (output < 0 || ::fork() != 0) return;
  // Nothing here but system calls: the fork may have come at any moment.
  ::setpgid(0, 0);
  ::dup2(output, STDOUT_FILENO);
  if (errors >= 0) ::dup2(errors, STDERR_FILENO);
  ::close(STDIN_FILENO);
  ::close_range(kFirstPrivateFd, ~0U, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::alarm(kGrandchildSeconds);
  ::pause();
  ::_exit(0);
}

class StdioProxy final : private Child::Owner, private Face::Owner {
 public:
  StdioProxy(runtime::SystemLoop& loop, inject::Injector& injector, StdioStreams streams,
             StdioOptions options)
      : loop_(loop),
        injector_(injector),
        options_(std::move(options)),
        relay_(injector, options_.relay),
        line_(std::make_shared<Line>()),
        output_fd_(streams.output_fd),
        errors_fd_(streams.errors_fd),
        began_(loop.now()),
        face_(loop, std::move(streams), options_.message_bytes_max, *this) {
    line_->connection = 1;
    line_->process = 1;
  }

  Result<StdioEnd> run() {
    SQUALL_TRY(child_, Child::start(loop_, options_.server, options_.message_bytes_max, *this));
    if (options_.watch_signals) SQUALL_CHECK(watch_signals());
    carry_out(relay_.opened(inject::Opened::What::connection, *line_, 0, now()));
    if (options_.relay.recorder != nullptr) {
      recording::Spawn spawn;
      spawn.command = options_.server.command;
      spawn.pid = child_->pid();
      options_.relay.recorder->add(now(), std::move(spawn));
    }
    carry_out(relay_.opened(inject::Opened::What::process, *line_, 0, now()));
    face_.begin();
    child_->begin();
    loop_.run();
    return StdioEnd{exit_code_, why_};
  }

 private:
  [[nodiscard]] nanoseconds now() const { return loop_.now() - began_; }
  void tell(std::string_view line) const {
    if (options_.tell) options_.tell(line);
  }
  template <typename Task>
  void later(nanoseconds after, Task task) {
    loop_.call_after(after, [alive = std::weak_ptr(alive_), task = std::move(task)]() mutable {
      if (!alive.expired()) task();
    });
  }

  // --- what happens

  void on_client_message(std::string text) override {
    FromClient arrival;
    arrival.bytes = std::move(text);
    arrival.now = now();
    carry_out(relay_.from_client(line_, std::move(arrival)));
  }
  void on_child_message(std::string text) override {
    FromServer arrival;
    arrival.bytes = std::move(text);
    arrival.now = now();
    carry_out(relay_.from_server(line_, std::move(arrival)));
    note_learned();
  }
  void on_client_oversize(std::size_t bytes_seen) override {
    tell("a message of the client of " + std::to_string(bytes_seen) + " bytes was skipped");
  }
  void on_child_oversize(std::size_t bytes_seen) override {
    tell("a message of the server of " + std::to_string(bytes_seen) + " bytes was skipped");
  }
  void on_child_stderr(std::string_view bytes) override { face_.errors(bytes); }

  void on_face_drained() override {
    if (std::exchange(child_paused_, false) && !child_held_) child_->resume();
    if (ending_ && to_client_ == 0) loop_.stop();
  }
  void on_child_drained() override {
    if (std::exchange(client_paused_, false)) face_.resume();
  }

  /// The client wants no more: the server may finish what it has begun.
  void on_client_end() override {
    if (survives_ || std::exchange(stopping_, true)) return;
    stop_when_sent();
  }
  void stop_when_sent() {
    if (to_server_ == 0) return child_->stop(options_.stop_step);
    later(options_.stop_within, [this] { child_->stop(options_.stop_step); });
  }
  void on_child_over(std::optional<runtime::ExitStatus> status) override {
    if (options_.relay.recorder != nullptr) {
      recording::Exit record;
      record.process = 1;
      if (status && status->code) record.code = *status->code;
      if (status && status->signal) record.signal = signal_name(*status->signal);
      record.last_lines = child_->last_lines();
      options_.relay.recorder->add(now(), std::move(record));
    }
    carry_out(relay_.ended(inject::Ended::What::process, *line_, now()));
    if (!status) tell("the server closed its standard output");
    if (status && !fixed_code_) {
      if (status->code) exit_code_ = *status->code;
      // Whom we ended is no accident.
      if (status->signal && !stopping_) exit_code_ = kSignalExit + *status->signal;
      if (!stopping_ && exit_code_ != 0) tell("the server ended with " + status->text());
    }
    ending_ = true;
    if (survives_) return;
    if (!crashed_ && to_client_ != 0) {
      return later(options_.stop_within, [this] { end(); });
    }
    end();
  }
  static std::string signal_name(int number) {
    const char* name = ::sigabbrev_np(number);
    return name == nullptr ? std::to_string(number) : std::string("SIG") + name;
  }
  /// Everything has been said: what the client hasn't read has a moment to leave.
  void end() {
    face_.finish();
    if (face_.pending() == 0) return loop_.stop();
    later(options_.stop_within, [this] { loop_.stop(); });
  }

  Result<void> watch_signals() {
    for (const int number : {SIGTERM, SIGINT}) {
      SQUALL_CHECK(loop_.on_signal(number, [this, number] {
        if (number == SIGTERM && ignores_term_) return;
        if (!why_.empty()) return loop_.stop();
        why_ = "interrupted";
        survives_ = false;
        stopping_ = true;
        if (ending_) return loop_.stop();
        child_->stop(options_.stop_step);
      }));
    }
    return loop_.on_signal(SIGUSR1, [this] {
      const bool on = !injector_.enabled();
      carry_out(relay_.set_enabled(on, now()));
      tell(on ? "faults are on" : "faults are off");
    });
  }
  void note_learned() {
    if (!options_.on_learned) return;
    const std::size_t known =
        (relay_.server_info().is_null() ? 0U : 1U) + (relay_.tools_sha256().empty() ? 0U : 1U);
    if (known == std::exchange(learned_, known)) return;
    options_.on_learned(relay_.server_info(), relay_.tools_sha256());
  }

  // --- what is to be done

  void carry_out(Actions actions) {
    if (options_.detail) describe(actions);
    for (Command& command : actions.commands) {
      if (Send* send = std::get_if<Send>(&command)) {
        send_in_time(std::move(*send), actions.in, actions.untouched);
      } else if (const auto* wake = std::get_if<inject::Wake>(&command)) {
        later(wake->after, [this, token = wake->token] { carry_out(relay_.woken(token, now())); });
      } else if (ProcessAct* act = std::get_if<ProcessAct>(&command)) {
        act_in_time(std::move(*act));
      }
      // Answer, End, Shape, Line and SessionAct are of HTTP: kinds that order them are refused.
    }
  }
  void describe(const Actions& actions) const {
    if (actions.untouched) return;
    for (const Command& command : actions.commands) {
      const Send* send = std::get_if<Send>(&command);
      if (send == nullptr || send->rule.empty()) continue;
      options_.detail("#" + std::to_string(actions.in) + " " + send->rule + ": " + send->how);
    }
  }

  void send_in_time(Send send, std::uint64_t in, bool untouched) {
    if (send.after.count() == 0) return deliver(send, in, untouched);
    std::uint64_t& count = send.to == Send::To::client ? to_client_ : to_server_;
    ++count;
    const nanoseconds after = send.after;
    later(after, [this, send = std::move(send), in, untouched] {
      deliver(send, in, untouched);
      if (send.to == Send::To::client) {
        if (--to_client_ == 0 && ending_ && !survives_) end();
      } else if (--to_server_ == 0 && stopping_) {
        child_->stop(options_.stop_step);
      }
    });
  }
  void deliver(const Send& send, std::uint64_t in, bool untouched) {
    if (!untouched) relay_.delivered(send, in, line_.get(), now());
    if (send.to == Send::To::client) {
      if (crashed_ && ending_) return;
      send.form == Send::Form::message ? face_.message(*send.bytes) : face_.raw(*send.bytes);
      if (face_.pending() <= kBacklogMax || std::exchange(child_paused_, true)) return;
      return child_->pause();
    }
    send.form == Send::Form::message ? child_->send(*send.bytes) : child_->send_raw(*send.bytes);
    if (child_->pending() <= kBacklogMax || std::exchange(client_paused_, true)) return;
    face_.pause();
  }

  void act_in_time(ProcessAct act) {
    // These say themselves what their time is about.
    if (act.what == ProcessAct::What::hold_start || act.after.count() == 0) return perform(act);
    const nanoseconds after = act.after;
    later(after, [this, act = std::move(act)] { perform(act); });
  }
  void perform(const ProcessAct& act) {
    using What = ProcessAct::What;
    if (options_.detail) options_.detail(act.rule + ": " + act.how);
    switch (act.what) {
      case What::hold_start:
        hold_child(act.after);
        break;
      case What::signal:
        crashed_ = true;
        child_->signal(act.number);
        break;
      case What::exit:
        crashed_ = fixed_code_ = true;
        exit_code_ = act.number;
        child_->signal(SIGKILL);
        break;
      case What::stop:
        child_->signal(SIGSTOP);
        later(act.lasting, [this] { child_->signal(SIGCONT); });
        break;
      case What::flood_stderr:
        face_.flood(act.bytes, act.rate);
        break;
      case What::close_stdin:
        face_.close_input();
        break;
      case What::close_stdout:
        face_.close_output();
        break;
      case What::stop_reading:
        face_.stop_reading();
        break;
      case What::split_stdout:
        face_.split(static_cast<std::size_t>(act.bytes), act.lasting);
        break;
      case What::join_stdout:
        face_.join();
        break;
      case What::end_of_line:
        face_.end_lines_with(act.text);
        break;
      case What::ignore_term:
        ignores_term_ = true;
        break;
      case What::keep_pipes:
        leave_grandchild(output_fd_, errors_fd_);
        break;
      case What::survive_end:
        survives_ = true;
        loop_.hold();
        break;
    }
  }
  void hold_child(nanoseconds time) {
    child_held_ = true;
    child_->pause();
    later(time, [this] {
      child_held_ = false;
      if (!child_paused_) child_->resume();
    });
  }

  runtime::SystemLoop& loop_;
  inject::Injector& injector_;
  StdioOptions options_;
  Relay relay_;
  LinePtr line_;
  int output_fd_;
  int errors_fd_;
  runtime::TimePoint began_;
  Face face_;
  std::unique_ptr<Child> child_;
  std::uint64_t to_client_ = 0;  // delayed messages
  std::uint64_t to_server_ = 0;
  std::size_t learned_ = 0;
  bool child_paused_ = false;
  bool child_held_ = false;
  bool client_paused_ = false;
  bool stopping_ = false;  // the server is to end
  bool ending_ = false;    // it has
  bool crashed_ = false;   // by a fault, which takes with it what was still to come
  bool fixed_code_ = false;
  bool ignores_term_ = false;
  bool survives_ = false;  // the end of stdin
  int exit_code_ = 0;
  std::string why_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // what timers look at
};

}  // namespace

Result<StdioStreams> take_standard_streams(runtime::SystemLoop& loop) {
  const auto failed = [](const char* what) {
    return fail(ErrorKind::unavailable, std::string(what) + ": " + std::strerror(errno));
  };
  const int in = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, kFirstPrivateFd);
  if (in < 0) return failed("cannot use standard input");
  const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kFirstPrivateFd);
  if (out < 0) return failed("cannot use standard output");
  const int errors = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, kFirstPrivateFd);
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0) return failed("cannot open /dev/null");
  ::dup2(null, STDIN_FILENO);
  ::close(null);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  StdioStreams streams;
  streams.input = loop.adopt(in, -1, "stdin");
  streams.output = loop.adopt(-1, out, "stdout");
  if (errors >= 0) streams.errors = loop.adopt(-1, errors, "stderr");
  streams.output_fd = out;
  streams.errors_fd = errors;
  return streams;
}

Result<StdioEnd> run_stdio_proxy(runtime::SystemLoop& loop, inject::Injector& injector,
                                 StdioStreams streams, StdioOptions options) {
  StdioProxy proxy(loop, injector, std::move(streams), std::move(options));
  return proxy.run();
}

}  // namespace squall::proxy
