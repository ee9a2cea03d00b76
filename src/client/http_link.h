#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "squall/client/link.h"
#include "squall/runtime/task_set.h"
#include "squall/transport/http_pool.h"
#include "squall/transport/url.h"

#include "http_fetch.h"

namespace squall::client {

/// Streamable HTTP, both eras: each message a POST, each reply JSON or a stream; one GET stream for
/// a legacy session; streams of 2025-11-25 resumed where they broke. Falls back to HTTP+SSE.
class HttpLink final : public Link {
 public:
  HttpLink(runtime::Loop& loop, transport::Url url, std::string text, HttpLinkOptions options);

  void start(Receiver& receiver, const Options& options) override;
  void send(Outgoing message) override;
  void abandon(std::uint64_t key, bool close) override;
  void set_revision(mcp::Revision revision) override { revision_ = revision; }
  void open_stream() override;
  void forget_session() override;
  bool fall_back_to_sse(std::uint64_t ticket) override;
  void close(std::move_only_function<void()> done) override;
  [[nodiscard]] bool congested() const override;
  [[nodiscard]] bool is_http() const override { return !sse_mode_; }
  [[nodiscard]] std::string origin() const override;

 private:
  class Lane;
  class Ear;

  /// What a request is, apart from authorization.
  struct Ask {
    std::string method;
    HttpHeaders headers;
    std::string body;
    bool with_session = true;
  };
  /// Sends it with credentials, following challenges and redirects; `fetch` is the one under way.
  Task<HttpFetch::End> perform(Ask ask, HttpFetch::Sink& sink, std::unique_ptr<HttpFetch>& fetch);
  [[nodiscard]] Result<std::string> redirected(const HttpFetch::End& end,
                                               const std::string& target) const;
  [[nodiscard]] HttpHeaders common_headers(bool with_session) const;
  [[nodiscard]] std::string url_of(const std::string& target) const;

  Task<void> post(std::shared_ptr<Lane> lane, Outgoing message);
  Task<void> settle(Lane& lane, HttpFetch::End end, bool sessioned);
  Task<void> resume(Lane& lane, HttpFetch::End end);
  void settle_body(Lane& lane, HttpFetch::End end, bool sessioned);
  void lose(Lane& lane, Loss loss);
  [[nodiscard]] std::optional<std::int64_t> retry_after_ms(
      const transport::HttpClientResponse& response) const;
  [[nodiscard]] Loss loss_of(const HttpFetch::End& end, bool sessioned) const;
  [[nodiscard]] bool resumes() const;

  Task<void> listen();
  Task<void> listen_sse(std::uint64_t ticket);
  [[nodiscard]] runtime::Duration pause(unsigned attempt, std::optional<std::int64_t> asked) const;
  Task<void> say_goodbye(std::move_only_function<void()> done);
  void report(Report::Kind kind, std::string text) {
    receiver_->on_report({kind, std::move(text)});
  }

  runtime::Loop& loop_;
  const transport::Url url_;
  const std::string text_;
  const HttpLinkOptions http_;
  Receiver* receiver_ = nullptr;
  const Options* options_ = nullptr;
  mcp::Revision revision_ = mcp::kLatestModern;
  std::string target_;   // where to send: the URL's, until a redirect for good
  std::string session_;  // "" without one
  std::unique_ptr<transport::HttpClient> client_;
  std::map<std::uint64_t, std::shared_ptr<Lane>> lanes_;
  bool sse_mode_ = false;
  runtime::TaskSet posts_;
  runtime::TaskSet listening_;
};

}  // namespace squall::client
