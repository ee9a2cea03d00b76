#include "media.h"

#include <string_view>

#include "squall/base/assert.h"
#include "squall/base/text.h"

namespace everything {
namespace {

std::string decode(std::string_view base64) {
  auto bytes = squall::base::base64_decode(base64);
  SQUALL_ASSERT(bytes.has_value());
  return *std::move(bytes);
}

}  // namespace

std::string red_pixel_png() {
  return decode(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAA"
      "DElEQVR42mO4YGAAAAMEATFKQqbbAAAAAElFTkSuQmCC");
}

std::string beep_wav() {
  return decode("UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACA2v/agCYAJg==");
}

}  // namespace everything
