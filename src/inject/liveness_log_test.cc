#include <gtest/gtest.h>

#include <unistd.h>

#include "squall/inject/fault_tools.h"

namespace squall::inject {
namespace {

TEST(LivenessLog, WritesOneLineOfJsonAFinding) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  make_liveness_log(ends[1])->record({"\"seven\"", "timeout", "closure_requested"});
  close(ends[1]);
  char text[512];
  const ssize_t count = read(ends[0], text, sizeof text);
  close(ends[0]);
  ASSERT_GT(count, 0);
  EXPECT_EQ(std::string(text, static_cast<std::size_t>(count)),
            R"({"event":"protocol_ping_liveness","requestId":"seven",)"
            R"("protocolPing":{"outcome":"timeout"},"transport":{"outcome":"closure_requested"}})"
            "\n");
}

}  // namespace
}  // namespace squall::inject
