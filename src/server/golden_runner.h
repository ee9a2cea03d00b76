#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "squall/base/result.h"

/// @file Plays golden conversations against a server on virtual time: no sockets, no waiting.

namespace squall::server::golden {

struct Outcome {
  /// The script again, with everything that was heard behind the step after which it was.
  std::string transcript;
  /// What broke a rule whatever the script expects: messages that the official schema refuses,
  /// steps that make no sense.
  std::vector<std::string> faults;
};

/// Plays one conversation. Fails when `text` is no script.
///
/// What can't be the same twice (session ids, sealed state) is named on first sight, `${session1}`,
/// `${state1}`, and can be said by that name from then on. `${pad 100}` is 100 characters,
/// `${broken state1}` a state with one character changed.
[[nodiscard]] Result<Outcome> play(std::string_view text);

/// A readable difference of two texts, line by line; "" when they are the same.
[[nodiscard]] std::string difference(std::string_view expected, std::string_view actual);

}  // namespace squall::server::golden
