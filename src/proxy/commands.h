#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "squall/recording/event.h"

#include "child.h"

namespace squall::proxy {

/// Servers that are processes of one command, by their numbers.
class Commands {
 public:
  /// What happens; never from inside a call.
  class Owner {
   public:
    virtual void on_command_message(std::uint64_t process, std::string text) = 0;
    virtual void on_command_stderr(std::string_view bytes) = 0;
    virtual void on_command_note(std::string_view line) = 0;
    /// It is over, and `how` says so for people.
    virtual void on_command_over(std::uint64_t process, const std::string& how,
                                 recording::Exit record) = 0;

   protected:
    ~Owner() = default;
  };
  /// `owner` and `loop` outlive it.
  Commands(runtime::SystemLoop& loop, runtime::ProcessOptions command,
           std::size_t message_bytes_max, std::size_t processes_max, Owner& owner);
  ~Commands();

  /// Starts one more; nothing of it is heard until `begin`.
  [[nodiscard]] Result<std::uint64_t> start();
  void begin(std::uint64_t process);
  /// False when there is no such process, or it takes no more.
  [[nodiscard]] bool send(std::uint64_t process, std::string_view message);
  [[nodiscard]] int pid(std::uint64_t process) const;
  void stop(std::uint64_t process, std::chrono::milliseconds step);

 private:
  struct One;
  void on_over(std::uint64_t process, const std::optional<runtime::ExitStatus>& status);

  runtime::SystemLoop& loop_;
  runtime::ProcessOptions command_;
  std::size_t message_bytes_max_;
  std::size_t processes_max_;
  Owner& owner_;
  std::uint64_t started_ = 0;
  std::map<std::uint64_t, std::shared_ptr<One>> all_;
};

}  // namespace squall::proxy
