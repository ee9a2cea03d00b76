#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "squall/fault/catalogue.h"
#include "squall/json/value.h"

/// @file What happens in the traffic, as whoever relays it tells the injector. All of it views
/// what the caller holds; it need live for the call alone. Tools have the names that the upstream
/// gives them: prefixes are taken off before, and put on behind.

namespace squall::inject {

/// The arrival number of a message of the client, unique in the run and above 0. What belongs to a
/// request (its response, its progress, its stream) names it by this.
using Exchange = std::uint64_t;

using Header = std::pair<std::string_view, std::string_view>;

/// Where something happens, as the client sees it.
struct Place {
  std::uint64_t connection = 0;  ///< from 1, in order; 0: none
  std::uint64_t process = 0;
  std::string_view session;   ///< "" without one
  std::string_view revision;  ///< "2025-11-25"; "" before it is known
  fault::Transport transport = fault::Transport::any;
};

/// A message of the client, or an HTTP request of its without one (GET, DELETE).
struct ClientMessage {
  Exchange exchange = 0;  ///< its arrival number, whatever it is
  Place place;
  std::string_view bytes;                ///< as they came
  const json::Value* message = nullptr;  ///< of the bytes, parsed with duplicate keys kept; or null
  std::string_view unkeyable;            ///< why it has no canonical form, where the caller knows
  std::string_view http_method;          ///< "POST"; "" on stdio
  std::span<const Header> headers;
  std::chrono::nanoseconds now{};  ///< since the run began; so everywhere
};

/// A message of the server: what it answers, reports or asks.
struct ServerMessage {
  std::uint64_t in = 0;   ///< its arrival number
  Exchange exchange = 0;  ///< that it answers or belongs to; 0: to none
  Place place;
  std::string_view bytes;
  const json::Value* message = nullptr;  ///< parsed, or null
  std::string_view event_id;             ///< of the event that will carry it; "" without
  bool on_stream = false;                ///< carried by an event stream, unless a command says no
  std::chrono::nanoseconds now{};
};

/// Something came to be: a connection of the client, a process of the server, a session (told
/// before the response to its initialize), or an event stream that answers no request (GET).
/// `place` says which.
struct Opened {
  enum class What : std::uint8_t { connection, process, session, stream };
  What what = What::connection;
  Place place;
  Exchange exchange = 0;  ///< of a session: its initialize; of a stream: the GET; else 0
  std::chrono::nanoseconds now{};
};

/// Something is over: an exchange whose client is gone or has cancelled, a connection, a process, a
/// session. A response that was handed on ends its exchange by itself.
struct Ended {
  enum class What : std::uint8_t { exchange, cancelled, connection, process, session };
  What what = What::exchange;
  Exchange exchange = 0;  ///< of the first two
  Place place;
  std::chrono::nanoseconds now{};
};

/// A time has come that a `Wake` asked for.
struct Woken {
  std::uint64_t token = 0;
  std::chrono::nanoseconds now{};
};

}  // namespace squall::inject
