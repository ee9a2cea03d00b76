#include "squall/runtime/process.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <sys/wait.h>
#include <unistd.h>

#include "test_support.h"

namespace squall::runtime::test {
namespace {

/// Whether `pid` runs: neither gone nor a zombie.
bool lives(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t name_end = text.rfind(") ");
  return name_end != std::string::npos && text[name_end + 2] != 'Z' && text[name_end + 2] != 'X';
}

class ProcessTest : public testing::Test {
 protected:
  std::unique_ptr<Process> start(const std::string& script) {
    ProcessOptions options;
    options.command = {"sh", "-c", script};
    return start(options);
  }
  std::unique_ptr<Process> start(const ProcessOptions& options) {
    auto child = spawn(*loop_, options);
    EXPECT_TRUE(child.has_value()) << child.error().message;
    (*child)->stdio().start(out_);
    (*child)->stderr_stream().start(err_);
    (*child)->on_exit([this](ExitStatus status) { status_ = status; });
    return *std::move(child);
  }

  std::unique_ptr<SystemLoop> loop_ = SystemLoop::make();
  Recorder out_;
  Recorder err_;
  std::optional<ExitStatus> status_;
};

TEST_F(ProcessTest, SpeaksOverItsStandardStreams) {
  const auto child = start("read line; echo \"got $line\"; echo trouble >&2");
  child->stdio().send("hello\n");
  loop_->run();
  EXPECT_EQ(out_.heard, "got hello\n");
  EXPECT_EQ(err_.heard, "trouble\n");
  ASSERT_TRUE(status_.has_value());
  EXPECT_EQ(status_->text(), "exit code 0");
}

TEST_F(ProcessTest, FinishIsTheEndOfItsInput) {
  const auto child = start("exec cat");
  child->stdio().send("all of it");
  child->stdio().finish();
  loop_->run();
  EXPECT_EQ(out_.heard, "all of it");
  EXPECT_EQ(out_.ended, End::finished);
}

TEST_F(ProcessTest, ReportsItsExitCode) {
  const auto child = start("exit 3");
  loop_->run();
  ASSERT_TRUE(status_.has_value());
  EXPECT_EQ(status_->code, 3);
  EXPECT_FALSE(status_->signal.has_value());
  EXPECT_EQ(status_->text(), "exit code 3");
}

TEST_F(ProcessTest, ReportsTheSignalThatEndedIt) {
  const auto child = start("exec cat");
  child->signal(SIGKILL);
  loop_->run();
  ASSERT_TRUE(status_.has_value());
  EXPECT_EQ(status_->signal, SIGKILL);
  EXPECT_EQ(status_->text(), "signal 9 (SIGKILL)");
  child->signal(SIGTERM);  // nothing: it is over
}

TEST_F(ProcessTest, OnExitAfterTheEndIsCalledFromTheLoop) {
  const auto child = start("exit 4");
  loop_->run();
  std::optional<ExitStatus> again;
  child->on_exit([&](ExitStatus status) { again = status; });
  EXPECT_FALSE(again.has_value());
  loop_->run();
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->code, 4);
}

TEST_F(ProcessTest, MayBeDestroyedInsideOnExit) {
  auto child = start("exit 0");
  bool called = false;
  child->on_exit([&](ExitStatus) {
    called = true;
    child.reset();
  });
  loop_->run();
  EXPECT_TRUE(called);
}

TEST_F(ProcessTest, DestroyingItKillsItsGroupAndLeavesNoZombie) {
  auto child = start("sleep 1000 & echo $!; wait");
  ASSERT_TRUE(run_until(*loop_, [&] { return out_.heard.ends_with('\n'); }));
  const int grandchild = std::stoi(out_.heard);
  const int pid = child->pid();
  EXPECT_EQ(::getpgid(grandchild), pid);
  child.reset();
  EXPECT_EQ(::waitpid(pid, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  // The grandchild is another's to reap: it is gone, or dead and waiting for that.
  EXPECT_TRUE(run_until(*loop_, [&] { return !lives(grandchild); }));
  EXPECT_FALSE(status_.has_value());
}

TEST_F(ProcessTest, AProgramThatDoesNotExistIsAnError) {
  ProcessOptions options;
  options.command = {"/no/such/program"};
  const auto child = spawn(*loop_, options);
  ASSERT_FALSE(child.has_value());
  EXPECT_EQ(child.error().kind, ErrorKind::not_found);
  EXPECT_EQ(child.error().message, "cannot start /no/such/program: no such file or directory");
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

TEST_F(ProcessTest, WhatCannotBeExecutedIsAnError) {
  ProcessOptions options;
  options.command = {"/"};
  const auto child = spawn(*loop_, options);
  ASSERT_FALSE(child.has_value());
  EXPECT_EQ(child.error().message, "cannot start /: permission denied");
}

TEST_F(ProcessTest, RefusesBadOptions) {
  for (const auto& command : {std::vector<std::string>{}, {""}, {std::string("a\0b", 3)}}) {
    ProcessOptions options;
    options.command = command;
    const auto child = spawn(*loop_, options);
    ASSERT_FALSE(child.has_value());
    EXPECT_EQ(child.error().kind, ErrorKind::invalid);
  }
  ProcessOptions options;
  options.command = {"true"};
  options.environment = {{"A=B", "c"}};
  EXPECT_FALSE(spawn(*loop_, options).has_value());
}

TEST_F(ProcessTest, PassesOnlyTheListedEnvironment) {
  ProcessOptions options;
  options.command = {"env"};
  options.inherit = {"PATH"};
  options.environment = {{"SQUALL_ADDED", "yes"}, {"AN_EMPTY_ONE", ""}};
  const auto child = start(options);
  loop_->run();
  EXPECT_EQ(out_.heard,
            "AN_EMPTY_ONE=\nPATH=" + std::string(std::getenv("PATH")) + "\nSQUALL_ADDED=yes\n");
}

TEST_F(ProcessTest, StartsInTheDirectoryAsked) {
  ProcessOptions options;
  options.command = {"pwd"};
  options.directory = "/usr";
  const auto child = start(options);
  loop_->run();
  EXPECT_EQ(out_.heard, "/usr\n");
  options.directory = "/no/such/place";
  EXPECT_FALSE(spawn(*loop_, options).has_value());
}

TEST_F(ProcessTest, StartsWithStandardSignalsInItsOwnGroupAndNoForeignDescriptors) {
  const int leaked = ::dup(STDERR_FILENO);  // without CLOEXEC
  ASSERT_TRUE(loop_->on_signal(SIGTERM, [] {}).has_value());
  const auto child =
      start("grep -E '^Sig(Blk|Ign|Cgt)' /proc/$$/status | tr -d '\\t'; ls /proc/$$/fd");
  loop_->run();
  ::close(leaked);
  EXPECT_TRUE(out_.heard.starts_with("SigBlk:0000000000000000\nSigIgn:")) << out_.heard;
  // Signals 32 and 33 are the C library's own: nobody can set them, and whoever started us may have
  // left them ignored.
  constexpr unsigned long long kReserved = 3ULL << 31;
  const std::size_t ignored = out_.heard.find("SigIgn:") + 7;
  ASSERT_LT(ignored, out_.heard.size());
  EXPECT_EQ(std::stoull(out_.heard.substr(ignored, 16), nullptr, 16) & ~kReserved, 0U)
      << out_.heard;
  EXPECT_TRUE(out_.heard.ends_with("\n0\n1\n2\n")) << out_.heard;
}

TEST_F(ProcessTest, AChildThatDoesNotReadIsNoDangerToUs) {
  const auto child = start("exec 0<&-; echo ready; exit 0");
  ASSERT_TRUE(run_until(*loop_, [&] { return status_.has_value(); }));
  child->stdio().send("are you there?");
  child->stdio().send("are you there?");
  loop_->run();
  EXPECT_EQ(out_.heard, "ready\n");
  EXPECT_TRUE(out_.ended.has_value());
}

}  // namespace
}  // namespace squall::runtime::test
