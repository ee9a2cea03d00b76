#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "squall/client/link.h"
#include "squall/inject/injector.h"
#include "squall/recording/recorder.h"
#include "squall/runtime/loop.h"

namespace squall::inject {

struct FaultyLinkOptions {
  recording::Recorder* recorder = nullptr;  ///< takes what was decided and handed on; null: nobody
  runtime::TimePoint began{};               ///< when the run did; times of records count from there
  std::uint64_t* arrivals = nullptr;        ///< the run's arrival numbers; null: the link's own
  std::uint64_t connection = 1;
};

/// A way to a server with faults on it, for clients in our own process: on virtual time too.
///
/// Messages, lists, statuses and streams break as the client would meet them. How single bytes of
/// HTTP are written (`slow-body`, `bad-chunk`, headers that lie) shows as the delay or the loss
/// that comes of it. What concerns sockets and processes (`throttle`, `pause`) a proxy delivers:
/// here connections are refused, reset or mute, and a process that dies is a link that is over.
///
/// `loop`, `injector` and `options.recorder` outlive it.
[[nodiscard]] std::unique_ptr<client::Link> make_faulty_link(runtime::Loop& loop,
                                                             std::unique_ptr<client::Link> link,
                                                             Injector& injector,
                                                             FaultyLinkOptions options = {});

}  // namespace squall::inject
