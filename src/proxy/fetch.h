#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "squall/transport/http_pool.h"
#include "squall/transport/sse.h"

#include "event_blocks.h"
#include "reply.h"

namespace squall::proxy {

/// The headers of a message as they go on: without those of one connection (RFC 9110 section
/// 7.6.1), those that frame the message, and those that whoever sends it writes itself.
[[nodiscard]] Headers end_to_end(const Headers& headers);

/// Sets one header in the place of all of its name.
void set_header(Headers& headers, const std::string& name, std::string value);
/// The first of that name, any case; or null.
[[nodiscard]] const std::string* find_header(const Headers& headers, std::string_view name);

/// One request to a server over HTTP, and what comes of it.
class Fetch final : private transport::HttpClientHandler {
 public:
  /// Never called from inside `start`; any of these may destroy the fetch.
  class Owner {
   public:
    /// The response begins; its events or its body follow.
    virtual void on_head(std::uint64_t exchange, unsigned status, Headers headers, bool stream) = 0;
    /// A part of an event stream as it came, and the event it carries: `data` may be empty.
    virtual void on_event(std::uint64_t exchange, std::string_view block,
                          transport::SseReader::Event event) = 0;
    /// The whole body of a response that is no stream.
    virtual void on_body(std::uint64_t exchange, std::string body) = 0;
    /// An event stream has ended as it should.
    virtual void on_stream_end(std::uint64_t exchange) = 0;
    virtual void on_failed(std::uint64_t exchange, const std::string& why, bool sent) = 0;

   protected:
    ~Owner() = default;
  };
  /// `client` and `owner` outlive it.
  Fetch(transport::HttpClient& client, Owner& owner, std::uint64_t exchange,
        std::size_t message_bytes_max);
  ~Fetch();
  Fetch(const Fetch&) = delete;
  Fetch& operator=(const Fetch&) = delete;

  void start(const transport::Url& url, transport::HttpClientRequest request);

 private:
  void on_response(const transport::HttpClientResponse& response) override;
  void on_body(std::string_view bytes) override;
  void on_done() override;
  void on_failed(const Error& error, bool sent) override;

  transport::HttpClient& client_;
  Owner& owner_;
  std::uint64_t exchange_;
  std::size_t message_bytes_max_;
  EventBlocks blocks_;
  transport::SseReader events_;
  bool stream_ = false;
  bool too_large_ = false;
  std::string body_;
  std::optional<transport::HttpClient::Id> id_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // expires with us
};

}  // namespace squall::proxy
