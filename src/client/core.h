#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "squall/client/link.h"
#include "squall/client/options.h"
#include "squall/client/outcome.h"
#include "squall/jsonrpc/message.h"
#include "squall/runtime/loop.h"
#include "squall/runtime/one_shot.h"
#include "squall/runtime/task.h"

#include "cancellable.h"
#include "envelope.h"

namespace squall::client {

/// A request as the protocol's parts put it together.
class Request {
 public:
  Request(std::string_view its_method, std::string its_members, CallOptions its_options)
      : method(its_method), members(std::move(its_members)), options(std::move(its_options)) {}

  std::string method;
  std::string members;  ///< of `params`, JSON text without braces, without `_meta`
  CallOptions options;
  HttpHeaders headers{};     ///< Mcp-Param-*; the others follow from method and `name`
  std::string name{};        ///< what Mcp-Name says, if the method has one
  bool safe = true;          ///< may be sent again when nobody knows what became of it
  bool withdrawable = true;  ///< may be cancelled by a notification
  bool handshake = false;    ///< doesn't wait for the handshake, being part of it
  bool endless = false;      ///< a subscription: no deadline
  std::function<void(std::uint64_t)> on_sent{};  ///< told the id
};

class Exchange;

/// The pending table: sends what is asked, and judges what comes in. Everything unexpected is
/// reported, and nothing but the response to a request under way ever settles one.
class Core final : public Link::Receiver {
 public:
  /// Where what isn't a response goes.
  class Peer {
   public:
    virtual void on_notification(const jsonrpc::Message& message, std::uint64_t key) = 0;
    virtual void on_request(const jsonrpc::Message& message) = 0;
    virtual void on_gap() = 0;
    virtual void on_over() = 0;

   protected:
    ~Peer() = default;
  };

  Core(runtime::Loop& loop, std::unique_ptr<Link> link, const Options& options, Peer& peer);
  ~Core();

  [[nodiscard]] runtime::Loop& loop() noexcept { return loop_; }
  [[nodiscard]] Link& link() noexcept { return *link_; }
  [[nodiscard]] const Options& options() const noexcept { return options_; }
  [[nodiscard]] const Envelope& envelope() const noexcept { return envelope_; }
  void set_revision(mcp::Revision revision);

  /// Sends `request` once and waits for what becomes of it.
  Task<Outcome<Answer>> exchange(const Request& request);
  void notify(std::string_view method, std::string_view members);
  /// Sends a notification and waits until the transport has got rid of it.
  Task<std::optional<Loss>> deliver(std::string_view method, std::string_view members);
  /// Changes over to the transport of 2024-11-05; the loss when there is none.
  Task<std::optional<Loss>> fall_back_to_sse();
  /// Sends the response to a request of the server.
  void respond(std::string text);

  void report(Report::Kind kind, std::string text);
  /// Fails everything under way, and everything later.
  void end(Loss loss);
  [[nodiscard]] const std::optional<Loss>& over() const noexcept { return over_; }
  /// Drops the link, once nothing needs it any more.
  Task<void> close_link();

  void on_message(std::string text, std::uint64_t key, bool last) override;
  void on_lost(std::uint64_t key, Loss loss) override;
  void on_taken(std::uint64_t ticket, std::optional<Loss> loss) override;
  void on_over(Loss loss) override;
  void on_gap() override { peer_.on_gap(); }
  void on_report(Report report) override { this->report(report.kind, std::move(report.text)); }
  void on_http(std::string_view method, int status) override;
  void on_admission(std::uint64_t key, bool waiting) override;

  /// We think about a question of the server's meanwhile, perhaps a person does: the deadlines of
  /// what is under way wait, but for those on all time.
  class Thinking {
   public:
    explicit Thinking(Core& core) : core_(core) { ++core_.thinking_; }
    ~Thinking() { core_.thought(); }
    Thinking(const Thinking&) = delete;
    Thinking& operator=(const Thinking&) = delete;

   private:
    Core& core_;
  };

 private:
  friend class Exchange;
  class Ticket;

  [[nodiscard]] bool send(Exchange& exchange);
  void withdraw(Exchange& exchange, std::string_view reason);
  void settle(Exchange& exchange, Outcome<Answer> outcome);
  void judge(json::Document document, std::uint64_t key, bool last);
  void take_response(json::Document document, const jsonrpc::Message& message, std::uint64_t key,
                     bool last);
  [[nodiscard]] Exchange* find(std::uint64_t id);
  [[nodiscard]] Exchange* asked_by(const jsonrpc::Message& message, const json::Value* id);
  void report_stray(const jsonrpc::Message& message, const json::Value* id);
  void malformed(std::string_view text, std::string_view why, std::uint64_t key, bool last);
  void take_notification(const jsonrpc::Message& message, std::uint64_t key);
  void take_progress(const json::Value* params);
  [[nodiscard]] HttpHeaders headers_of(const Request& request) const;
  void transmit(Outgoing message);
  /// A person has answered; when it was the last, what waits gets its whole time again.
  void thought();

  runtime::Loop& loop_;
  std::unique_ptr<Link> link_;
  const Options& options_;
  Peer& peer_;
  Envelope envelope_;
  std::unordered_map<std::uint64_t, Exchange*> pending_;
  std::deque<std::uint64_t> withdrawn_;  // the last few, whose responses are late rather than odd
  std::uint64_t next_id_ = 1;
  std::uint64_t next_ticket_ = 1;
  std::vector<Ticket*> tickets_;
  std::optional<Loss> over_;
  std::uint64_t malformed_count_ = 0;
  unsigned thinking_ = 0;
  std::string malformed_last_;  // of the last malformed message, for those that time out
};

/// One request under way, on the stack of the coroutine that waits for it.
class Exchange final : public Cancellable {
 public:
  Exchange(Core& core, const Request& request);
  ~Exchange() override;

  [[nodiscard]] auto outcome() { return shot_.operator co_await(); }
  void on_cancelled() override;

 private:
  friend class Core;
  void arm();
  void hold(bool waiting);
  void on_time();
  void progressed();
  void put_off();

  Core& core_;
  runtime::Loop& loop_;
  const Request& request_;
  std::uint64_t id_ = 0;  // 0: not in the table
  runtime::OneShot<Outcome<Answer>> shot_;
  runtime::TimePoint deadline_;
  runtime::TimePoint last_moment_ = runtime::TimePoint::max();
  runtime::TimerId timer_ = runtime::TimerId::none;
  std::uint64_t malformed_before_ = 0;
  bool held_ = false;  // credentials are being fetched: the server's time stands still
};

[[nodiscard]] Failure lost(Loss loss);
[[nodiscard]] Failure protocol_error(const json::Value& error);
[[nodiscard]] Failure invalid(std::string message);

}  // namespace squall::client
