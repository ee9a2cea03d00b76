#include "fault_slots.h"
#include "tools.h"
#include "wrapping_outlet.h"

namespace squall::inject {

namespace {

/// Over HTTP a second message needs a stream, so the reply becomes one.
class TwiceOutlet final : public WrappingOutlet {
 public:
  TwiceOutlet(std::unique_ptr<server::Outlet> inner, FaultSlots::Slot slot)
      : WrappingOutlet(std::move(inner)), slot_(std::move(slot)) {}
  void finish(int status, std::string_view response) override {
    inner().send(response, false);
    inner().finish(status, response);
  }

 private:
  FaultSlots::Slot slot_;
};

}  // namespace

void add_duplicate_response(server::Registry& registry) {
  registry.tool("duplicate_response")
      .describe("Answers twice with the same response.")
      .handle([slots = FaultSlots("duplicate_response")](server::Context& context) {
        FaultSlots::Slot slot = slots.arm();
        if (!slot.ok()) return slots.full();
        context.around_outlet([&slot](std::unique_ptr<server::Outlet> inner) {
          return std::make_unique<TwiceOutlet>(std::move(inner), std::move(slot));
        });
        return server::ToolResult::text("duplicate response activated");
      });
}

}  // namespace squall::inject
