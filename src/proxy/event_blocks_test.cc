#include "event_blocks.h"

#include <vector>

#include <gtest/gtest.h>

namespace squall::proxy {
namespace {

using Blocks = std::vector<std::string>;

Blocks cut(std::string_view bytes, std::size_t step) {
  EventBlocks blocks(1000);
  Blocks out;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    EXPECT_TRUE(blocks.feed(bytes.substr(at, step),
                            [&out](std::string_view block) { out.emplace_back(block); }));
  }
  if (!blocks.rest().empty()) out.push_back(blocks.rest());
  return out;
}

TEST(EventBlocks, EventsComeWholeAndUnchanged) {
  const std::string text = "event: x\nid: 1\ndata: a\ndata: b\n\n: ping\n\ndata: c\n\nrest";
  const Blocks expected = {"event: x\nid: 1\ndata: a\ndata: b\n\n", ": ping\n", "\n", "data: c\n\n",
                           "rest"};
  for (const std::size_t step : {1U, 2U, 3U, 100U}) EXPECT_EQ(cut(text, step), expected);
}

TEST(EventBlocks, EveryKindOfLineEndCounts) {
  for (const std::size_t step : {1U, 2U, 5U, 100U}) {
    for (const std::string end : {"\n", "\r", "\r\n"}) {
      const std::string event = "data: a" + end + "id: 2" + end + end;
      std::string all;
      for (const std::string& block : cut(event + event + ":c" + end, step)) all += block;
      EXPECT_EQ(all, event + event + ":c" + end);
    }
  }
  EXPECT_EQ(cut("data: a\r\rdata: b\r\r", 1), (Blocks{"data: a\r\r", "data: b\r\r"}));
}

TEST(EventBlocks, AnEventHasALimit) {
  EventBlocks blocks(10);
  const auto nothing = [](std::string_view) {};
  EXPECT_TRUE(blocks.feed("data: 1\n\n", nothing));
  EXPECT_FALSE(blocks.feed("data: 1234567", nothing));
}

}  // namespace
}  // namespace squall::proxy
