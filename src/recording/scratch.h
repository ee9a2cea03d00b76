#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "squall/recording/event.h"
#include "squall/recording/header.h"

/// @file What the tests of this library share.

namespace squall::recording {

/// A directory of one test's own, gone with it.
class Scratch {
 public:
  Scratch() {
    std::string name = testing::TempDir() + "squall-case-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string read_text(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

inline void write_text(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file) << text;
}

inline Header sample_header() {
  Header header;
  header.tool = "squall 0.1.0";
  header.scheme = "squall-draw-1";
  header.started = "2026-01-01T00:00:00.000Z";
  header.platform = "linux x86_64";
  header.seed = 1337;
  header.profile = json::Value::object({{"name", "flaky"}});
  header.scope = "run";
  header.protocol = "2026-07-28";
  header.name = "a lost response";
  return header;
}

inline Message sample_message(std::string_view text) {
  Message message;
  message.in = 1;
  message.payload = Payload(text);
  return message;
}

}  // namespace squall::recording
