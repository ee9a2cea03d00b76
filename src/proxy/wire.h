#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "squall/inject/command.h"
#include "squall/runtime/loop.h"

#include "slowly.h"

namespace squall::proxy {

/// A client's connection with what can be wrong with it. The HTTP server gets a handle, and may let
/// go of it while the last bytes still trickle out.
class Wire final : public std::enable_shared_from_this<Wire>,
                   private runtime::ByteStream::Receiver {
 public:
  /// `on_over` is told once, from the loop, when the connection is gone.
  Wire(runtime::Loop& loop, std::unique_ptr<runtime::ByteStream> stream, std::uint64_t number,
       std::function<void(std::uint64_t)> on_over);
  ~Wire();
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  /// What the HTTP server is to take for the connection. Its `peer()` is `name()`.
  [[nodiscard]] std::unique_ptr<runtime::ByteStream> handle();
  [[nodiscard]] std::string name() const { return "connection " + std::to_string(number_); }
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

  /// Carries out what befalls the connection; `refuse`, `close` and `ignore` before it is served.
  void befall(const inject::Line& line);
  /// Whether it is to be served at all.
  [[nodiscard]] bool served() const noexcept { return served_; }

  /// From now on nothing of the HTTP server's goes out: somebody writes a response by hand, and the
  /// connection is of no use behind it.
  void take_over();
  void write(std::string_view bytes);  ///< of that response
  [[nodiscard]] std::size_t pending() const;
  /// Ends it behind what is written: as a close is, or by a reset.
  void end(bool reset);
  /// A response has been written whole, by whomever.
  void response_over();

 private:
  class Handle;
  /// One direction that trickles.
  struct Trickle {
    std::shared_ptr<Slowly> queue;
    std::size_t held = 0;
    unsigned turns = 0;
  };

  void on_bytes(std::string_view bytes) override;
  void on_end(runtime::End end) override;
  void on_drained() override;
  void on_peer_finished() override;

  void send(std::string_view bytes);  // past what befalls responses
  void send_slowly(Trickle& way, std::string_view bytes, std::function<void(std::string)> arrive);
  void close_now(bool reset);
  void close_in_time(bool reset);
  void tell_over();

  runtime::Loop& loop_;
  std::unique_ptr<runtime::ByteStream> stream_;
  std::uint64_t number_;
  std::function<void(std::uint64_t)> on_over_;
  runtime::ByteStream::Receiver* receiver_ = nullptr;  // the HTTP server's
  bool served_ = true;
  bool taken_over_ = false;
  bool deaf_ = false;
  bool mute_ = false;
  bool closed_ = false;
  bool closing_ = false;
  bool told_ = false;
  std::optional<inject::Line> reset_;  // still to come
  std::uint64_t response_bytes_ = 0;
  std::chrono::nanoseconds close_delay_{};
  inject::Pace pace_;
  Trickle in_;
  Trickle out_;
};

}  // namespace squall::proxy
