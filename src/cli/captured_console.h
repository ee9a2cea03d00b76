#pragma once

#include <string>

#include "squall/cli/cli.h"

namespace squall::cli {

/// A console that keeps what is written to it, for tests.
struct CapturedConsole final : Console {
  std::string output;
  std::string errors;
  void out(std::string_view text) override { output += text; }
  void err(std::string_view text) override { errors += text; }
};

}  // namespace squall::cli
