#include "squall/recording/run_hash.h"

#include <gtest/gtest.h>

#include "scratch.h"

namespace squall::recording {
namespace {

using std::chrono::nanoseconds;

std::string hash_of(const std::vector<Event>& events) {
  std::string hash;
  for (const Event& event : events) extend_run_hash(hash, event);
  return hash;
}

TEST(RunHash, IsTheSameWhateverTheClockAndTheProcessIdsSay) {
  Spawn first;
  first.pid = 1;
  Spawn second;
  second.pid = 2;
  EXPECT_EQ(hash_of({{.seq = 1, .at = nanoseconds(5), .body = first}}),
            hash_of({{.seq = 1, .at = nanoseconds(6), .body = second}}));
}

TEST(RunHash, DiffersWithTheBytesAndTheirOrder) {
  const Event a{.seq = 1, .at = {}, .body = sample_message("a")};
  const Event b{.seq = 1, .at = {}, .body = sample_message("b")};
  EXPECT_NE(hash_of({a}), hash_of({b}));
  EXPECT_NE(hash_of({a, b}), hash_of({b, a}));
}

TEST(RunHash, CanBeCheckedWithCoreutils) {
  // printf '%s\n' '{"seq":1,"event":"exit"}' | sha256sum
  EXPECT_EQ(hash_of({{.seq = 1, .at = nanoseconds(9), .body = Exit{}}}),
            "b729848764b6f2561439b4b12e46915432edc50873edb5ab1b7592c0693751f3");
}

}  // namespace
}  // namespace squall::recording
