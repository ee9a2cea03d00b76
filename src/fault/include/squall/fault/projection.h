#pragma once

#include <string>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/pointer.h"
#include "squall/json/value.h"

namespace squall::fault {

/// Which members of a call's arguments name its site.
struct Projection {
  enum class Mode { all, only, ignore };
  Mode mode = Mode::all;
  std::vector<json::Pointer> pointers;

  /// What tells projections apart: the mode and the sorted pointers.
  [[nodiscard]] std::string identity() const;
  /// Kept members keep their place; pointers lead through object members alone.
  [[nodiscard]] json::Value apply(const json::Value& arguments) const;
};

/// Canonical text of arguments as it stands in a site: over 1,024 bytes, their SHA-256 instead.
/// Fails where there is no canonical form.
[[nodiscard]] Result<std::string> site_text(const json::Value& arguments);

}  // namespace squall::fault
