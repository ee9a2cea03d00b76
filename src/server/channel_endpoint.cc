#include <map>

#include "squall/mcp/names.h"
#include "squall/runtime/frame_pool.h"
#include "squall/server/serve.h"

#include "batch.h"
#include "dispatch.h"
#include "document_slot.h"
#include "engine_state.h"
#include "envelope.h"
#include "handshake.h"
#include "logging.h"
#include "weak_set.h"

namespace squall::server {

namespace {

/// Reading stops while this much waits to be read by the peer, and goes on when it has left.
constexpr std::size_t kPendingBytesMax = 4 << 20;
/// Subscriptions end from here on.
constexpr std::size_t kChokedBytesMax = 64 << 20;
/// Progress and log messages are dropped from here on.
constexpr std::size_t kDroppableBytesMax = 1 << 20;
/// How long what is under way may go on once the peer has sent its last message.
constexpr std::chrono::seconds kDrainMax{60};
constexpr std::string_view kStopping = "the server is stopping";

class Connection;

/// One request's way back over the channel.
class ChannelOutlet final : public Outlet {
 public:
  ChannelOutlet(std::weak_ptr<Connection> connection, jsonrpc::Id id)
      : connection_(std::move(connection)), id_(std::move(id)) {}
  static void* operator new(std::size_t bytes) { return runtime::allocate_pooled(bytes); }
  static void operator delete(void* outlet, std::size_t bytes) noexcept {
    runtime::free_pooled(outlet, bytes);
  }
  void send(std::string_view message, bool droppable) override;
  void finish(int status, std::string_view response) override;
  void abandon() override;
  void cut(Cut how, std::string_view last) override;
  [[nodiscard]] bool carries_requests() const override { return true; }
  [[nodiscard]] bool choked(std::size_t share) const override;

