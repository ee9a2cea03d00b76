#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "squall/server/content.h"

namespace squall::inject {

/// The armed faults of one kind, counted.
class FaultSlots {
 public:
  /// One armed fault; letting go of it disarms.
  class Slot {
   public:
    explicit Slot(std::shared_ptr<std::atomic<std::size_t>> armed) : armed_(std::move(armed)) {}
    Slot(Slot&&) noexcept = default;
    Slot& operator=(Slot&&) = delete;
    ~Slot() {
      if (armed_) --*armed_;
    }
    /// False when too many are armed already.
    [[nodiscard]] bool ok() const noexcept { return armed_ != nullptr; }

   private:
    std::shared_ptr<std::atomic<std::size_t>> armed_;
  };

  explicit FaultSlots(std::string_view kind) : kind_(kind) {}
  [[nodiscard]] Slot arm() const;
  /// What a call is told that finds all slots taken.
  [[nodiscard]] server::ToolResult full() const;

 private:
  std::string kind_;
  std::shared_ptr<std::atomic<std::size_t>> armed_ = std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace squall::inject
