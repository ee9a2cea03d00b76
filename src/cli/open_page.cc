#include "open_page.h"

#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "fail.h"

namespace squall::cli {

Result<void> open_page(const std::string& file, const Console& console) {
  const auto environment = console.environment();
  const auto chosen = environment.find("BROWSER");
  std::string program = chosen == environment.end() ? "" : chosen->second;
  if (program.empty()) program = "xdg-open";
  std::string page = std::filesystem::absolute(file).string();
  char* const words[] = {program.data(), page.data(), nullptr};

  posix_spawn_file_actions_t silence;
  posix_spawn_file_actions_init(&silence);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&silence, stream, "/dev/null", O_RDWR, 0);
  }
  // A session of its own: it outlives us, and an interrupt of ours isn't for it.
  posix_spawnattr_t alone;
  posix_spawnattr_init(&alone);
  posix_spawnattr_setflags(&alone, POSIX_SPAWN_SETSID);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words[0], &silence, &alone, words, ::environ);
  posix_spawnattr_destroy(&alone);
  posix_spawn_file_actions_destroy(&silence);
  if (error == 0) return {};
  return fail(ErrorKind::unavailable,
              "cannot show " + file + " with " + program + ": " + std::strerror(error));
}

}  // namespace squall::cli
