#pragma once

#include "squall/json/value.h"

#include "presentation_spec.h"

namespace squall::server {

/// The schema of what a presenter gives, which is looser than its own: a redacted value may be of
/// another type, and a selection may leave required members out. Null when nothing is promised.
[[nodiscard]] json::Value promised_schema(const PresentationSpec& spec);

}  // namespace squall::server
