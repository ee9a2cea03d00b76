#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "squall/jsonrpc/message.h"
#include "squall/mcp/revision.h"
#include "squall/mcp/types.h"
#include "squall/runtime/loop.h"

namespace squall::server {

class ServedRequest;
class SessionStreams;

/// One client's handshake and what follows from it: a connection's over stdio, an id's over HTTP.
/// Safe to use from any loop.
class Session : public std::enable_shared_from_this<Session> {
 public:
  /// Sends a message that belongs to no request: to the connection, or to the GET stream.
  using Push = std::function<void(std::string message)>;

  Session(std::string session_id, mcp::Revision negotiated, mcp::ClientCapabilities declared);
  ~Session();

  const std::string id;
  const mcp::Revision revision;
  const mcp::ClientCapabilities client;
  std::atomic<bool> initialized = false;
  std::atomic<runtime::TimePoint> last_used = runtime::TimePoint{};
  std::atomic<mcp::LogLevel> log_level = mcp::LogLevel::info;
  std::unique_ptr<SessionStreams> streams;  ///< over HTTP; set once, when the session is made

  void set_push(Push push);
  void push(std::string message);

  /// False when the limit is reached.
  [[nodiscard]] bool subscribe(std::string_view uri, std::size_t limit);
  void unsubscribe(std::string_view uri);
  [[nodiscard]] bool subscribed(std::string_view uri) const;

  /// Takes an id for a request that is about to be under way; false when it is taken, or too many
  /// are. Whoever got it gives it back by `end`.
  [[nodiscard]] bool reserve(const jsonrpc::Id& request, std::size_t limit);
  /// From here on a request that has its id can be cancelled.
  void begin(const std::shared_ptr<ServedRequest>& request);
  void end(const jsonrpc::Id& request);
  /// Cancels a request that is under way, on its own loop. Unknown ids are ignored.
  void cancel(const jsonrpc::Id& request);
  /// Cancels what is under way and lets nothing begin any more.
  void close();

  /// A connection that the client holds: a call that waits for its reply, or a GET stream. While
  /// there is one the session is in use; one whose client has gone away keeps nothing in use.
  class Attachment {
   public:
    Attachment(std::shared_ptr<Session> session, runtime::Loop& loop);
    Attachment(Attachment&&) noexcept = default;
    Attachment& operator=(Attachment&&) = delete;
    ~Attachment();

   private:
    std::shared_ptr<Session> session_;
    runtime::Loop* loop_;
  };
  [[nodiscard]] bool attached() const noexcept { return attachments_.load() != 0; }

  /// Gives the id for a question to the client that `request` asks under `key`.
  [[nodiscard]] std::int64_t ask(const std::shared_ptr<ServedRequest>& request, std::string key);
  void forget_questions(std::span<const std::int64_t> ids);
  /// Whether a question still waits for its answer.
  [[nodiscard]] bool is_open(std::int64_t question) const;
  /// Hands a client's response to whoever asked; false when nobody did.
  bool deliver(const jsonrpc::Message& response);

 private:
  struct Question {
    std::weak_ptr<ServedRequest> request;
    runtime::Loop* loop;
    std::string key;
  };
  struct UnderWay {
    std::weak_ptr<ServedRequest> request;
    runtime::Loop* loop = nullptr;  // null before it has begun
  };
  std::atomic<std::size_t> attachments_ = 0;
  mutable std::mutex mutex_;
  bool closed_ = false;
  Push push_;
  std::set<std::string, std::less<>> subscriptions_;
  std::map<jsonrpc::Id, UnderWay> under_way_;
  std::map<std::int64_t, Question> questions_;
  std::int64_t next_question_ = 1;
};

}  // namespace squall::server
