#pragma once

#include <span>
#include <string_view>

#include "scene.h"

/// @file The kinds of faults as they are delivered: `kinds/` has one file each, `faults.cc` names
/// them all.

namespace squall::inject {

/// How a kind acts, moment by moment; null: it has nothing to do then.
struct Fault {
  using Act = void (*)(Scene&);
  std::string_view kind;
  /// The struck request is on its way to the server.
  Act on_request = nullptr;
  /// Its response is on its way to the client.
  Act on_response = nullptr;
  /// Another message of the server in the exchange is; or one of its own, struck by itself.
  Act on_message = nullptr;
  /// A message is about to leave on the exchange's event stream, whichever it is.
  Act on_event = nullptr;
  /// A struck notification of the client is on its way.
  Act on_notification = nullptr;
  /// The client has cancelled the struck request.
  Act on_cancel = nullptr;
  /// The struck connection, process, session or stream has come to be.
  Act on_opened = nullptr;
  /// A message passes in a struck process or session.
  Act on_traffic = nullptr;
  /// Any request over HTTP, struck or not, once the rule keeps facts.
  Act on_every = nullptr;
  /// A time has come.
  Act on_woken = nullptr;
  /// Entries of a list were struck: `out.main` is the list, `strike.with` has "entry".
  Act on_entry = nullptr;
};

/// Every kind of the catalogue has one.
[[nodiscard]] const Fault* find_fault(std::string_view kind);
[[nodiscard]] std::span<const Fault* const> all_faults();

}  // namespace squall::inject
