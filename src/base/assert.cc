#include "squall/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace squall::base {

void assertion_failed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "squall: assertion failed: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace squall::base
