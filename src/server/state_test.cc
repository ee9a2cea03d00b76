#include "squall/server/state.h"

#include <fstream>

#include <gtest/gtest.h>

#include "squall/base/crypto.h"

namespace squall::server {
namespace {

/// A file's place, and nothing of it left afterwards.
class Place {
 public:
  ~Place() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "state.json"; }
  void write(std::string_view text) const { std::ofstream(file()) << text; }

 private:
  static std::filesystem::path make() {
    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("squall-state-" + base::random_uuid());
    std::filesystem::create_directory(folder);
    return folder;
  }
  std::filesystem::path folder_ = make();
};

auto open(const Place& place, std::size_t bytes_max = 1 << 20) {
  return ServerState::open(make_file_store(place.file()), bytes_max);
}

TEST(ServerState, IsTheSameInTheNextProcess) {
  const Place place;
  {
    const auto state = *open(place);
    EXPECT_TRUE(state->get("cart").is_null());
    ASSERT_TRUE(state->set("cart", json::Value::array({"a", 2})).has_value());
    ASSERT_TRUE(state->set("gone", 1).has_value());
    ASSERT_TRUE(state->set("gone", json::Value()).has_value());
    ASSERT_TRUE(state->save().has_value());
    ASSERT_TRUE(state->set("late", 1).has_value());  // never saved
  }
  const auto state = *open(place);
  EXPECT_EQ(state->get("cart"), json::Value::array({"a", 2}));
  EXPECT_TRUE(state->get("gone").is_null());
  EXPECT_TRUE(state->get("late").is_null());
}

TEST(ServerState, IsBounded) {
  const Place place;
  const auto state = *open(place, 20);
  ASSERT_TRUE(state->set("a", std::string(10, 'x')).has_value());
  EXPECT_FALSE(state->set("b", std::string(10, 'x')).has_value());
  EXPECT_TRUE(state->get("b").is_null());
  EXPECT_TRUE(state->set("a", std::string(15, 'x')).has_value());  // in place of the other
  EXPECT_TRUE(state->set("a", json::Value()).has_value());
  EXPECT_TRUE(state->set("b", std::string(10, 'x')).has_value());
}

TEST(ServerState, RefusesWhatIsNoStateOrOfALaterVersion) {
  for (const std::string_view text :
       {"", "{", "[]", R"({"version":1})", R"({"version":2,"state":{}})", R"({"state":{}})",
        R"({"version":"1","state":{}})"}) {
    const Place place;
    place.write(text);
    EXPECT_FALSE(open(place).has_value()) << text;
  }
}

TEST(ServerState, RefusesWhatIsTooLarge) {
  const Place place;
  place.write(R"({"version":1,"state":{"a":")" + std::string(100, 'x') + "\"}}");
  EXPECT_FALSE(open(place, 50).has_value());
  EXPECT_FALSE(ServerState::open(make_file_store(place.file(), 50)).has_value());
}

TEST(FileStore, KeepsTheOldStateWhereItCannotWrite) {
  const Place place;
  const auto state = *open(place);
  ASSERT_TRUE(state->save().has_value());
  std::filesystem::create_directory(place.file().string() + ".part");
  EXPECT_FALSE(state->save().has_value());
  EXPECT_TRUE(open(place).has_value());
}

}  // namespace
}  // namespace squall::server
