#include "squall/recording/recorder.h"

#include <gtest/gtest.h>

#include "scratch.h"

namespace squall::recording {
namespace {

using std::chrono::nanoseconds;

TEST(MemoryRecorder, GivesItsEventsInOrderAndForgetsThem) {
  MemoryRecorder first;
  MemoryRecorder second;
  first.add(nanoseconds(1), sample_message("a"));
  first.add(nanoseconds(2), Exit{});
  first.replay_into(second);
  EXPECT_TRUE(first.events().empty());
  ASSERT_EQ(second.events().size(), 2u);
  EXPECT_EQ(std::get<Message>(second.events()[0].body).payload.bytes, "a");
  EXPECT_EQ(second.events()[1].at, nanoseconds(2));
  EXPECT_EQ(second.events()[1].seq, 2u);
}

TEST(MemoryRecorder, CountsWhatItHasNoRoomFor) {
  MemoryRecorder recorder(1);
  recorder.add({}, Exit{});
  recorder.add({}, Exit{});
  recorder.add({}, Exit{});
  EXPECT_EQ(recorder.events().size(), 1u);
  EXPECT_EQ(recorder.dropped(), 2u);
}

}  // namespace
}  // namespace squall::recording
