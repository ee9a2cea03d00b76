#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "squall/inject/arrival.h"
#include "squall/recording/event.h"

/// @file What the injector wants done: plain data, in order. Whoever relays does it; times are
/// counted from the event that was answered, and commands of one time keep their order.

namespace squall::inject {

/// Hands on bytes.
struct Send {
  enum class To : std::uint8_t { client, upstream };
  /// How the bytes stand on the wire.
  enum class Form : std::uint8_t {
    message,  ///< framed as usual: a line, a JSON body, an event of a stream
    event,    ///< part of an event stream as they are: opens the stream when none is open
    raw,      ///< as they are: on stdio without a line feed, over HTTP as body bytes
  };
  /// Which stream of the client's carries them.
  enum class Via : std::uint8_t { own, get_stream, other_exchange };

  To to = To::client;
  Form form = Form::message;
  Via via = Via::own;
  Exchange exchange = 0;         ///< that they belong to; 0: what follows alone
  Exchange other = 0;            ///< of `other_exchange`
  std::uint64_t connection = 0;  ///< where they go when there is no exchange
  std::string session;
  std::optional<std::string> bytes;  ///< nothing: those that arrived, untouched
  std::chrono::nanoseconds after{};
  bool last = false;  ///< nothing comes behind it: the exchange ends
  std::vector<std::pair<std::string, std::string>> set_headers;  ///< of a request to the upstream
  std::vector<std::string> drop_headers;

  // For the record of the delivery.
  std::string rule;  ///< whose strike it is; "" untouched
  std::string how;   ///< for people: "answer cut to 24 code-points"
  recording::Delivery delivery = recording::Delivery::unchanged;
};

/// Answers an HTTP request with this and nothing else; what is still to come for it is discarded.
struct Answer {
  Exchange exchange = 0;
  unsigned status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::chrono::nanoseconds after{};
  std::string rule;
  std::string how;
};

/// How a connection or a body ends.
enum class Cut : std::uint8_t {
  close,  ///< cleanly: the last chunk, then nothing more of this exchange
  abort,  ///< the connection is closed amid the body
  reset,  ///< the connection is reset
};

/// Ends what the client hears of an exchange, without a response, behind what was sent so far. On
/// stdio, where only the process could end, nothing more comes for it.
struct End {
  Exchange exchange = 0;
  Cut how = Cut::close;
  std::chrono::nanoseconds after{};
  std::string rule;
  std::string how_text;
};

/// How bytes trickle. Zero and nothing: as usual.
struct Pace {
  std::chrono::nanoseconds latency{};  ///< before the first byte
  std::chrono::nanoseconds jitter{};   ///< added to `latency` in turns: none, half, all
  std::uint64_t bytes_per_second = 0;  ///< 0: no limit
  std::size_t slice = 0;               ///< bytes a write; 0: all
  std::chrono::nanoseconds pause{};    ///< between slices
  std::chrono::nanoseconds over{};     ///< the whole body in this time, in `parts`
  std::size_t parts = 0;
  bool headers_too = false;
  std::optional<std::uint64_t> cut_after;  ///< so many bytes of the body, exactly
  Cut cut = Cut::abort;
  friend bool operator==(const Pace&, const Pace&) = default;
};

/// How the HTTP response of an exchange differs from what it would be. Comes with the request, and
/// holds until its response is written.
struct Shape {
  enum class Framing : std::uint8_t { usual, json, stream };
  /// What is wrong with the chunks of the body.
  enum class Chunks : std::uint8_t { right, malformed, garbage_then_close, early_close };

  Exchange exchange = 0;
  std::optional<unsigned> status;
  std::vector<std::pair<std::string, std::string>> set_headers;
  std::vector<std::string> drop_headers;
  std::optional<std::string> session_id;  ///< for Mcp-Session-Id; "": leave it out
  Framing framing = Framing::usual;
  Chunks chunks = Chunks::right;
  std::int64_t length_off = 0;  ///< Content-Length says so many more bytes than there are
  Pace pace{};
  std::string rule;
  std::string how;
};

/// What becomes of a connection of the client.
struct Line {
  enum class What : std::uint8_t {
    refuse,        ///< reset before a byte
    close,         ///< closed before a byte
    ignore,        ///< accepted, never read, never answered
    reset,         ///< now, or after so many bytes
    deaf,          ///< nothing more of the client's is read
    mute,          ///< nothing more is written
    close_slowly,  ///< a close takes `after` longer
    pace,          ///< as `pace` says, in both directions
  };
  /// When `reset` comes.
  enum class When : std::uint8_t { now, before_response, during_response, after_response };
  std::uint64_t connection = 0;
  What what = What::refuse;
  When when = When::now;
  std::uint64_t bytes = 0;  ///< of the response, for `during_response`
  Pace pace{};
  std::chrono::nanoseconds after{};
  std::string rule;
  std::string how;
};

/// What becomes of a process of the server: the child of a proxy; a server's own process where
/// there is no child.
struct ProcessAct {
  enum class What : std::uint8_t {
    hold_start,    ///< nothing of it is delivered for `after`
    signal,        ///< `number`
    exit,          ///< code `number`
    stop,          ///< SIGSTOP; SIGCONT after `lasting`
    flood_stderr,  ///< `bytes`, at `rate` a second (0: at once)
    close_stdin,   ///< of the process: what is sent to it gets nowhere
    close_stdout,  ///< the client reads an end; the process lives
    stop_reading,  ///< nothing more of the client's is read
    split_stdout,  ///< lines leave in writes of `bytes`, `lasting` apart
    join_stdout,   ///< lines leave two a write
    end_of_line,   ///< lines end with `text`
    ignore_term,   ///< SIGTERM is not heard
    keep_pipes,    ///< a grandchild keeps stdout and stderr open behind it
    survive_end,   ///< the end of stdin does not end it
  };
  std::uint64_t process = 0;
  What what = What::signal;
  int number = 0;
  std::chrono::nanoseconds after{};
  std::chrono::nanoseconds lasting{};
  std::uint64_t bytes = 0;
  std::uint64_t rate = 0;
  std::string text;
  std::string rule;
  std::string how;
};

/// What becomes of a session (of the revisions with a handshake).
struct SessionAct {
  enum class What : std::uint8_t {
    accept_others,  ///< requests that name a session nobody knows are taken for this one's
  };
  std::string session;
  What what = What::accept_others;
  std::string rule;
  std::string how;
};

/// Asks for a `Woken` after a time.
struct Wake {
  std::uint64_t token = 0;
  std::chrono::nanoseconds after{};
};

using Command = std::variant<Send, Answer, End, Shape, Line, ProcessAct, SessionAct, Wake>;

/// Texts for tests and logs, one line each, without the bytes' content.
[[nodiscard]] std::string to_text(const Command& command);

}  // namespace squall::inject
