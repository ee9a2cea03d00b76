#include "questions.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "captured_console.h"

namespace squall::cli {
namespace {

using client::ElicitAnswer;
using testing::HasSubstr;

/// A console whose keyboard is a pipe.
struct PipedConsole final : Console {
  PipedConsole() { EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0); }
  ~PipedConsole() override {
    for (const int end : ends) {
      if (end >= 0) ::close(end);
    }
  }
  void out(std::string_view) override {}
  void err(std::string_view text) override { errors += text; }
  [[nodiscard]] int open_keyboard() const override { return ::fcntl(ends[0], F_DUPFD_CLOEXEC, 0); }
  void type(std::string_view text) const {
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void hang_up() {
    ::close(ends[1]);
    ends[1] = -1;
  }
  int ends[2] = {-1, -1};
  std::string errors;
};

auth::ShowAddress nowhere() {
  return [](const std::string&) -> Result<void> { return {}; };
}

ElicitAnswer wait_for(runtime::SystemLoop& loop, Task<ElicitAnswer>& task) {
  while (!task.done()) {
    loop.call_after(std::chrono::milliseconds(1), [&loop] { loop.stop(); });
    loop.run();
  }
  return task.take();
}

TEST(Questions, AreDeclinedWithoutATerminal) {
  const auto loop = runtime::SystemLoop::make();
  CapturedConsole console;
  Questions questions(*loop, console, nowhere());
  client::Elicitation question;
  question.message = "Really?";
  Task<ElicitAnswer> task = questions.elicit(question);
  task.start();
  EXPECT_EQ(wait_for(*loop, task).action, ElicitAnswer::Action::decline);
  EXPECT_THAT(console.errors, HasSubstr("no terminal to ask on: Really?"));
}

TEST(Questions, AreAskedOneByOne) {
  const auto loop = runtime::SystemLoop::make();
  PipedConsole console;
  Questions questions(*loop, console, nowhere());
  client::Elicitation first;
  first.message = "first";
  client::Elicitation second;
  second.message = "second";
  Task<ElicitAnswer> one = questions.elicit(first);
  Task<ElicitAnswer> two = questions.elicit(second);
  one.start();
  two.start();
  EXPECT_EQ(console.errors.find("second"), std::string::npos);
  console.type("a\r\nd");
  EXPECT_EQ(wait_for(*loop, one).action, ElicitAnswer::Action::accept);
  console.type("ecline\n");
  EXPECT_EQ(wait_for(*loop, two).action, ElicitAnswer::Action::decline);
  Task<ElicitAnswer> three = questions.elicit(first);
  three.start();
  console.hang_up();
  EXPECT_EQ(wait_for(*loop, three).action, ElicitAnswer::Action::cancel);
}

TEST(Questions, LeadToAnAddressAfterConsentAlone) {
  const auto loop = runtime::SystemLoop::make();
  PipedConsole console;
  std::vector<std::string> shown;
  const auto show = [&shown](const std::string& url) -> Result<void> {
    shown.push_back(url);
    return {};
  };
  Questions questions(*loop, console, show);
  client::Elicitation question;
  question.is_url = true;
  question.url = "https://a.example/";
  console.type("d\na\n");
  for (const std::size_t count : {0U, 1U}) {
    Task<ElicitAnswer> task = questions.elicit(question);
    task.start();
    static_cast<void>(wait_for(*loop, task));
    EXPECT_EQ(shown.size(), count);
  }
}

}  // namespace
}  // namespace squall::cli
