#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "squall/lab/adapter.h"
#include "squall/runtime/task_set.h"

namespace squall::lab {

/// A real target beside what a case recorded, for requests that the case doesn't have. Nothing is
/// opened before the first of them.
class Elsewhere {
 public:
  /// `target` and the loop of `place` outlive it.
  Elsewhere(Target& target, Place place);
  ~Elsewhere();
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

  using Done = std::move_only_function<void(std::optional<std::string> response)>;
  /// Asks what `request` asks; `done` gets the text of the response, or nothing when none came.
  void ask(std::string request, Done done);

 private:
  class Deaf;
  Task<void> answer(std::string request, Done done);
  Task<bool> open();

  Target& target_;
  Place place_;
  std::unique_ptr<Deaf> wire_;
  std::unique_ptr<Path> path_;
  std::unique_ptr<Subject> subject_;
  bool asked_ = false;
  bool ready_ = false;
  std::uint64_t jobs_ = 0;
  runtime::TaskSet tasks_;  // destroyed first
};

}  // namespace squall::lab
