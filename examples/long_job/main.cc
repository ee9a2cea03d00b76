// A long job: it asks its caller before it begins, tells how far it is, and ends when it is
// cancelled.
#include <cstdio>

#include "squall/server/registry.h"

#include "../serve_example.h"

using namespace squall;
using namespace squall::server;
using namespace std::chrono_literals;

namespace {

struct Build {
  std::string target;
  std::int64_t steps = 5;
  std::int64_t step_ms = 50;
};
SQUALL_DESCRIBE(Build, target, steps, step_ms)

struct Built {
  std::string target;
  std::int64_t steps = 0;
};
SQUALL_DESCRIBE(Built, target, steps)

struct Sure {
  bool sure = false;
};
SQUALL_DESCRIBE(Sure, sure)

/// What the user said to `key`, or nothing yet.
std::optional<bool> confirmed(Context& context, std::string_view key, const std::string& message) {
  const json::Value* answer = context.ask(key, elicit_form(message, schema::derive<Sure>()));
  if (answer == nullptr) return std::nullopt;
  const json::Value* content = answer->find("content");
  Sure sure;
  return answer->find_string("action") == "accept" && content != nullptr &&
         !schema::decode(*content, sure) && sure.sure;
}

Task<Reply<Built>> build(Context& context, const Build& in) {
  const std::optional<bool> sure = confirmed(
      context, "sure", "Build " + in.target + " in " + std::to_string(in.steps) + " steps?");
  if (!sure) co_return context.need_input();
  if (!*sure) co_return tool_error("DECLINED", "the user does not want " + in.target + " built");
  for (std::int64_t step = 1; step <= in.steps; ++step) {
    co_await context.sleep(std::chrono::milliseconds(in.step_ms));
    context.progress(static_cast<double>(step), static_cast<double>(in.steps), in.target);
  }
  Built built;
  built.target = in.target;
  built.steps = in.steps;
  co_return built;
}

}  // namespace

int main(int argc, char** argv) {
  const examples::Arguments arguments = examples::read_arguments(argc, argv);
  Registry registry({.name = "long-job", .version = "1.0.0"});
  registry.action<Build>("build")
      .describe("Build something, slowly")
      .constrain(&Build::target, schema::min_length(1), schema::max_length(100))
      .constrain(&Build::steps, schema::optional(), schema::min(1), schema::max(1000))
      .constrain(&Build::step_ms, schema::optional(), schema::min(0), schema::max(10'000))
      .handle(build);
  const auto pipeline = registry.compile();
  if (!pipeline) {
    std::fprintf(stderr, "%s\n", pipeline.error().message.c_str());
    return 1;
  }
  Engine engine(*pipeline);
  return examples::serve(engine, arguments);
}
