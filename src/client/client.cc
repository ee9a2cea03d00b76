#include "squall/client/client.h"

#include <utility>

#include "squall/json/write.h"
#include "squall/mcp/names.h"

#include "caller.h"
#include "core.h"
#include "gate.h"
#include "inputs.h"
#include "lists.h"
#include "rounds.h"
#include "tools.h"
#include "watch.h"

namespace squall::client {

/// The parts of a client, wired.
class Client::Impl final : private Core::Peer {
 public:
  Impl(runtime::Loop& loop, std::unique_ptr<Link> link, Options options)
      : options_(std::move(options)),
        core_(loop, std::move(link), options_, *this),
        caller_(core_),
        inputs_(core_),
        rounds_(caller_, inputs_),
        tools_(core_),
        lists_(caller_, rounds_, tools_),
        watches_(caller_, lists_),
        learning_(loop) {
    learning_.open();
  }
  ~Impl() {
    watches_.stop();
    rounds_.stop();
    inputs_.stop();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Task<Outcome<ToolResult>> call_tool(std::string name, json::Value arguments, CallOptions options);
  /// One request that a server may answer with questions.
  Task<Outcome<Answer>> ask(std::string_view method, std::string members, std::string name,
                            CallOptions options);
  /// One request whose result nobody looks at; never sent again.
  Task<Outcome<Answer>> ask_once(std::string method, std::string members, std::string name,
                                 CallOptions options);
  Task<Outcome<Answer>> set_log_level(mcp::LogLevel level, CallOptions options);
  Task<void> learn_tools();
  Task<void> close();

  [[nodiscard]] Core& core() noexcept { return core_; }
  [[nodiscard]] Caller& caller() noexcept { return caller_; }
  [[nodiscard]] Lists& lists() noexcept { return lists_; }
  [[nodiscard]] Watches& watches() noexcept { return watches_; }
  [[nodiscard]] std::optional<mcp::LogLevel> log_level() const { return log_level_; }
  /// What every request of ours adds to its options.
  [[nodiscard]] CallOptions completed(CallOptions options) const {
    if (log_level_ && !options.settings().log_level) options.log_level(*log_level_);
    return options;
  }

 private:
  void on_notification(const jsonrpc::Message& message, std::uint64_t key) override;
  void on_request(const jsonrpc::Message& message) override { inputs_.serve(message); }
  void on_gap() override { watches_.on_gap(); }
  void on_over() override { caller_.on_over(); }

  const Options options_;
  Core core_;
  Caller caller_;
  Inputs inputs_;
  Rounds rounds_;
  Tools tools_;
  Lists lists_;
  Watches watches_;
  std::optional<mcp::LogLevel> log_level_;
  Gate learning_;  // shut while one call lists the tools for all
};

void Client::Impl::on_notification(const jsonrpc::Message& message, std::uint64_t /*key*/) {
  static const json::Value kNone = json::Value::object();
  if (watches_.take_control(message)) return;
  if (message.method == mcp::notification::kCancelled) {
    return inputs_.cancel(message.params ? message.params->find("requestId") : nullptr);
  }
  if (message.method == mcp::notification::kElicited && message.params != nullptr) {
    rounds_.consents().completed(*message.params);
  }
  if (!watches_.take(message) || options_.handlers == nullptr) return;
  options_.handlers->on_notification(message.method,
                                     message.params != nullptr ? *message.params : kNone);
}

Task<Outcome<Answer>> Client::Impl::ask(std::string_view method, std::string members,
                                        std::string name, CallOptions options) {
  Request request(method, std::move(members), completed(std::move(options)));
  request.name = std::move(name);
  co_return co_await rounds_.perform(std::move(request));
}

Task<Outcome<Answer>> Client::Impl::ask_once(std::string method, std::string members,
                                             std::string name, CallOptions options) {
  Request request(method, std::move(members), completed(std::move(options)));
  request.name = std::move(name);
  request.safe = request.options.settings().idempotent;
  co_return co_await caller_.perform(request);
}

Task<Outcome<ToolResult>> Client::Impl::call_tool(std::string name, json::Value arguments,
                                                  CallOptions options) {
  options = completed(std::move(options));
  if (!arguments.is_object()) arguments = json::Value::object();
  if (caller_.server() == nullptr) {
    std::optional<Failure> unready = co_await caller_.connected();
    if (unready) co_return std::unexpected(*std::move(unready));
  }
  const bool mirrors = core_.link().is_http() && core_.envelope().is_modern();
  // Which arguments stand in headers too is known from the list alone.
  if (mirrors && !tools_.known()) co_await learn_tools();
  std::string members;
  append_member(members, "name", name);
  append_value(members, "arguments", arguments);
  for (bool first = true;; first = false) {
    Request request(mcp::method::kToolsCall, members, options);
    request.name = name;
    const Tool* tool = tools_.find(name);
    request.safe = options.settings().idempotent || (tool != nullptr && tool->repeatable);
    if (tool != nullptr && mirrors) request.headers = tools_.headers(*tool, arguments);
    Outcome<Answer> answer = co_await rounds_.perform(std::move(request));
    if (!answer) {
      const bool stale = mirrors && answer.error().code == mcp::code::kHeaderMismatch;
      if (!stale || !first) co_return std::unexpected(std::move(answer).error());
      core_.report(Report::Kind::retrying, "the tools may have changed: listing them again");
      CallOptions fresh;
      fresh.cached(false);
      co_await lists_.list(ListKind::tools, std::move(fresh));
      continue;
    }
    ToolResult result(*std::move(answer));
    tool = tools_.find(name);
    std::optional<Failure> broken;
    if (tool != nullptr) broken = tools_.check(*tool, name, result);
    if (broken) co_return std::unexpected(*std::move(broken));
    co_return result;
  }
}

/// Lists the tools once for all the calls that need to know them. Where that fails, calls go ahead
/// without: a server that minds will say so.
Task<void> Client::Impl::learn_tools() {
  if (!learning_.is_open()) {
    co_await learning_.wait();
    co_return;
  }
  learning_.shut();
  const GateOpener opener(learning_);
  co_await lists_.list(ListKind::tools, CallOptions());
}

Task<Outcome<Answer>> Client::Impl::set_log_level(mcp::LogLevel level, CallOptions options) {
  std::optional<Failure> unready = co_await caller_.connected();
  if (unready) co_return std::unexpected(*std::move(unready));
  if (core_.envelope().is_modern()) {
    log_level_ = level;
    json::Document nothing;
    [[maybe_unused]] const auto parsed = nothing.parse("{}");
    const json::Value& root = nothing.root();
    co_return Answer(std::move(nothing), root);
  }
  std::string members;
  append_member(members, "level", mcp::to_text(level));
  co_return co_await ask(mcp::method::kSetLevel, std::move(members), "", std::move(options));
}

Task<void> Client::Impl::close() {
  watches_.stop();
  rounds_.stop();
  inputs_.stop();
  Loss closed{.cause = Loss::Cause::not_connected, .detail = "the client was closed"};
  closed.may_have_run = true;
  core_.end(std::move(closed));
  co_await core_.close_link();
}

Client::Client(runtime::Loop& loop, std::unique_ptr<Link> link, Options options)
    : impl_(std::make_unique<Impl>(loop, std::move(link), std::move(options))) {}
Client::~Client() = default;

Task<Outcome<Server>> Client::connect() { return impl_->caller().connect(); }
const Server* Client::server() const noexcept { return impl_->caller().server(); }
bool Client::is_modern() const noexcept { return impl_->core().envelope().is_modern(); }

Task<Outcome<Listing>> Client::list_tools(CallOptions options) {
  return impl_->lists().list(ListKind::tools, impl_->completed(std::move(options)));
}
Task<Outcome<Listing>> Client::list_prompts(CallOptions options) {
  return impl_->lists().list(ListKind::prompts, impl_->completed(std::move(options)));
}
Task<Outcome<Listing>> Client::list_resources(CallOptions options) {
  return impl_->lists().list(ListKind::resources, impl_->completed(std::move(options)));
}
Task<Outcome<Listing>> Client::list_resource_templates(CallOptions options) {
  return impl_->lists().list(ListKind::templates, impl_->completed(std::move(options)));
}

Task<Outcome<ToolResult>> Client::call_tool(std::string name, json::Value arguments,
                                            CallOptions options) {
  return impl_->call_tool(std::move(name), std::move(arguments), std::move(options));
}

Task<Outcome<Answer>> Client::read_resource(std::string uri, CallOptions options) {
  return impl_->lists().read(std::move(uri), impl_->completed(std::move(options)));
}

Task<Outcome<Answer>> Client::get_prompt(std::string name, json::Value arguments,
                                         CallOptions options) {
  std::string members;
  append_member(members, "name", name);
  if (arguments.is_object()) append_value(members, "arguments", arguments);
  return impl_->ask(mcp::method::kPromptsGet, std::move(members), std::move(name),
                    std::move(options));
}

Task<Outcome<Answer>> Client::complete(json::Value reference, std::string argument,
                                       std::string value, json::Value context,
                                       CallOptions options) {
  json::Value field = json::Value::object();
  field.set("name", argument);
  field.set("value", value);
  std::string members;
  append_value(members, "ref", reference);
  append_value(members, "argument", field);
  if (context.is_object()) {
    json::Value before = json::Value::object();
    before.set("arguments", std::move(context));
    append_value(members, "context", before);
  }
  return impl_->ask(mcp::method::kComplete, std::move(members), "", std::move(options));
}

Task<Outcome<Answer>> Client::ping(CallOptions options) {
  const bool has_ping = mcp::supports(impl_->core().envelope().revision(), mcp::Feature::ping);
  return impl_->ask(has_ping ? mcp::method::kPing : mcp::method::kDiscover, "", "",
                    std::move(options));
}

Task<Outcome<Answer>> Client::set_log_level(mcp::LogLevel level, CallOptions options) {
  return impl_->set_log_level(level, std::move(options));
}

Task<Outcome<Answer>> Client::request(std::string method, json::Value params, CallOptions options) {
  const auto name = params.find_string("name");
  const auto uri = params.find_string("uri");
  const auto task = params.find_string("taskId");
  std::string named(name ? *name : uri ? *uri : task.value_or(""));
  if (const json::Value* const meta = params.find("_meta")) {
    json::Value members = *meta;
    for (const json::Member& more : options.settings().meta.members()) {
      members.set(more.name(), more.value);
    }
    options.meta(std::move(members));
  }
  return impl_->ask_once(std::move(method), members_of(params), std::move(named),
                         std::move(options));
}

void Client::notify(std::string_view method, const json::Value& params) {
  impl_->core().notify(method, members_of(params));
}

std::unique_ptr<Subscription> Client::subscribe(Interest interest, SubscriptionListener& listener) {
  return impl_->watches().subscribe(std::move(interest), listener, impl_->log_level());
}

Task<void> Client::close() { return impl_->close(); }

}  // namespace squall::client