 private:
  std::weak_ptr<Connection> connection_;
  jsonrpc::Id id_;
};

/// One peer: its legacy session when it has shaken hands, its requests of either era.
class Connection final : public std::enable_shared_from_this<Connection>,
                         public transport::MessageChannel::Receiver {
 public:
  Connection(runtime::Loop& loop, Engine& engine,
             std::unique_ptr<transport::MessageChannel> channel)
      : loop_(loop), engine_(engine), channel_(std::move(channel)) {}

  void start() { channel_->start(*this); }
  void stop(bool all);
  void end();
  void on_done(std::move_only_function<void()> handler) {
    done_ = std::move(handler);
    check_done();
  }
  void write(std::string_view message, bool droppable);
  [[nodiscard]] std::size_t pending() const { return channel_->pending(); }
  void ended(const jsonrpc::Id& id);
  void cut(Cut how, std::string_view last);

  void on_message(std::string text) override;
  void on_oversize(std::size_t bytes_seen) override;
  void on_end(runtime::End end) override;
  void on_drained() override;

 private:
  [[gnu::cold]] void write_error(const jsonrpc::Id& id, int code, std::string_view message,
                                 const json::Value* data = nullptr);
  void take(Inbound inbound);
  [[gnu::cold]] void take_batch(const std::shared_ptr<json::Document>& document);
  void serve(Inbound inbound);
  [[gnu::cold]] void initialize(const jsonrpc::Message& message);
  std::shared_ptr<ServedRequest> make_request(Inbound inbound, mcp::Revision revision,
                                              std::unique_ptr<Outlet> outlet);
  bool begin(const std::shared_ptr<ServedRequest>& request);
  void cancel(const jsonrpc::Message& message);
  [[nodiscard]] std::vector<std::shared_ptr<ServedRequest>> requests(bool only_waiting) const;
  void cancel_all();
  void end_all(bool only_waiting);
  void cancel_tasks();
  void check_done();

  runtime::Loop& loop_;
  Engine& engine_;
  std::unique_ptr<transport::MessageChannel> channel_;
  std::shared_ptr<Session> session_;
  DocumentSlot documents_;
  PipelineView pipelines_{engine_.state()};
  using UnderWay = std::pair<const jsonrpc::Id, std::weak_ptr<ServedRequest>>;
  std::map<jsonrpc::Id, std::weak_ptr<ServedRequest>, std::less<>, runtime::PoolAllocator<UnderWay>>
      under_way_;
  WeakSet<ServedRequest> tasks_;  // answered, but going on
  std::move_only_function<void()> done_;
  runtime::TimerId drain_timer_ = runtime::TimerId::none;
  bool paused_ = false;
  bool stopping_ = false;
  bool input_over_ = false;
  bool finished_ = false;
};

void ChannelOutlet::send(std::string_view message, bool droppable) {
  if (const auto connection = connection_.lock()) connection->write(message, droppable);
}

void ChannelOutlet::finish(int, std::string_view response) {
  const auto connection = connection_.lock();
  if (!connection) return;
  connection->write(response, false);
  connection->ended(id_);
}

// All that a connection carries waits in one queue, whatever there are of subscriptions.
bool ChannelOutlet::choked(std::size_t /*share*/) const {
  const auto connection = connection_.lock();
  return connection && connection->pending() > kChokedBytesMax;
}

void ChannelOutlet::abandon() {
  if (const auto connection = connection_.lock()) connection->ended(id_);
}

void ChannelOutlet::cut(Cut how, std::string_view last) {
  const auto connection = connection_.lock();
  if (!connection) return;
  connection->ended(id_);
  connection->cut(how, last);
}

/// A pipe knows no reset: it closes.
void Connection::cut(Cut how, std::string_view last) {
  if (finished_) return;
  if (!last.empty()) channel_->send(last);
  finished_ = true;
  channel_->finish();
  if (how == Cut::half_close) return;
  input_over_ = true;
  // The request that asked for this is still on the stack.
  loop_.post([weak = weak_from_this()] {
    const auto connection = weak.lock();
    if (!connection) return;
    connection->cancel_all();
    connection->channel_->close();
    connection->check_done();
  });
}

void Connection::write(std::string_view message, bool droppable) {
  if (finished_ || (droppable && channel_->pending() > kDroppableBytesMax)) return;
  channel_->send(message);
  if (!paused_ && channel_->pending() > kPendingBytesMax) {
    paused_ = true;
    channel_->pause();
  }
}

void Connection::write_error(const jsonrpc::Id& id, int code, std::string_view message,
                             const json::Value* data) {
  std::string text;
  jsonrpc::write_error(text, id, code, message, data);
  write(text, false);
}

void Connection::on_drained() {
  if (std::exchange(paused_, false) && !stopping_) channel_->resume();
  check_done();
}

void Connection::on_message(std::string text) {
  if (text.find_first_not_of(" \t\r") == std::string::npos) return;  // as good as an empty line
  const std::size_t bytes = text.size();
  const std::string excerpt = excerpt_of(engine_, text);
  auto document = documents_.take(bytes);
  if (const auto parsed = document->parse(std::move(text)); !parsed) {
    log_bad_message(engine_, "parse error", bytes, excerpt);
    return write_error({}, jsonrpc::code::kParseError, "parse error: " + parsed.error().text());
  }
  if (document->root().is_array()) return take_batch(document);
  auto message = jsonrpc::read_message(document->root());
  if (!message) {
    const jsonrpc::BadMessage& bad = message.error();
    log_bad_message(engine_, bad.message, bytes, excerpt);
    return write_error(bad.id, bad.code, bad.message);
  }
  take({std::move(document), std::move(*message)});
}

void Connection::on_oversize(std::size_t bytes_seen) {
  log_bad_message(engine_, "too large", bytes_seen, {});
  write_error({}, jsonrpc::code::kParseError,
              "the message is too large (" + std::to_string(bytes_seen) + " bytes or more)");
}

void Connection::take(Inbound inbound) {
  if (inbound.message.kind == jsonrpc::MessageKind::request) return serve(std::move(inbound));
  const jsonrpc::Message& message = inbound.message;
  log_one_way(engine_, message);
  if (message.kind == jsonrpc::MessageKind::notification &&
      message.method == mcp::notification::kCancelled) {
    return cancel(message);
  }
  if (session_) take_one_way(*session_, message);
}

void Connection::serve(Inbound inbound) {
  const jsonrpc::Message& message = inbound.message;
  const jsonrpc::Id id = message.id;
  if (stopping_) return write_error(id, jsonrpc::code::kInternalError, kStopping);
  mcp::Revision revision = session_ ? session_->revision : mcp::kLatestLegacy;
  Envelope envelope;
  const bool modern = claims_modern(message);
  if (modern) {
    const auto checked = check_modern(message, *pipelines_.current(), nullptr);
    if (!checked) {
      const Refusal& why = checked.error();
      return write_error(id, why.code, why.message, why.data.is_null() ? nullptr : &why.data);
    }
    envelope = *checked;
    revision = envelope.revision;
  } else if (message.method == mcp::method::kInitialize) {
    return initialize(message);
  } else if (!session_ && engine_.options().strict && message.method != mcp::method::kPing) {
    return write_error(id, jsonrpc::code::kInvalidRequest, "initialize comes first");
  }
  auto request = make_served_request(
      engine_, loop_, pipelines_.current(), std::move(inbound), revision,
      std::make_unique<ChannelOutlet>(weak_from_this(), id), modern ? nullptr : session_);
  if (modern) {
    request->client = envelope.client;
    request->log_level = envelope.log_level;
  } else if (session_) {
    request->client = session_->client;
  }
  if (begin(request)) dispatch(request);
}

bool Connection::begin(const std::shared_ptr<ServedRequest>& request) {
  const bool room = under_way_.size() < engine_.options().requests_max;
  if (room && under_way_.try_emplace(request->id(), request).second) return true;
  // Written past the outlet, which would take the request with the same id for ended.
  write_error(request->id(), jsonrpc::code::kInvalidRequest,
              room ? "this id is in use" : "too many requests are under way");
  return false;
}

void Connection::initialize(const jsonrpc::Message& message) {
  if (session_) {
    return write_error(message.id, jsonrpc::code::kInvalidRequest, "already initialized");
  }
  const auto hello = read_initialize(message);
  if (!hello) return write_error(message.id, hello.error().code, hello.error().message);
  session_ = std::make_shared<Session>("", hello->revision, hello->client);
  session_->set_push([weak = weak_from_this(), &loop = loop_](std::string text) {
    loop.post([weak, text = std::move(text)] {
      if (const auto connection = weak.lock()) connection->write(text, false);
    });
  });
  engine_.state().add_channel_session(session_);
  log_session(engine_, *session_, "session_opened");
  std::string response;
  jsonrpc::write_result(response, message.id,
                        initialize_members(*pipelines_.current(), hello->revision));
  write(response, false);
}

void Connection::take_batch(const std::shared_ptr<json::Document>& document) {
  const std::span<const json::Value> items = document->root().items();
  if (!session_ || !mcp::supports(session_->revision, mcp::Feature::batches) || items.empty() ||
      items.size() > kBatchMessagesMax) {
    return write_error({}, jsonrpc::code::kInvalidRequest,
                       "a batch may come in 2025-03-26 alone, and has 1 to 100 messages");
  }
  const auto batch =
      std::make_shared<Batch>(std::make_unique<ChannelOutlet>(weak_from_this(), jsonrpc::Id()),
                              [weak = weak_from_this()](Outlet&, std::string responses) {
                                const auto connection = weak.lock();
                                if (connection && !responses.empty())
                                  connection->write(responses, false);
                                if (connection) connection->check_done();
                              });
  for (const json::Value& item : items) {
    auto message = batch->read(item);
    if (!message) continue;
    if (message->kind != jsonrpc::MessageKind::request) {
      take({document, std::move(*message)});
    } else {
      const jsonrpc::Id id = message->id;
      if (under_way_.contains(id) || under_way_.size() >= engine_.options().requests_max) {
        batch->refuse(id, "this id is in use");
        continue;
      }
      auto ended = [weak = weak_from_this(), id] {
        if (const auto connection = weak.lock()) connection->ended(id);
      };
      const auto request = make_served_request(
          engine_, loop_, pipelines_.current(), Inbound{document, std::move(*message)},
          session_->revision, std::make_unique<BatchOutlet>(batch, std::move(ended)), session_);
      request->client = session_->client;
      under_way_.emplace(id, request);
      dispatch(request);
    }
  }
}

void Connection::cancel(const jsonrpc::Message& message) {
  const json::Value* id = message.params != nullptr ? message.params->find("requestId") : nullptr;
  if (id == nullptr) return;
  const auto it = under_way_.find(jsonrpc::Id::from(*id));
  if (it == under_way_.end()) return;
  if (const auto request = it->second.lock()) request->cancel();
}

void Connection::ended(const jsonrpc::Id& id) {
  if (const auto it = under_way_.find(id); it != under_way_.end()) {
    const auto request = it->second.lock();
    if (request && request->is_task()) tasks_.add(request);
    under_way_.erase(it);
  }
  check_done();
}

/// Nobody but the peer of this connection can ask for them.
void Connection::cancel_tasks() {
  tasks_.for_each([](ServedRequest& request) { request.cancel(); });
}

/// Those under way, or of these the ones that nothing but the peer could end.
std::vector<std::shared_ptr<ServedRequest>> Connection::requests(bool only_waiting) const {
  std::vector<std::shared_ptr<ServedRequest>> found;
  for (const auto& [id, weak] : under_way_) {
    auto request = weak.lock();
    if (request && (!only_waiting || request->waits_forever || request->answers_due != 0)) {
      found.push_back(std::move(request));
    }
  }
  return found;
}

void Connection::cancel_all() {
  for (const auto& request : requests(false)) request->cancel();
}

/// Answers them: a listen with its result, the others with the error that we stop.
void Connection::end_all(bool only_waiting) {
  for (const auto& request : requests(only_waiting)) {
    if (request->listens) {
      end_listen(*request);
    } else {
      request->withdraw_questions();
      request->respond_error(jsonrpc::code::kInternalError, kStopping);
    }
  }
}

void Connection::stop(bool all) {
  input_over_ = true;
  if (!std::exchange(stopping_, true)) channel_->pause();
  end_all(!all);
  cancel_tasks();
  check_done();
}

void Connection::on_end(runtime::End end) {
  input_over_ = true;
  if (end == runtime::End::reset) {
    finished_ = true;
    cancel_all();
  } else {
    end_all(true);
  }
  cancel_tasks();
  if (!under_way_.empty() || channel_->pending() != 0) {
    drain_timer_ = loop_.call_after(kDrainMax, [weak = weak_from_this()] {
      const auto connection = weak.lock();
      if (!connection) return;
      connection->drain_timer_ = runtime::TimerId::none;
      connection->finished_ = true;  // what nobody has read by now, nobody will
      connection->cancel_all();
      connection->check_done();
    });
  }
  check_done();
}

void Connection::end() {
  finished_ = true;
  cancel_all();
  cancel_tasks();
  if (drain_timer_ != runtime::TimerId::none) loop_.cancel(drain_timer_);
  channel_->finish();
}

void Connection::check_done() {
  // What has been answered must also have left: whoever waits for this may exit next.
  const bool written = finished_ || channel_->pending() == 0;
  if (!input_over_ || !under_way_.empty() || !written || !done_) return;
  if (drain_timer_ != runtime::TimerId::none) {
    loop_.cancel(std::exchange(drain_timer_, runtime::TimerId::none));
  }
  if (session_) log_session(engine_, *session_, "session_ended");
  // Told from outside: the caller may be in the middle of a request's end.
  loop_.post([done = std::exchange(done_, nullptr)]() mutable { done(); });
}

class Endpoint final : public ChannelEndpoint {
 public:
  Endpoint(runtime::Loop& loop, Engine& engine, std::unique_ptr<transport::MessageChannel> channel)
      : connection_(std::make_shared<Connection>(loop, engine, std::move(channel))) {
    connection_->start();
  }
  ~Endpoint() override { connection_->end(); }
  void stop(bool all) override { connection_->stop(all); }
  void end() override { connection_->end(); }
  void on_done(std::move_only_function<void()> handler) override {
    connection_->on_done(std::move(handler));
  }

 private:
  std::shared_ptr<Connection> connection_;
};

}  // namespace

std::unique_ptr<ChannelEndpoint> make_channel_endpoint(
    runtime::Loop& loop, Engine& engine, std::unique_ptr<transport::MessageChannel> channel) {
  return std::make_unique<Endpoint>(loop, engine, std::move(channel));
}

}  // namespace squall::server
