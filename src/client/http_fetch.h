#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "squall/runtime/one_shot.h"
#include "squall/transport/http_pool.h"
#include "squall/transport/sse.h"

namespace squall::client {

/// One HTTP exchange: an event stream is handed on event by event, any other body is collected.
class HttpFetch final : private transport::HttpClientHandler {
 public:
  class Sink {
   public:
    /// The head has come. The fetch may be destroyed in neither of these calls.
    virtual void on_opened(const transport::HttpClientResponse& response) = 0;
    virtual void on_event(transport::SseReader::Event&& event) = 0;
    /// Credentials are being fetched, or are there.
    virtual void on_admission(bool waiting) { static_cast<void>(waiting); }
    /// Whether the request is still to be sent.
    [[nodiscard]] virtual bool wanted() const { return true; }

   protected:
    ~Sink() = default;
  };

  /// How it ended.
  struct End {
    transport::HttpClientResponse response{};  ///< status 0 when there was none
    std::string body{};                        ///< of anything but an event stream
    bool is_stream = false;
    std::optional<Error> error{};  ///< it didn't end as HTTP says it does
    bool sent = true;              ///< whether the server may have seen the request
    std::string last_event_id{};   ///< of a stream
    std::optional<std::uint32_t> retry_ms{};
  };

  /// `http` outlives it.
  HttpFetch(runtime::Loop& loop, transport::HttpClient& http, std::size_t bytes_max, Sink& sink)
      : http_(http), sink_(sink), reader_(bytes_max), end_(loop) {}
  ~HttpFetch();
  HttpFetch(const HttpFetch&) = delete;
  HttpFetch& operator=(const HttpFetch&) = delete;

  /// Redirects are answers like any other: each hop needs credentials of its own.
  void start(const transport::Url& url, transport::HttpClientRequest request);
  /// Awaited once.
  [[nodiscard]] runtime::OneShot<End>& end() noexcept { return end_; }
  /// Drops the request; it ends as it stands.
  void abort();
  [[nodiscard]] bool is_stream() const noexcept { return now_.is_stream; }

 private:
  void on_response(const transport::HttpClientResponse& response) override;
  void on_body(std::string_view bytes) override;
  void on_done() override { finish(); }
  void on_failed(const Error& error, bool sent) override;
  void finish();

  transport::HttpClient& http_;
  Sink& sink_;
  transport::SseReader reader_;
  End now_;
  runtime::OneShot<End> end_;
  std::optional<transport::HttpClient::Id> under_way_;
};

/// Whether the media type of a Content-Type is `type`, whatever its parameters.
[[nodiscard]] bool has_media_type(const transport::HttpClientResponse& response,
                                  std::string_view type);

}  // namespace squall::client
