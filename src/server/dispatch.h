#pragma once

#include <memory>

#include "request.h"

namespace squall::server {

/// Serves a request whose era and envelope have been checked: finds its method and answers it, now
/// or when its handler is done.
void dispatch(const std::shared_ptr<ServedRequest>& request);

/// Answers an open subscriptions/listen for good, as the specification has a server do that ends
/// it.
void end_listen(ServedRequest& request);

}  // namespace squall::server
