#include "watch.h"

#include <algorithm>
#include <utility>

#include "squall/json/write.h"
#include "squall/mcp/names.h"
#include "squall/runtime/sleep.h"

#include "back_off.h"

namespace squall::client {

namespace {

using json::Value;
namespace note = mcp::notification;

/// Failures in a row after which a subscription gives up.
constexpr unsigned kAttemptsMax = 10;
/// A stream that lived that long was a good one.
constexpr std::chrono::seconds kGoodStream{10};

std::string filter_of(const Interest& interest) {
  Value filter = Value::object();
  if (interest.tools) filter.set("toolsListChanged", true);
  if (interest.prompts) filter.set("promptsListChanged", true);
  if (interest.resources) filter.set("resourcesListChanged", true);
  if (!interest.uris.empty()) {
    Value uris = Value::array();
    for (const std::string& uri : interest.uris) uris.push_back(uri);
    filter.set("resourceSubscriptions", std::move(uris));
  }
  std::string out;
  append_value(out, "notifications", filter);
  return out;
}

bool is_true(const Value& object, std::string_view name) {
  const Value* const flag = object.find(name);
  return flag != nullptr && flag->boolean();
}

/// What the acknowledgement grants, of what was asked for.
Interest granted_of(const Value* params, const Interest& asked) {
  static const Value kNone;
  const Value* const found = params != nullptr ? params->find("notifications") : nullptr;
  const Value& filter = found != nullptr ? *found : kNone;
  Interest granted;
  granted.tools = asked.tools && is_true(filter, "toolsListChanged");
  granted.prompts = asked.prompts && is_true(filter, "promptsListChanged");
  granted.resources = asked.resources && is_true(filter, "resourcesListChanged");
  const Value* const uris = filter.find("resourceSubscriptions");
  if (uris == nullptr) return granted;
  for (const Value& uri : uris->items()) {
    const auto known = std::find(asked.uris.begin(), asked.uris.end(), uri.string());
    if (known != asked.uris.end()) granted.uris.push_back(*known);
  }
  return granted;
}

std::optional<Change> change_of(const jsonrpc::Message& message) {
  Change change;
  if (message.method == note::kToolsChanged) {
    change.what = Change::What::tools;
  } else if (message.method == note::kPromptsChanged) {
    change.what = Change::What::prompts;
  } else if (message.method == note::kResourcesChanged) {
    change.what = Change::What::resources;
  } else if (message.method == note::kResourceUpdated) {
    change.what = Change::What::resource;
    const auto uri = message.params ? message.params->find_string("uri") : std::nullopt;
    change.uri = std::string(uri.value_or(""));
  } else {
    return std::nullopt;
  }
  return change;
}

const Value* subscription_id(const jsonrpc::Message& message) {
  const Value* const meta = message.params ? message.params->find("_meta") : nullptr;
  return meta != nullptr ? meta->find(mcp::meta::kSubscriptionId) : nullptr;
}

bool covers(const Interest& interest, const Change& change) {
  switch (change.what) {
    case Change::What::tools:
      return interest.tools;
    case Change::What::prompts:
      return interest.prompts;
    case Change::What::resources:
      return interest.resources;
    case Change::What::resource:
      return std::find(interest.uris.begin(), interest.uris.end(), change.uri) !=
             interest.uris.end();
  }
  return false;
}

}  // namespace

Interest Interest::in_all(std::vector<std::string> uris) {
  return {.tools = true, .prompts = true, .resources = true, .uris = std::move(uris)};
}

/// One subscription, and the coroutine that keeps it going.
class Watch final : public Subscription {
 public:
  Watch(Watches& owner, Interest interest, SubscriptionListener& listener,
        std::optional<mcp::LogLevel> level)
      : owner_(owner),
        core_(owner.caller_.core()),
        interest_(std::move(interest)),
        listener_(listener),
        level_(level),
        tasks_(core_.loop()) {
    owner_.all_.push_back(this);
  }
  ~Watch() override {
    std::erase(owner_.all_, this);
    tasks_.clear();
    if (!ended_ && !core_.envelope().is_modern() && granted_) {
      owner_.unsubscribe(std::move(granted_->uris));
    }
  }
  void start() { tasks_.start(run()); }

