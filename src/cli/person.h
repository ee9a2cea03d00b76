#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "squall/cli/cli.h"
#include "squall/runtime/loop.h"
#include "squall/runtime/one_shot.h"
#include "squall/runtime/task.h"

namespace squall::cli {

/// Somebody at a terminal, line by line.
class Person {
 public:
  virtual ~Person() = default;
  virtual void tell(std::string_view text) = 0;
  /// Shows `prompt` and waits for a line, given without its end; nothing once there is no more to
  /// come. Destroying the Task asks no longer.
  virtual Task<std::optional<std::string>> ask(std::string prompt) = 0;
};

/// A person at a keyboard.
class Typist final : public Person, private runtime::ByteStream::Receiver {
 public:
  /// Both outlive it. `keyboard` is a descriptor that it then owns.
  Typist(runtime::SystemLoop& loop, int keyboard, Console& console);
  ~Typist() override;
  Typist(const Typist&) = delete;
  Typist& operator=(const Typist&) = delete;
  void tell(std::string_view text) override { console_.err(text); }
  Task<std::optional<std::string>> ask(std::string prompt) override;

 private:
  class Wait;
  void on_bytes(std::string_view bytes) override;
  void on_end(runtime::End end) override;
  [[nodiscard]] std::optional<std::string> take_line();

  runtime::Loop& loop_;
  Console& console_;
  std::unique_ptr<runtime::ByteStream> stream_;
  std::string typed_;
  runtime::OneShot<>* waiting_ = nullptr;
  bool ended_ = false;
};

}  // namespace squall::cli
