#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/client/authorizer.h"
#include "squall/client/observer.h"
#include "squall/client/options.h"
#include "squall/client/outcome.h"
#include "squall/mcp/revision.h"
#include "squall/runtime/loop.h"
#include "squall/runtime/process.h"
#include "squall/transport/channel.h"
#include "squall/transport/proxy.h"
#include "squall/transport/tls.h"

/// @file The ways to a server. Make one with `over_channel`, `over_http` or `over_child`, and give
/// it to a Client. What messages mean is the Client's business.

namespace squall::client {

/// A message to send. `key` is our number of a request, unique on the link; 0 for a notification or
/// a response of ours.
struct Outgoing {
  std::uint64_t key = 0;
  std::string text;
  std::string_view method;   ///< constant or alive during the call; "" for a response
  HttpHeaders headers{};     ///< HTTP only: Mcp-Method, Mcp-Name, Mcp-Param-*
  bool handshake = false;    ///< initialize: starts a session, carries none
  std::uint64_t ticket = 0;  ///< not 0: `on_taken` is told of it
};

class Link {
 public:
  /// What happens. Calls come on the loop, never from inside a call to the link.
  class Receiver {
   public:
    /// `key` is the request whose reply carried the message, or 0. `last`: nothing else will come
    /// in that reply.
    virtual void on_message(std::string text, std::uint64_t key, bool last) = 0;
    /// That request will get no response.
    virtual void on_lost(std::uint64_t key, Loss loss) = 0;
    /// The request waits for credentials, perhaps for a person who logs in, or waits no more: that
    /// time is not the server's. May come from inside `send`.
    virtual void on_admission(std::uint64_t key, bool waiting) = 0;
    /// A message with a ticket has been taken by the peer, as far as the transport can tell.
    virtual void on_taken(std::uint64_t ticket, std::optional<Loss> loss) = 0;
    /// The link is over, and with it every request.
    virtual void on_over(Loss loss) = 0;
    /// What the server says by itself may have been missed: its stream was broken.
    virtual void on_gap() = 0;
    virtual void on_report(Report report) = 0;
    virtual void on_http(std::string_view method, int status) = 0;

   protected:
    ~Receiver() = default;
  };

  virtual ~Link() = default;
  Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  /// `receiver` outlives the link; `options` are the client's.
  virtual void start(Receiver& receiver, const Options& options) = 0;
  virtual void send(Outgoing message) = 0;
  /// Nobody waits for that request any more. Closes its stream when `close` says so.
  virtual void abandon(std::uint64_t key, bool close) = 0;
  /// The revision is known: which headers to send; whether streams resume.
  virtual void set_revision(mcp::Revision revision) = 0;
  /// The legacy handshake is complete: opens the stream for what the server says by itself.
  virtual void open_stream() {}
  /// Forgets the session, before a new handshake.
  virtual void forget_session() {}
  /// Speaks the transport of 2024-11-05 from now on, if this link can; told by `on_taken`.
  virtual bool fall_back_to_sse(std::uint64_t ticket) {
    static_cast<void>(ticket);
    return false;
  }
  /// Ends politely: stdin closed, DELETE of the session. `done` is called from the loop once.
  virtual void close(std::move_only_function<void()> done) = 0;

  /// Whether the peer is so far behind in taking what we send that nothing should be added which it
  /// provokes itself.
  [[nodiscard]] virtual bool congested() const { return false; }
  /// Whether messages travel as HTTP requests (each with headers and a reply of its own).
  [[nodiscard]] virtual bool is_http() const = 0;
  /// What an era is remembered under: "http://host:port"; "" for what is one peer's alone.
  [[nodiscard]] virtual std::string origin() const { return {}; }
};

/// A message channel: one end of an in-process pair, or stdio of a peer that somebody else watches.
[[nodiscard]] std::unique_ptr<Link> over_channel(
    runtime::Loop& loop, std::unique_ptr<transport::MessageChannel> channel);

struct ChildOptions {
  runtime::ProcessOptions process{};
  std::size_t stderr_bytes_max = 16 << 10;     ///< kept of the newest, shown on failure
  std::chrono::milliseconds stop_step{2'000};  ///< between closed stdin, SIGTERM and SIGKILL
};
/// A child process that speaks on stdin and stdout. Fails when the program can't be started.
[[nodiscard]] Result<std::unique_ptr<Link>> over_child(runtime::SystemLoop& loop,
                                                       ChildOptions options);

struct HttpLinkOptions {
  HttpHeaders headers{};               ///< sent with every request, such as an API key
  Authorizer* authorizer = nullptr;    ///< null: none
  transport::TlsTrust trust{};         ///< for https
  transport::ProxySettings proxies{};  ///< `from_environment` reads them
  bool sse_fallback = true;            ///< try HTTP+SSE of 2024-11-05 last
  std::size_t connections_max = 256;   ///< beyond it requests wait
  std::chrono::milliseconds connect_timeout{10'000};
};
/// Streamable HTTP at `url`, which is used to the letter. Fails when it is no http(s) URL.
[[nodiscard]] Result<std::unique_ptr<Link>> over_http(runtime::Loop& loop, std::string_view url,
                                                      HttpLinkOptions options = {});

}  // namespace squall::client