  [[nodiscard]] bool ended() const override { return ended_; }
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  [[nodiscard]] bool wants(const Change& change) const {
    return granted_ && !ended_ && covers(*granted_, change);
  }
  void tell(const Change& change) { listener_.on_change(change); }
  void acknowledge(const jsonrpc::Message& message);
  void end_by_server() { over_->cancel("the server ended it"); }
  /// What was granted may have changed unseen.
  void guess();
  void on_gap() {
    if (!core_.envelope().is_modern()) guess();
  }

 private:
  Task<void> run();
  Task<void> listen();
  Task<void> subscribe_legacy();
  Task<std::optional<Failure>> subscribe_uris(Interest& granted);
  void end(const Failure* failure);

  Watches& owner_;
  Core& core_;
  const Interest interest_;
  SubscriptionListener& listener_;
  const std::optional<mcp::LogLevel> level_;
  std::optional<Interest> granted_;  // once acknowledged, and until the stream breaks
  std::shared_ptr<Cancellation> over_ = std::make_shared<Cancellation>();
  std::uint64_t id_ = 0;
  bool once_granted_ = false;
  bool ended_ = false;
  runtime::TaskSet tasks_;
};

Task<void> Watch::run() {
  std::optional<Failure> unready = co_await owner_.caller_.connected();
  if (unready) co_return end(&*unready);
  if (core_.envelope().is_modern()) {
    co_await listen();
  } else {
    co_await subscribe_legacy();
  }
}

Task<void> Watch::listen() {
  unsigned failures = 0;
  for (;;) {
    CallOptions options;
    options.cancellation(over_);
    if (level_) options.log_level(*level_);
    Request request(mcp::method::kListen, filter_of(interest_), std::move(options));
    request.endless = true;
    request.safe = false;  // repeated here, with pauses of its own
    request.on_sent = [this](std::uint64_t id) { id_ = id; };
    const runtime::TimePoint began = core_.loop().now();
    Outcome<Answer> outcome = co_await owner_.caller_.perform(request);
    const bool was_granted = std::exchange(granted_, std::nullopt).has_value();
    id_ = 0;
    if (outcome || over_->cancelled()) co_return end(nullptr);
    const Failure& why = outcome.error();
    const bool again = why.kind == OutcomeKind::lost && !core_.over() &&
                       why.loss.cause != Loss::Cause::unauthorized;
    const bool good = was_granted && core_.loop().now() - began >= kGoodStream;
    failures = good ? 1 : failures + 1;
    if (!again || failures >= kAttemptsMax) co_return end(&why);
    core_.report(Report::Kind::reconnecting, "the subscription broke: " + why.message);
    const auto pause = back_off(core_.options(), failures, why.loss.retry_after_ms);
    co_await runtime::sleep(core_.loop(), pause);
  }
}

void Watch::acknowledge(const jsonrpc::Message& message) {
  if (granted_) {
    return core_.report(Report::Kind::stray_notification, "a subscription acknowledged twice");
  }
  granted_ = granted_of(message.params, interest_);
  listener_.on_granted(*granted_);
  if (std::exchange(once_granted_, true)) guess();
}

void Watch::guess() {
  if (!granted_) return;
  const Interest now = *granted_;
  std::vector<Change> changes;
  using What = Change::What;
  if (now.tools) changes.push_back({.what = What::tools, .guessed = true});
  if (now.prompts) changes.push_back({.what = What::prompts, .guessed = true});
  if (now.resources) changes.push_back({.what = What::resources, .guessed = true});
  for (const std::string& uri : now.uris) {
    changes.push_back({.what = What::resource, .uri = uri, .guessed = true});
  }
  for (const Change& change : changes) {
    owner_.forget(change);
    tell(change);
  }
}

/// Before 2026-07-28 changes of lists come unasked, and resources are subscribed to one by one, as
/// often as there is a new session.
Task<void> Watch::subscribe_legacy() {
  for (;;) {
    const std::uint64_t session = owner_.caller_.session();
    Interest granted;
    const Value& can = owner_.caller_.server()->capabilities;
    const auto declared = [&can](std::string_view what) {
      const Value* const entry = can.find(what);
      return entry != nullptr && is_true(*entry, "listChanged");
    };
    granted.tools = interest_.tools && declared("tools");
    granted.prompts = interest_.prompts && declared("prompts");
    granted.resources = interest_.resources && declared("resources");
    std::optional<Failure> failed = co_await subscribe_uris(granted);
    if (failed) co_return end(&*failed);
    if (session == owner_.caller_.session()) {
      granted_ = std::move(granted);
      listener_.on_granted(*granted_);
      if (std::exchange(once_granted_, true)) guess();
      co_await owner_.caller_.next_session(session);
    }
    if (core_.over()) {
      Failure why = lost(*core_.over());
      co_return end(&why);
    }
  }
}

Task<std::optional<Failure>> Watch::subscribe_uris(Interest& granted) {
  for (const std::string& uri : interest_.uris) {
    std::string members;
    append_member(members, "uri", uri);
    Request request(mcp::method::kResourcesSubscribe, std::move(members), CallOptions());
    Outcome<Answer> outcome = co_await owner_.caller_.perform(request);
    if (outcome) {
      granted.uris.push_back(uri);
    } else if (outcome.error().kind != OutcomeKind::protocol_error) {
      co_return std::move(outcome).error();
    }
  }
  co_return std::nullopt;
}

void Watch::end(const Failure* failure) {
  ended_ = true;
  granted_.reset();
  listener_.on_ended(failure);
}

std::unique_ptr<Subscription> Watches::subscribe(Interest interest, SubscriptionListener& listener,
                                                 std::optional<mcp::LogLevel> level) {
  auto watch = std::make_unique<Watch>(*this, std::move(interest), listener, level);
  watch->start();
  return watch;
}

/// The subscription whose request had exactly that id: a number.
Watch* Watches::find(const Value* id) {
  const auto number = id != nullptr ? id->as_uint64() : std::nullopt;
  if (!number || *number == 0) return nullptr;
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&number](const Watch* watch) { return watch->id() == *number; });
  return found == all_.end() ? nullptr : *found;
}

