#pragma once

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "squall/json/parse.h"
#include "squall/jsonrpc/message.h"
#include "squall/mcp/revision.h"
#include "squall/mcp/types.h"
#include "squall/runtime/loop.h"
#include "squall/runtime/one_shot.h"
#include "squall/runtime/task.h"
#include "squall/server/context.h"
#include "squall/server/outlet.h"

#include "pipeline.h"

namespace squall::server {

class HeaderSource;
class CallWatch;
class Session;

/// A message and the parsed text it views; shared by the messages of a batch.
struct Inbound {
  std::shared_ptr<const json::Document> document;
  jsonrpc::Message message;
};

/// One request from its arrival to its response. Lives on one loop; shared by whoever still waits
/// for something of it (its endpoint, a timer, a session's table of open questions).
class ServedRequest : public std::enable_shared_from_this<ServedRequest> {
 public:
  ServedRequest(Engine& engine, runtime::Loop& loop, std::shared_ptr<const Pipeline> pipeline,
                Inbound inbound, mcp::Revision revision, std::unique_ptr<Outlet> outlet,
                std::shared_ptr<Session> session);
  ~ServedRequest();
  ServedRequest(const ServedRequest&) = delete;
  ServedRequest& operator=(const ServedRequest&) = delete;

  [[nodiscard]] const jsonrpc::Id& id() const noexcept { return inbound_.message.id; }
  [[nodiscard]] std::string_view method() const noexcept { return inbound_.message.method; }
  /// An empty object when the message has none.
  [[nodiscard]] const json::Value& params() const noexcept;
  [[nodiscard]] const json::Value& meta() const noexcept;
  [[nodiscard]] mcp::Revision revision() const noexcept { return revision_; }
  [[nodiscard]] bool supports(mcp::Feature feature) const noexcept {
    return mcp::supports(revision_, feature);
  }
  [[nodiscard]] Engine& engine() const noexcept { return engine_; }
  /// What is served, as it was when the request came.
  [[nodiscard]] const Pipeline& pipeline() const noexcept { return *pipeline_; }
  [[nodiscard]] runtime::Loop& loop() const noexcept { return loop_; }
  [[nodiscard]] Session* session() const noexcept { return session_.get(); }
  [[nodiscard]] Context& context() noexcept { return context_; }
  [[nodiscard]] bool over() const noexcept { return over_; }
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }

  /// Sends something that comes before the response; nothing once the request is over.
  void send(std::string_view message, bool droppable);
  /// Lets go of the message but for its id: a large one needn't be kept beside its response. Its
  /// method, params and all that points into them are gone then.
  void forget_message();
  /// What the params point into, for whoever needs them longer than the request lives.
  [[nodiscard]] std::shared_ptr<const json::Document> message_text() const noexcept {
    return inbound_.document;
  }
  /// Begins the text of a response, up to where the members of its result go as JSON text; with
  /// room for `size` bytes of them and the usual end.
  [[nodiscard]] std::string begin_response(std::size_t size = 0) const;
  /// Ends that text behind the members, and sends it.
  void respond(std::string response);
  [[gnu::cold]] void respond_error(int code, std::string_view message,
                                   const json::Value* data = nullptr, int status = 200);
  /// Answers the caller for good while the handler goes on, whose own response `next` gets.
  void respond_and_go_on(std::string response, std::unique_ptr<Outlet> next);
  [[nodiscard]] bool is_task() const noexcept { return !task_id.empty(); }
  /// Ends the request without a response and destroys its handler where it waits.
  [[gnu::cold]] void cancel();
  /// Tells a legacy client that nobody waits for its answers any more.
  void withdraw_questions();
  /// The caller's connection is gone, and with it the request, unless that is a task by now.
  void lose_caller() {
    if (!is_task()) cancel();
  }
  /// Puts an outlet around the request's own.
  void around_outlet(const OutletWrapper& wrap) {
    if (!over_) outlet_ = wrap(std::move(outlet_));
  }

