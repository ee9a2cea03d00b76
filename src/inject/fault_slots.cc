#include "fault_slots.h"

#include "squall/inject/fault_tools.h"

namespace squall::inject {

FaultSlots::Slot FaultSlots::arm() const {
  if (armed_->fetch_add(1) < kArmedMax) return Slot(armed_);
  --*armed_;
  return Slot(nullptr);
}

server::ToolResult FaultSlots::full() const {
  return server::ToolResult::error("no more than " + std::to_string(kArmedMax) + " " + kind_ +
                                   " faults can be armed at once");
}

}  // namespace squall::inject
