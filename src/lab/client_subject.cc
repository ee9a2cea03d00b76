#include "client_subject.h"

#include <chrono>
#include <map>
#include <utility>

#include "squall/mcp/revision.h"
#include "squall/runtime/one_shot.h"

namespace squall::lab {

namespace {

using client::Failure;
using client::OutcomeKind;

/// The runner has the clock in its hand; the client's own limit must never come first.
constexpr std::chrono::hours kNever{24 * 366};

Ending ending_of(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::success:
      return Ending::success;
    case OutcomeKind::tool_error:
      return Ending::error;
    case OutcomeKind::protocol_error:
      return Ending::protocol_error;
    case OutcomeKind::timeout:
      return Ending::timeout;
    case OutcomeKind::cancelled:
      return Ending::cancelled;
    case OutcomeKind::lost:
      return Ending::transport_loss;
    case OutcomeKind::invalid:
      break;
  }
  return Ending::invalid_message;
}

Attempt attempt_of(const Failure& failure) {
  Attempt out;
  out.ending = ending_of(failure.kind);
  out.message = failure.message;
  if (failure.kind == OutcomeKind::protocol_error) {
    out.code = failure.code;
    out.data = failure.data;
  }
  return out;
}

template <typename T>
Attempt attempt_of(const client::Outcome<T>& outcome) {
  if (!outcome) return attempt_of(outcome.error());
  Attempt out;
  out.ending = ending_of(client::kind_of(outcome));
  out.value = outcome->json();
  return out;
}

Attempt attempt_of(client::Outcome<client::Listing> outcome, const char* name) {
  if (!outcome) return attempt_of(outcome.error());
  Attempt out;
  out.value = json::Value::object();
  out.value->set(name, json::Value::from_items(std::move(outcome->entries)));
  return out;
}

Attempt refused(std::string why) {
  Attempt out;
  out.ending = Ending::invalid_message;
  out.message = std::move(why);
  return out;
}

json::Value member(const json::Value& params, std::string_view name) {
  const json::Value* const found = params.find(name);
  return found != nullptr ? *found : json::Value();
}

/// Hands on what the client's observer sees.
class Tap final : public client::Observer {
 public:
  explicit Tap(Wire& wire) : wire_(wire) {}
  void on_sent(std::string_view message) override {
    wire_.on_message(recording::Party::client, message);
  }
  void on_received(std::string_view message) override {
    wire_.on_message(recording::Party::server, message);
  }
  void on_http(std::string_view /*method*/, int status) override { wire_.on_status(status); }

 private:
  Wire& wire_;
};

/// A subscription, and the coroutine that waits for the server's word.
class Ear final : public client::SubscriptionListener {
 public:
  explicit Ear(runtime::Loop& loop) : granted(loop) {}
  void on_granted(const client::Interest& /*granted*/) override { granted.set(Attempt()); }
  void on_change(const client::Change& /*change*/) override {}
  void on_ended(const Failure* failure) override {
    granted.set(failure != nullptr ? attempt_of(*failure) : refused("the server ended it"));
  }
  runtime::OneShot<Attempt> granted;
  std::unique_ptr<client::Subscription> subscription;
};

class ClientSubject final : public Subject {
 public:
  ClientSubject(runtime::Loop& loop, Wire& wire, ClientSubjectOptions options)
      : loop_(loop), tap_(wire), wire_(wire), options_(std::move(options)) {
    options_.client.observer = &tap_;
    options_.client.timeout = kNever;
    options_.client.probe_timeout = options_.client.negotiation == client::Negotiation::automatic
                                        ? options_.client.probe_timeout
                                        : kNever;
  }
  ~ClientSubject() override { ears_.clear(); }

