#pragma once

#include <functional>
#include <map>
#include <string>

#include "squall/cli/cli.h"

namespace squall::cli {

/// A console that keeps what is written to it, for tests.
struct CapturedConsole : Console {
  std::string output;
  std::string errors;
  std::map<std::string, std::string, std::less<>> variables{};
  void out(std::string_view text) override { output += text; }
  void err(std::string_view text) override { errors += text; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> environment() const override {
    return variables;
  }
};

}  // namespace squall::cli
