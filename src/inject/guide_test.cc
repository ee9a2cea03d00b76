// The first steps of docs/guides/add-a-fault.md.
#include <gtest/gtest.h>

#include "faults.h"
#include "reply.h"
#include "test_support.h"

namespace squall::inject {
namespace {

void do_nothing(Scene& scene) { scene.noop("it never does anything"); }

const Fault nothing_kind{.kind = "nothing", .on_response = do_nothing};

void say_hello(Scene& scene) {
  const auto result = scene.result();
  if (!result) return scene.noop("there is no result");
  scene.set_result(text_result("Hello!", false), "says hello");
}

const Fault hello_kind{.kind = "hello", .on_response = say_hello};

/// A strike of `fault` on a response, and what goes to the client.
struct Delivered {
  std::string bytes;
  std::string why_noop;
};

Delivered strike(const Fault& fault, std::string bytes) {
  const fault::Profile profile = profile_of("  - {fault: empty}\n");
  Struck struck;
  struck.rule = &profile.rules.front();
  struck.fault = &fault;
  Ongoing call;
  call.number = 1;
  Outgoing out;
  out.main.emplace();
  out.main->bytes = std::move(bytes);
  Shared shared(Memory(16, 1 << 20), 1 << 20);
  Scene scene({1}, struck, call, out, shared, {});
  fault.on_response(scene);
  return {*out.main->bytes, scene.why_noop()};
}

constexpr std::string_view kAnswer =
    R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"4"}]}})";

TEST(Guide, AFaultThatDoesNothingSaysWhy) {
  const Delivered seen = strike(nothing_kind, std::string(kAnswer));
  EXPECT_EQ(seen.bytes, kAnswer);
  EXPECT_EQ(seen.why_noop, "it never does anything");
}

TEST(Guide, AFaultThatChangesAResult) {
  const Delivered seen = strike(hello_kind, std::string(kAnswer));
  EXPECT_EQ(seen.bytes,
            R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Hello!"}]}})");
}

}  // namespace
}  // namespace squall::inject
