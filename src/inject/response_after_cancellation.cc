#include <chrono>

#include "squall/jsonrpc/message.h"

#include "fault_slots.h"
#include "tools.h"
#include "wrapping_outlet.h"

namespace squall::inject {

namespace {

constexpr std::chrono::milliseconds kDeadline{5'000};

/// Answers a call that has been cancelled, which nobody may.
class LateOutlet final : public WrappingOutlet {
 public:
  LateOutlet(std::unique_ptr<server::Outlet> inner, std::string response, FaultSlots::Slot slot)
      : WrappingOutlet(std::move(inner)),
        response_(std::move(response)),
        slot_(std::move(slot)) {}
  void abandon() override { inner().finish(200, response_); }

 private:
  std::string response_;
  FaultSlots::Slot slot_;
};

std::string late_response(const server::Context& context) {
  std::string members = R"("content":[{"type":"text","text":"response sent after cancellation"}])";
  if (mcp::supports(context.revision(), mcp::Feature::result_type)) {
    members += R"(,"resultType":"complete")";
  }
  std::string response = "{\"jsonrpc\":\"2.0\",\"id\":";
  response += context.request_id();
  response += ",\"result\":{" + members + "}}";
  return response;
}

}  // namespace

void add_response_after_cancellation(server::Registry& registry, const FaultToolOptions& options) {
  server::Tool& tool =
      registry.tool("response_after_cancellation")
          .describe("Waits to be cancelled, at most 5 s, and answers all the same.");
  // There a cancellation closes the connection, or nothing leads from it to the call.
  if (options.transport == FaultToolOptions::Transport::http) {
    tool.only_on({server::Leg::session});
  }
  tool.handle([slots = FaultSlots("response_after_cancellation")](
                  server::Context& context) -> Task<server::ToolResult> {
    FaultSlots::Slot slot = slots.arm();
    if (!slot.ok()) co_return slots.full();
    context.around_outlet([&](std::unique_ptr<server::Outlet> inner) {
      return std::make_unique<LateOutlet>(std::move(inner), late_response(context),
                                          std::move(slot));
    });
    context.progress(0, 1);  // who asked to hear it knows by this that it may cancel now
    co_await context.sleep(kDeadline);
    co_return server::ToolResult::error("not cancelled within 5000 ms");
  });
}

}  // namespace squall::inject