  Task<Attempt> setup() override {
    Result<std::unique_ptr<client::Link>> link = options_.make_link();
    if (!link) {
      Attempt lost = refused(link.error().message);
      lost.ending = Ending::transport_loss;
      co_return lost;
    }
    link_ = link->get();
    client_ = std::make_unique<client::Client>(loop_, *std::move(link), options_.client);
    client::Outcome<client::Server> server = co_await client_->connect();
    if (!server) co_return attempt_of(server.error());
    Attempt out;
    out.value = server->info;
    co_return out;
  }

  Task<Attempt> execute(Job job) override {
    if (client_ == nullptr) co_return refused("there is no connection");
    const auto cancellation = std::make_shared<client::Cancellation>();
    const Entry entry(under_way_, job.number, cancellation);
    client::CallOptions options;
    options.cancellation(cancellation);
    Task<Attempt> work = perform(job, std::move(options));
    co_return co_await std::move(work);
  }

  Task<Attempt> cancel(std::uint64_t job, std::string reason) override {
    const auto found = under_way_.find(job);
    if (found != under_way_.end()) found->second->cancel(std::move(reason));
    co_return Attempt();
  }

  Task<Attempt> cleanup() override {
    ears_.clear();
    if (client_ != nullptr) co_await client_->close();
    link_ = nullptr;
    co_return Attempt();
  }

  [[nodiscard]] Introduction introduction() const override {
    Introduction out;
    out.transport = options_.transport;
    out.peer = options_.peer;
    const client::Server* const server = client_ != nullptr ? client_->server() : nullptr;
    if (server == nullptr) return out;
    out.protocol = mcp::to_text(server->revision);
    out.server = server->info;
    return out;
  }

 private:
  using UnderWay = std::map<std::uint64_t, std::shared_ptr<client::Cancellation>>;

  /// A job's place in the table, for as long as it runs.
  class Entry {
   public:
    Entry(UnderWay& table, std::uint64_t job, std::shared_ptr<client::Cancellation> how)
        : table_(table), job_(job) {
      table_.emplace(job, std::move(how));
    }
    ~Entry() { table_.erase(job_); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    UnderWay& table_;
    std::uint64_t job_;
  };

  Task<Attempt> perform(Job& job, client::CallOptions options) {
    switch (job.kind) {
      case Step::Kind::call:
      case Step::Kind::observe:
        return call(std::move(job.params), std::move(options));
      case Step::Kind::list:
        return list(std::string(job.params.string()), std::move(options));
      case Step::Kind::read:
        return read(std::move(job.params), std::move(options));
      case Step::Kind::prompt:
        return prompt(std::move(job.params), std::move(options));
      case Step::Kind::complete:
      case Step::Kind::request:
        return request(std::move(job.params), std::move(options));
      case Step::Kind::notify:
        return notify(std::move(job.params));
      case Step::Kind::raw:
        return send_raw(std::string(job.params.string()));
      case Step::Kind::listen:
        return listen(std::move(job.params));
      case Step::Kind::cancel:
      case Step::Kind::wait:
      case Step::Kind::reconnect:
      case Step::Kind::parallel:
      case Step::Kind::repeat:
        break;
    }
    return not_ours();
  }

  static Task<Attempt> not_ours() { co_return refused("no step of a connection"); }

  Task<Attempt> call(json::Value params, client::CallOptions options) {
    const json::Value meta = member(params, "_meta");
    if (meta.is_object()) options.meta(meta);
    if (!options_.learns_tools) {
      client::Outcome<client::Answer> answer =
          co_await client_->request("tools/call", std::move(params), std::move(options));
      if (!answer) co_return attempt_of(answer.error());
      const client::ToolResult whole(*std::move(answer));
      Attempt out;
      out.ending = whole.is_error() ? Ending::error : Ending::success;
      out.value = whole.json();
      co_return out;
    }
    std::string name(params.find_string("name").value_or(""));
    client::Outcome<client::ToolResult> result = co_await client_->call_tool(
        std::move(name), member(params, "arguments"), std::move(options));
    co_return attempt_of(result);
  }

