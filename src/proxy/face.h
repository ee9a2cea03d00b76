#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "squall/proxy/stdio_proxy.h"
#include "squall/runtime/loop.h"
#include "squall/transport/channel.h"

namespace squall::proxy {

/// What a client on stdio sees of its server's process: our stdin, stdout and stderr, and all that
/// can be wrong with them.
class Face final : private transport::MessageChannel::Receiver {
 public:
  class Owner {
   public:
    virtual void on_client_message(std::string text) = 0;
    virtual void on_client_oversize(std::size_t bytes_seen) = 0;
    /// The client has ended its direction, or is gone.
    virtual void on_client_end() = 0;
    /// All that waited for it has left.
    virtual void on_face_drained() = 0;

   protected:
    ~Owner() = default;
  };
  using Streams = StdioStreams;

  /// `owner` and `loop` outlive it.
  Face(runtime::Loop& loop, Streams streams, std::size_t line_bytes_max, Owner& owner);
  ~Face();
  Face(const Face&) = delete;
  Face& operator=(const Face&) = delete;

  void begin();
  void message(std::string_view bytes);  ///< a line
  void raw(std::string_view bytes);
  /// What the server or a fault writes to stderr; beyond 1 MiB that nobody reads, it is lost.
  void errors(std::string_view bytes);
  [[nodiscard]] std::size_t pending() const;
  void pause() { input_channel_->pause(); }
  void resume();

  // Faults.
  void split(std::size_t bytes, std::chrono::nanoseconds pause);
  void join() { joins_ = true; }
  void end_lines_with(std::string text) { end_of_line_ = std::move(text); }
  void close_input();
  void close_output();
  void stop_reading();
  /// Writes so much to stderr: at once as far as somebody reads it, or at so many bytes a second.
  void flood(std::uint64_t bytes, std::uint64_t rate);

  /// Ends stdout; what waits for it has a chance to leave.
  void finish();

 private:
  struct Drain;
  void on_message(std::string text) override { owner_.on_client_message(std::move(text)); }
  void on_oversize(std::size_t bytes_seen) override { owner_.on_client_oversize(bytes_seen); }
  void on_end(runtime::End end) override;
  void write(std::string bytes);
  void write_piece();
  void flush_joined();
  void on_errors_drained();

  runtime::Loop& loop_;
  Owner& owner_;
  std::unique_ptr<transport::MessageChannel> input_channel_;
  std::unique_ptr<Drain> output_drain_;
  std::unique_ptr<Drain> errors_drain_;
  std::unique_ptr<runtime::ByteStream> output_;
  std::unique_ptr<runtime::ByteStream> errors_;
  std::string end_of_line_ = "\n";
  std::size_t piece_ = 0;  // bytes a write; 0: all
  std::chrono::nanoseconds piece_pause_{};
  std::string pieces_;  // still to be written piece by piece, from `pieces_at_` on
  std::size_t pieces_at_ = 0;
  bool joins_ = false;
  std::string joined_;
  runtime::TimerId piece_timer_ = runtime::TimerId::none;
  runtime::TimerId join_timer_ = runtime::TimerId::none;
  runtime::TimerId flood_timer_ = runtime::TimerId::none;
  std::uint64_t flood_left_ = 0;
  std::uint64_t flood_rate_ = 0;
  bool finishing_ = false;
  bool output_closed_ = false;
  bool deaf_ = false;
  std::uint64_t errors_lost_ = 0;
};

}  // namespace squall::proxy
