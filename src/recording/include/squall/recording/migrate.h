#pragma once

#include <cstdint>
#include <span>

#include "squall/base/result.h"
#include "squall/json/value.h"

namespace squall::recording {

/// How values of one version of the format become values of the next.
struct Migration {
  std::uint32_t from = 0;
  Result<json::Value> (*header)(json::Value) = nullptr;  ///< null: unchanged
  Result<json::Value> (*event)(json::Value) = nullptr;   ///< null: unchanged
};

/// Every step that this library knows, oldest first. Empty while there is one version only.
[[nodiscard]] std::span<const Migration> migrations();

enum class Part : std::uint8_t { header, event };

/// Brings `value` from `version` to `kFormatVersion`, step by step. Fails when a step is missing.
[[nodiscard]] Result<json::Value> migrate(json::Value value, Part part, std::uint32_t version,
                                          std::span<const Migration> steps = migrations());

}  // namespace squall::recording