  Task<Attempt> list(std::string what, client::CallOptions options) {
    options.cached(false);
    if (what == "prompts") {
      client::Outcome<client::Listing> listed = co_await client_->list_prompts(std::move(options));
      co_return attempt_of(std::move(listed), "prompts");
    }
    if (what == "resources") {
      client::Outcome<client::Listing> listed =
          co_await client_->list_resources(std::move(options));
      co_return attempt_of(std::move(listed), "resources");
    }
    if (what == "resourceTemplates") {
      client::Outcome<client::Listing> listed =
          co_await client_->list_resource_templates(std::move(options));
      co_return attempt_of(std::move(listed), "resourceTemplates");
    }
    client::Outcome<client::Listing> listed = co_await client_->list_tools(std::move(options));
    co_return attempt_of(std::move(listed), "tools");
  }

  Task<Attempt> read(json::Value params, client::CallOptions options) {
    options.cached(false);
    std::string uri(params.find_string("uri").value_or(""));
    client::Outcome<client::Answer> answer =
        co_await client_->read_resource(std::move(uri), std::move(options));
    co_return attempt_of(answer);
  }

  Task<Attempt> prompt(json::Value params, client::CallOptions options) {
    std::string name(params.find_string("name").value_or(""));
    client::Outcome<client::Answer> answer = co_await client_->get_prompt(
        std::move(name), member(params, "arguments"), std::move(options));
    co_return attempt_of(answer);
  }

  Task<Attempt> request(json::Value params, client::CallOptions options) {
    std::string method(params.find_string("method").value_or(""));
    client::Outcome<client::Answer> answer =
        co_await client_->request(std::move(method), member(params, "params"), std::move(options));
    co_return attempt_of(answer);
  }

  Task<Attempt> notify(json::Value params) {
    client_->notify(params.find_string("method").value_or(""), member(params, "params"));
    co_return Attempt();
  }

  /// Bytes as a message of their own: a line on stdio, a body over HTTP.
  Task<Attempt> send_raw(std::string bytes) {
    if (link_ == nullptr) co_return refused("there is no connection");
    wire_.on_message(recording::Party::client, bytes);
    client::Outgoing message;
    message.text = std::move(bytes);
    link_->send(std::move(message));
    co_return Attempt();
  }

  Task<Attempt> listen(json::Value params) {
    client::Interest interest;
    const auto wanted = [&](std::string_view name) {
      const json::Value* const flag = params.find(name);
      return flag != nullptr && flag->boolean();
    };
    interest.tools = wanted("tools");
    interest.prompts = wanted("prompts");
    interest.resources = wanted("resources");
    if (const json::Value* const uris = params.find("uris")) {
      for (const json::Value& uri : uris->items()) interest.uris.emplace_back(uri.string());
    }
    ears_.push_back(std::make_unique<Ear>(loop_));
    Ear& ear = *ears_.back();
    ear.subscription = client_->subscribe(std::move(interest), ear);
    co_return co_await ear.granted;
  }

  runtime::Loop& loop_;
  Tap tap_;
  Wire& wire_;
  ClientSubjectOptions options_;
  UnderWay under_way_;
  client::Link* link_ = nullptr;  // the client's own
  std::unique_ptr<client::Client> client_;
  std::vector<std::unique_ptr<Ear>> ears_;
};

}  // namespace

std::unique_ptr<Subject> make_client_subject(runtime::Loop& loop, Wire& wire,
                                             ClientSubjectOptions options) {
  return std::make_unique<ClientSubject>(loop, wire, std::move(options));
}

client::Negotiation negotiation_of(Protocol protocol) noexcept {
  switch (protocol) {
    case Protocol::legacy:
      return client::Negotiation::legacy;
    case Protocol::modern:
      return client::Negotiation::modern;
    case Protocol::automatic:
      break;
  }
  return client::Negotiation::automatic;
}

}  // namespace squall::lab