bool Watches::take_control(const jsonrpc::Message& message) {
  if (message.method == note::kAcknowledged) {
    Watch* const watch = find(subscription_id(message));
    if (watch != nullptr) {
      watch->acknowledge(message);
    } else {
      caller_.core().report(Report::Kind::stray_notification,
                            "an acknowledgement of no subscription of ours");
    }
    return true;
  }
  if (message.method != note::kCancelled || !caller_.core().envelope().is_modern()) return false;
  Watch* const watch = find(message.params ? message.params->find("requestId") : nullptr);
  if (watch != nullptr) watch->end_by_server();
  return true;
}

bool Watches::take(const jsonrpc::Message& message) {
  const std::optional<Change> change = change_of(message);
  if (!change) return true;
  const bool modern = caller_.core().envelope().is_modern();
  const Watch* const only = modern ? find(subscription_id(message)) : nullptr;
  if (modern && (only == nullptr || !only->wants(*change))) {
    caller_.core().report(Report::Kind::stray_notification,
                          std::string(message.method) + " of no subscription that covers it");
    return false;
  }
  forget(*change);
  // Being told, a listener may end any of them.
  const std::vector<Watch*> all = all_;
  for (Watch* const watch : all) {
    const bool alive = std::find(all_.begin(), all_.end(), watch) != all_.end();
    if (alive && (!modern || watch == only) && watch->wants(*change)) watch->tell(*change);
  }
  return true;
}

void Watches::on_gap() {
  lists_.forget_all();
  const std::vector<Watch*> all = all_;
  for (Watch* const watch : all) {
    if (std::find(all_.begin(), all_.end(), watch) != all_.end()) watch->on_gap();
  }
}

void Watches::forget(const Change& change) {
  switch (change.what) {
    case Change::What::tools:
      return lists_.forget(ListKind::tools);
    case Change::What::prompts:
      return lists_.forget(ListKind::prompts);
    case Change::What::resources:
      return lists_.forget(ListKind::resources);
    case Change::What::resource:
      return lists_.forget_resource(change.uri);
  }
}

void Watches::unsubscribe(std::vector<std::string> uris) {
  if (!uris.empty() && !caller_.core().over()) {
    background_.start(unsubscribe_all(std::move(uris)));
  }
}

Task<void> Watches::unsubscribe_all(std::vector<std::string> uris) {
  for (const std::string& uri : uris) {
    std::string members;
    append_member(members, "uri", uri);
    Request request(mcp::method::kResourcesUnsubscribe, std::move(members), CallOptions());
    Outcome<Answer> outcome = co_await caller_.perform(request);
    if (!outcome && outcome.error().kind == OutcomeKind::lost) co_return;
  }
}

}  // namespace squall::client
