#include "squall/auth/fetch.h"

#include "squall/base/text.h"

namespace squall::auth {

const std::string* find_header(const Headers& headers, std::string_view name, std::size_t ordinal) {
  for (const auto& [key, value] : headers) {
    if (base::equals_ignoring_case(key, name) && ordinal-- == 0) return &value;
  }
  return nullptr;
}

}  // namespace squall::auth
