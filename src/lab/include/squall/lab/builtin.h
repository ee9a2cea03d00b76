#pragma once

#include <memory>
#include <string>

#include "squall/lab/adapter.h"

namespace squall::lab {

/// What the built-in server offers.
struct BuiltinTools {
  bool fault = true;      ///< the tools that misbehave when asked to
  bool examples = false;  ///< three that answer by their arguments alone, and a resource
};

/// The built-in server with its fault tools, in this process: over the HTTP codec on 2026-07-28
/// (and when the revision is left open), over a pair of channels on 2025-11-25. Every run begins
/// with a server of its own.
[[nodiscard]] std::unique_ptr<Target> make_builtin_target(const BuiltinTools& tools = {});

/// The adapter "builtin": `{"adapter": "builtin", "config": {"tools": ["fault", "examples"]}}`.
[[nodiscard]] Result<std::unique_ptr<Target>> read_builtin_target(const std::string& file,
                                                                  const std::string& text);

}  // namespace squall::lab
