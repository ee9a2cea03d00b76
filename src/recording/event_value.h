#pragma once

#include "squall/base/result.h"
#include "squall/json/value.h"
#include "squall/recording/event.h"

namespace squall::recording {

/// As `parse_event`, of a line that has been parsed (and migrated) already.
[[nodiscard]] Result<Event> event_from(const json::Value& value);

}  // namespace squall::recording
