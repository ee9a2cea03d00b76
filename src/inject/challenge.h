#pragma once

#include <string>
#include <string_view>

#include "scene.h"

namespace squall::inject {

/// Answers 401 or 403 with this `WWW-Authenticate` ("": none).
void challenge(Scene& scene, unsigned status, std::string header, std::string how);

/// A name for the bearer token of the request that tells nothing of it; "" without one.
[[nodiscard]] std::string token_of(const Scene& scene);

}  // namespace squall::inject
