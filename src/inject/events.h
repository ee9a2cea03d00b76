#pragma once

#include <string>
#include <string_view>

#include "scene.h"

namespace squall::inject {

/// The message on its way as an event of a stream, as it would be written.
[[nodiscard]] std::string event_of(const Scene& scene);
/// The same with another id ("": none).
[[nodiscard]] std::string event_of(const Scene& scene, std::string_view id);
/// Puts these bytes on the stream in place of the message on its way.
void send_as_event(Scene& scene, std::string bytes, std::string how);
/// The response comes on a stream, also where plain JSON would do.
void want_stream(Scene& scene, std::string how);

}  // namespace squall::inject
