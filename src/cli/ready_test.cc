#include "ready.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace squall::cli {
namespace {

/// A directory of this test's own, gone with it.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = testing::TempDir() + "squall-ready-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::filesystem::path file(const char* name) const { return path_ / name; }
  [[nodiscard]] std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(path_), {});
  }

 private:
  std::filesystem::path path_;
};

std::string read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(PortFile, HoldsThePortAndNothingElseIsLeft) {
  const ScratchDirectory scratch;
  ASSERT_TRUE(write_port_file(scratch.file("port"), 4321).has_value());
  ASSERT_TRUE(write_port_file(scratch.file("port"), 54321).has_value());
  EXPECT_EQ(read(scratch.file("port")), "54321\n");
  EXPECT_EQ(scratch.files(), 1);
}

TEST(PortFile, SaysWhyItCannotBeWritten) {
  const ScratchDirectory scratch;
  const auto missing = write_port_file(scratch.file("no/such"), 1);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message, "cannot write the port file '" +
                                         scratch.file("no/such").string() +
                                         "': No such file or directory");

  std::filesystem::create_directories(scratch.file("taken/by"));
  EXPECT_FALSE(write_port_file(scratch.file("taken"), 1).has_value());
  EXPECT_EQ(scratch.files(), 1);  // the unfinished file is gone
}

TEST(AnnounceOn, WritesOneLineAndCloses) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_TRUE(check_descriptor(ends[1]).has_value());
  ASSERT_TRUE(announce_on(ends[1], "http://127.0.0.1:1/mcp").has_value());
  EXPECT_FALSE(check_descriptor(ends[1]).has_value());

  char text[64];
  const ssize_t size = ::read(ends[0], text, sizeof text);
  ASSERT_GT(size, 0);
  EXPECT_EQ(std::string(text, static_cast<std::size_t>(size)), "ready http://127.0.0.1:1/mcp\n");
  EXPECT_EQ(::read(ends[0], text, sizeof text), 0);  // closed
  ::close(ends[0]);
}

TEST(AnnounceOn, FailsOnADescriptorThatTakesNothing) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_FALSE(announce_on(ends[0], "x").has_value());  // the end to read from
  ::close(ends[1]);
}

}  // namespace
}  // namespace squall::cli
