#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

/// @file The command line of the program `squall`, as a function.

namespace squall::cli {

/// Where a command writes. Both may be called from any thread, and each text goes out whole.
class Console {
 public:
  virtual ~Console() = default;
  /// What the command was asked for.
  virtual void out(std::string_view text) = 0;
  /// What a person should know besides.
  virtual void err(std::string_view text) = 0;
  /// Whether `out` may use colours: it is a terminal, and NO_COLOR isn't set.
  [[nodiscard]] virtual bool colours() const { return false; }
  /// Whether `err` goes to a terminal, where a line can be drawn again.
  [[nodiscard]] virtual bool live() const { return false; }
  /// A descriptor of its own to read from a person's terminal, which the caller closes; -1 when
  /// nobody can be asked.
  [[nodiscard]] virtual int open_keyboard() const { return -1; }
  /// The variables that commands may read: proxies, tokens, authorities.
  [[nodiscard]] virtual std::map<std::string, std::string, std::less<>> environment() const {
    return {};
  }
};

/// How a command ends.
enum class Exit : int {
  passed = 0,
  could_not = 1,     ///< bad options, or it could not be carried out
  failed = 2,        ///< carried out, and what had to hold did not
  lost = 3,          ///< a server's answer is a protocol error, or never came
  inconclusive = 3,  ///< nothing that had to hold failed, and not all of it could be judged
  timed_out = 4,     ///< a server took too long
};

/// Runs the command that `words` name (without the program's own name).
[[nodiscard]] Exit run(std::span<const char* const> words, Console& console);

}  // namespace squall::cli
