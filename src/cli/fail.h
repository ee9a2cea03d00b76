#pragma once

#include "squall/base/result.h"
#include "squall/cli/cli.h"

namespace squall::cli {

/// Prints the one line that every failing command ends with.
[[nodiscard]] inline Exit complain(Console& console, const Error& error) {
  console.err("squall: " + error.message + "\n");
  return Exit::could_not;
}

}  // namespace squall::cli
