#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/runtime/loop.h"

/// @file The peer's end of a connection: says what the script tells it to, and notes what it hears.

namespace squall::server::golden {

/// What a peer heard: a line of the transcript, and the JSON-RPC message in it when there is one.
struct Heard {
  std::string line;
  std::string message;
};

class Lane : public runtime::ByteStream::Receiver {
 public:
  explicit Lane(std::string its_name) : name(std::move(its_name)) {}
  virtual ~Lane() = default;
  void connect(std::unique_ptr<runtime::ByteStream> stream);
  [[nodiscard]] std::vector<Heard> take() { return std::exchange(heard_, {}); }
  void send(std::string_view bytes) { stream_->send(bytes); }
  void finish() { stream_->finish(); }
  void close();
  [[nodiscard]] bool connected() const noexcept { return stream_ != nullptr; }
  void on_end(runtime::End end) override;

  const std::string name;

 protected:
  void hear(std::string line, std::string message = {}) {
    heard_.push_back({std::move(line), std::move(message)});
  }

 private:
  std::unique_ptr<runtime::ByteStream> stream_;
  std::vector<Heard> heard_;
};

/// A peer that speaks in lines, as over stdio.
class LineLane final : public Lane {
 public:
  using Lane::Lane;
  void on_bytes(std::string_view bytes) override;

 private:
  std::string buffer_;
};

/// A peer that reads HTTP/1.1 responses: whole JSON bodies, or events as they come.
class HttpLane final : public Lane {
 public:
  HttpLane(std::string its_name, bool all_headers)
      : Lane(std::move(its_name)), all_headers_(all_headers) {}
  void on_bytes(std::string_view bytes) override;
  /// Forgets a connection that has gone, and what it left half read.
  void reset();
  /// A request is on its way; its response is read next.
  void expect() noexcept { busy_ = true; }
  [[nodiscard]] bool busy() const noexcept { return busy_; }
  [[nodiscard]] const std::string& session_id() const noexcept { return session_id_; }

 private:
  enum class State { head, length, chunk_size, chunk, chunk_end };
  bool step();
  bool read_head();
  void take_header(std::string_view header, std::string_view value, std::string& line);
  bool read_chunk_size();
  void take_body(std::string_view bytes);
  void end_body();

  const bool all_headers_;
  State state_ = State::head;
  std::string buffer_;
  std::string body_;
  std::string session_id_;
  std::size_t left_ = 0;
  bool chunked_ = false;
  bool events_ = false;
  bool busy_ = false;
};

}  // namespace squall::server::golden
