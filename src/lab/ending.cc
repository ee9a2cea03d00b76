#include "squall/lab/ending.h"

namespace squall::lab {

std::string_view to_text(Ending ending) noexcept {
  switch (ending) {
    case Ending::success:
      return "success";
    case Ending::error:
      return "error";
    case Ending::protocol_error:
      return "protocol_error";
    case Ending::timeout:
      return "timeout";
    case Ending::cancelled:
      return "cancelled";
    case Ending::transport_loss:
      return "transport_loss";
    case Ending::invalid_message:
      break;
  }
  return "invalid_message";
}

}  // namespace squall::lab
