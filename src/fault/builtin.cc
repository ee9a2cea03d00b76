#include "squall/fault/builtin.h"

#include <algorithm>

namespace squall::fault {

const BuiltinProfile* find_builtin_profile(std::string_view name) noexcept {
  const auto all = builtin_profiles();
  const auto at = std::ranges::find(all, name, &BuiltinProfile::name);
  return at == all.end() ? nullptr : &*at;
}

}  // namespace squall::fault
