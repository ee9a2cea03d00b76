#pragma once

#include <string>

#include "scene.h"

namespace squall::inject {

/// Orders for the struck connection or process, behind everything else that is ordered.
void order(Scene& scene, Line line, std::string how);
void order(Scene& scene, ProcessAct act, std::string how);

/// Bytes on the client's stdio as they are, behind or before the message on its way.
[[nodiscard]] Send raw_bytes(const Scene& scene, std::string bytes, std::string how);

}  // namespace squall::inject
