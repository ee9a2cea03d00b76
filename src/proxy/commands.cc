#include "commands.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace squall::proxy {

namespace {

/// Messages that a process has not read; beyond it, it is taken for dead.
constexpr std::size_t kBacklogMax = std::size_t{64} << 20;

}  // namespace

struct Commands::One final : Child::Owner {
  One(Commands& of, std::uint64_t its) : all(of), number(its) {}
  void on_child_message(std::string text) override {
    all.owner_.on_command_message(number, std::move(text));
  }
  void on_child_oversize(std::size_t bytes_seen) override {
    all.owner_.on_command_note("a message of the server of " + std::to_string(bytes_seen) +
                               " bytes was skipped");
  }
  void on_child_stderr(std::string_view bytes) override { all.owner_.on_command_stderr(bytes); }
  void on_child_drained() override {}
  void on_child_over(std::optional<runtime::ExitStatus> status) override {
    all.on_over(number, status);
  }
  Commands& all;
  std::uint64_t number;
  std::unique_ptr<Child> child;
};

Commands::Commands(runtime::SystemLoop& loop, runtime::ProcessOptions command,
                   std::size_t message_bytes_max, std::size_t processes_max, Owner& owner)
    : loop_(loop),
      command_(std::move(command)),
      message_bytes_max_(message_bytes_max),
      processes_max_(processes_max),
      owner_(owner) {}

Commands::~Commands() = default;

Result<std::uint64_t> Commands::start() {
  if (all_.size() >= processes_max_) {
    return fail(ErrorKind::limit, "no more than " + std::to_string(processes_max_) +
                                      " processes of the server run at once");
  }
  const std::uint64_t number = started_ + 1;
  auto one = std::make_shared<One>(*this, number);
  SQUALL_TRY(one->child, Child::start(loop_, command_, message_bytes_max_, *one));
  started_ = number;
  all_.emplace(number, std::move(one));
  return number;
}

void Commands::begin(std::uint64_t process) {
  const auto at = all_.find(process);
  if (at != all_.end()) at->second->child->begin();
}

bool Commands::send(std::uint64_t process, std::string_view message) {
  const auto at = all_.find(process);
  if (at == all_.end() || at->second->child->pending() > kBacklogMax) return false;
  if (message.find_first_of("\r\n") == std::string_view::npos) {
    at->second->child->send(message);
    return true;
  }
  // A body may have line breaks between its tokens, a line may not. Inside of strings JSON has
  // none.
  std::string line(message);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\r', ' ');
  at->second->child->send(line);
  return true;
}

int Commands::pid(std::uint64_t process) const {
  const auto at = all_.find(process);
  return at == all_.end() ? 0 : at->second->child->pid();
}

void Commands::stop(std::uint64_t process, std::chrono::milliseconds step) {
  const auto at = all_.find(process);
  if (at != all_.end()) at->second->child->stop(step);
}

void Commands::on_over(std::uint64_t process, const std::optional<runtime::ExitStatus>& status) {
  const auto at = all_.find(process);
  if (at == all_.end()) return;
  recording::Exit record;
  record.process = static_cast<std::uint32_t>(process);
  if (status && status->code) record.code = *status->code;
  if (status && status->signal) {
    const char* name = ::sigabbrev_np(*status->signal);
    record.signal = name == nullptr ? std::to_string(*status->signal) : std::string("SIG") + name;
  }
  record.last_lines = at->second->child->last_lines();
  // We are inside one of its calls.
  loop_.post([one = std::move(at->second)] {});
  all_.erase(at);
  owner_.on_command_over(process,
                         status ? "it ended with " + status->text() : "it closed its output",
                         std::move(record));
}

}  // namespace squall::proxy
