#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "golden_runner.h"

namespace squall::server::golden {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return fs::path(SQUALL_SOURCE_DIR) / "src/server/golden"; }

std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Every file in the folder: none can lie there unplayed.
std::vector<std::string> conversations() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder())) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, GoesAsWritten) {
  ASSERT_TRUE(GetParam().ends_with(".txt")) << "only conversations belong here";
  const fs::path path = folder() / GetParam();
  const std::string expected = read(path);
  const auto played = play(expected);
  ASSERT_TRUE(played) << played.error().message;
  for (const std::string& fault : played->faults) ADD_FAILURE() << fault;
  if (std::getenv("SQUALL_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << played->transcript;
    return;
  }
  const std::string differs = difference(expected, played->transcript);
  EXPECT_TRUE(differs.empty()) << differs << "SQUALL_UPDATE_GOLDEN=1 rewrites " << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Conversations, Golden, testing::ValuesIn(conversations()),
                         [](const auto& one) {
                           std::string name = one.param.substr(0, one.param.find('.'));
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

constexpr std::string_view kPing =
    "# A ping.\n"
    ">>> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

TEST(GoldenRunner, WritesDownWhatIsHeard) {
  const auto played = play(kPing);
  ASSERT_TRUE(played);
  EXPECT_EQ(played->transcript,
            std::string(kPing) + "<<< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
  EXPECT_TRUE(played->faults.empty());
}

TEST(GoldenRunner, TakesHeardLinesForNoStep) {
  const auto played = play(std::string(kPing) + "<<< something else\n<<< and more\n");
  ASSERT_TRUE(played);
  EXPECT_EQ(played->transcript, play(kPing)->transcript);
}

TEST(GoldenRunner, ShowsWhatDiffers) {
  EXPECT_EQ(difference("a\nb\nc\n", "a\nx\nc\n"), "2  - b\n3  + x\n");
  EXPECT_EQ(difference("a\n", "a\nb\n"), "2  + b\n");
  EXPECT_EQ(difference("a\n", "a\n"), "");
}

TEST(GoldenRunner, RefusesWhatIsNoConversation) {
  EXPECT_FALSE(play("# Prose.\nwhat is this\n"));
  EXPECT_FALSE(play(">>> {}\n"));
  EXPECT_FALSE(play("# Prose.\noption: unheard-of\n"));
  const auto played = play("# Prose.\n--- dance\n");
  ASSERT_TRUE(played);
  EXPECT_EQ(played->faults.size(), 1U);
}

}  // namespace
}  // namespace squall::server::golden
