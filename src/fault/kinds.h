#pragma once

#include <span>
#include <string_view>

#include "squall/fault/catalogue.h"

namespace squall::fault {

/// A row of the table as it is written down; catalogue.cc reads `settings`.
struct KindRow {
  std::string_view name;
  Layer layer;
  Key key;
  Transport transport;
  Era era;
  bool draws;
  std::string_view methods;
  std::string_view settings;
  std::string_view summary;
  std::string_view example;
};

[[nodiscard]] std::span<const KindRow> kind_rows() noexcept;

}  // namespace squall::fault
