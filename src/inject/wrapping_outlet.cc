#include "wrapping_outlet.h"

namespace squall::inject {

void CuttingOutlet::finish(int, std::string_view response) {
  if (plan_.before) plan_.before();
  inner().cut(plan_.how, response.substr(0, plan_.after_bytes));
  if (plan_.behind) plan_.behind();
}

}  // namespace squall::inject