  /// Runs `task`, the rest of this request, until it ends or the request is cancelled.
  void start(Task<void> task);
  /// Stays alive without a task until it is answered or cancelled, as an open listen does.
  void park() { self_ = shared_from_this(); }

  /// Waits until every question noted by `ask` has its answer; legacy peers only.
  struct Answers {
    ServedRequest& request;
    [[nodiscard]] bool await_ready() const noexcept;
    void await_suspend(std::coroutine_handle<> waiter) noexcept;
    void await_resume() const noexcept {}
  };
  /// A client's answer to one of our questions.
  void answer(std::int64_t number, const std::string& key, ClientAnswer answer);
  /// Whoever waits for the answer to the request of ours with this number; null: nobody any more.
  void expect_answer(std::int64_t number, runtime::OneShot<ClientAnswer>* waiter);

  // What Context gives to handlers; see there.
  const json::Value* arguments = nullptr;
  std::string_view uri;
  mcp::UriTemplate::Variables variables;
  mcp::ClientCapabilities client;
  std::optional<mcp::LogLevel> log_level;  ///< of this request alone (2026-07-28)
  const json::Value* progress_token = nullptr;
  double last_progress = -1;
  bool may_become_task = false;
  std::string task_id;                    ///< once it is one
  std::string principal;                  ///< who asks; "" when nobody has found out
  const HeaderSource* headers = nullptr;  ///< until the request waits for the first time
  std::shared_ptr<void> own_context;      ///< what the registry's factory has made
  bool waits_forever = false;             ///< its handler waits for nothing but its end
  bool listens = false;                   ///< it is an open subscriptions/listen
  bool has_bad_progress_token = false;    ///< its token is neither text nor a whole number

  // Input from the client, see input.h.
  std::map<std::string, json::Value> answers;
  std::vector<std::pair<std::string, InputRequest>> questions;
  std::string state;                     ///< of the round before
  std::optional<std::string> new_state;  ///< for the next one
  std::size_t round = 0;
  bool keeps_state = false;  ///< a question of it always carries a state
  bool resumed =
      false;  ///< by a state of ours, it continues a call that has asked for input before
  std::optional<std::string> input_failure;  ///< a client's error instead of an answer
  std::size_t answers_due = 0;
  std::vector<std::int64_t> asked_ids;  ///< of our requests that are open

  /// Open calls of `Context::call_client`.
  std::map<std::int64_t, runtime::OneShot<ClientAnswer>*> client_calls;

  std::unique_ptr<CallWatch> watch;         ///< of a call that somebody observes
  std::move_only_function<void()> on_over;  ///< called once when the request has ended
  Outlet& outlet() noexcept { return *outlet_; }

 private:
  void end();
  /// Counts what this request holds while it waits, and gives up when all hold too much.
  void charge();
  Engine& engine_;
  runtime::Loop& loop_;
  std::shared_ptr<const Pipeline> pipeline_;  // shared with whoever serves it meanwhile
  Inbound inbound_;
  mcp::Revision revision_;
  std::unique_ptr<Outlet> outlet_;
  std::shared_ptr<Session> session_;
  Context context_;
  Task<void> task_;
  std::shared_ptr<ServedRequest> self_;  // while the task runs
  std::coroutine_handle<> answers_waiter_;
  std::shared_ptr<std::atomic<std::size_t>> charged_to_;  // of the engine, which may go before us
  std::size_t charged_ = 0;
  bool over_ = false;
  bool cancelled_ = false;
};

/// A request, in memory that comes from the thread's pool.
template <typename... Arguments>
[[nodiscard]] std::shared_ptr<ServedRequest> make_served_request(Arguments&&... arguments) {
  return std::allocate_shared<ServedRequest>(runtime::PoolAllocator<ServedRequest>(),
                                             std::forward<Arguments>(arguments)...);
}

}  // namespace squall::server
