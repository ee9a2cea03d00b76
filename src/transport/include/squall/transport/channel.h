#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "squall/runtime/loop.h"

/// @file A two-way channel of whole JSON-RPC messages as text: stdio's lines, an in-process pair.

namespace squall::transport {

class MessageChannel {
 public:
  /// Any of these calls may destroy the channel and the receiver.
  class Receiver {
   public:
    virtual void on_message(std::string text) = 0;
    /// A message was larger than the channel's limit and has been skipped.
    virtual void on_oversize(std::size_t bytes_seen) = 0;
    /// The peer will send no more. Called at most once; we may still send after `finished`.
    virtual void on_end(runtime::End end) = 0;
    /// All that was sent has left.
    virtual void on_drained() {}

   protected:
    ~Receiver() = default;
  };

  virtual ~MessageChannel() = default;
  MessageChannel() = default;
  MessageChannel(const MessageChannel&) = delete;
  MessageChannel& operator=(const MessageChannel&) = delete;

  virtual void start(Receiver& receiver) = 0;
  /// Sends one message: JSON text without line breaks (LF or CR) in it.
  virtual void send(std::string_view message) = 0;
  [[nodiscard]] virtual std::size_t pending() const = 0;
  /// Stops and restarts reading; messages that have been read already may still come.
  virtual void pause() = 0;
  virtual void resume() = 0;
  /// Ends our direction once what was sent has left.
  virtual void finish() = 0;
  virtual void close() = 0;
};

struct LineLimits {
  std::size_t line_bytes_max = 16 << 20;
};

/// Messages as lines over a byte stream: UTF-8, one LF behind each, a CR before it tolerated, a
/// byte order mark at the very start skipped, empty lines skipped. A line beyond the limit is
/// skipped to its end without being held, and reported. A last line that the end of the stream
/// ends counts as a message.
[[nodiscard]] std::unique_ptr<MessageChannel> make_line_channel(
    std::unique_ptr<runtime::ByteStream> stream, LineLimits limits = {});

/// Two channels in one process, each delivering to the other on `loop`. Closing or destroying one
/// ends the other as `finished`.
struct ChannelPair {
  std::unique_ptr<MessageChannel> first;
  std::unique_ptr<MessageChannel> second;
};
[[nodiscard]] ChannelPair make_channel_pair(runtime::Loop& loop);

}  // namespace squall::transport
