#include "drive.h"

namespace squall::server {

std::optional<ToolError> make_own_context(ServedRequest& request) {
  const auto& make = request.pipeline().make_own_context;
  if (!make) return std::nullopt;
  try {
    auto made = make(request.context());
    if (!made) return std::move(made).error();
    request.own_context = std::move(*made);
    return std::nullopt;
  } catch (const ToolError& error) {
    return error;
  } catch (...) {  // the factory is the user's code
    log_exception(request, "context factory");
    return internal_error();
  }
}

}  // namespace squall::server
