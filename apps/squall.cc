#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

#include "squall/cli/cli.h"

namespace {

/// The program's own stdout and stderr.
class StandardConsole final : public squall::cli::Console {
 public:
  void out(std::string_view text) override { write(stdout, text); }
  void err(std::string_view text) override { write(stderr, text); }
  [[nodiscard]] bool colours() const override {
    const char* no_color = std::getenv("NO_COLOR");
    const bool wanted = no_color == nullptr || *no_color == '\0';  // as no-color.org says
    return wanted && ::isatty(STDOUT_FILENO) == 1;
  }
  [[nodiscard]] bool live() const override { return ::isatty(STDERR_FILENO) == 1; }
  [[nodiscard]] int open_keyboard() const override {
    if (!live() || ::isatty(STDIN_FILENO) != 1) return -1;
    // Not a copy of stdin: that would share its modes with the shell that started us.
    const char* const name = ::ttyname(STDIN_FILENO);
    return ::open(name != nullptr ? name : "/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
  }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> environment() const override {
    std::map<std::string, std::string, std::less<>> out;
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string text = *entry;
      const std::size_t equals = text.find('=');
      if (equals != std::string::npos) out.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return out;
  }

 private:
  static void write(std::FILE* file, std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), file);
    std::fflush(file);
  }
};

}  // namespace

int main(int argc, char** argv) {
  StandardConsole console;
  const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
  return static_cast<int>(squall::cli::run(words.subspan(argc > 0 ? 1 : 0), console));
}
