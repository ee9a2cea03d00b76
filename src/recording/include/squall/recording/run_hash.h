#pragma once

#include <string>

#include "squall/recording/event.h"

namespace squall::recording {

/// Takes `event` into the hash of the run that it is part of. The hash is "" before the first
/// event; each makes it the SHA-256, in hex, of the hash so far and the event's hashed line.
/// Equal runs have equal hashes, on every machine.
void extend_run_hash(std::string& hash, const Event& event);

}  // namespace squall::recording
