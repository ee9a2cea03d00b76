#pragma once

#include <functional>
#include <memory>

#include "squall/client/link.h"
#include "squall/lab/runner.h"
#include "squall/recording/case_reader.h"
#include "squall/recording/recorder.h"
#include "squall/runtime/loop.h"

namespace squall::lab {

/// Makes the way to the server for one of the client's connections.
using MakeLink = std::function<Result<std::unique_ptr<client::Link>>()>;

/// Sends what the client of `from` sent, byte for byte, at the times it did; a message that came
/// behind an answer waits for that answer. Events go to `recorder`.
[[nodiscard]] Result<void> play_recorded_client(const recording::Case& from,
                                                const MakeLink& make_link, runtime::Loop& loop,
                                                recording::Recorder& recorder,
                                                const FaultSetup* faults);

}  // namespace squall::lab
