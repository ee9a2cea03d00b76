#include "core.h"

#include <algorithm>
#include <array>
#include <utility>

#include "squall/base/assert.h"
#include "squall/mcp/names.h"
#include "squall/mcp/param_header.h"

#include "show.h"

namespace squall::client {

namespace {

/// Withdrawn requests whose late responses are told from odd ones.
constexpr std::size_t kWithdrawnMax = 1'024;

/// What of a whole member of the era's messages names their target, in a header of its own.
bool has_name_header(std::string_view method) {
  constexpr std::array<std::string_view, 6> kNamed = {mcp::method::kToolsCall,
                                                      mcp::method::kPromptsGet,
                                                      mcp::method::kResourcesRead,
                                                      "tasks/get",
                                                      "tasks/update",
                                                      "tasks/cancel"};
  return std::find(kNamed.begin(), kNamed.end(), method) != kNamed.end();
}

}  // namespace

Failure protocol_error(const json::Value& error) {
  Failure failure;
  failure.kind = OutcomeKind::protocol_error;
  const json::Value* const code = error.find("code");
  const std::optional<std::int64_t> number = code ? code->as_int64() : std::nullopt;
  constexpr std::int64_t kCodeMax = 1 << 30;
  if (number && *number > -kCodeMax && *number < kCodeMax) failure.code = static_cast<int>(*number);
  failure.message = std::string(error.find_string("message").value_or("(no message)"));
  if (const json::Value* const data = error.find("data")) failure.data = *data;
  return failure;
}

Failure lost(Loss loss) {
  Failure failure;
  failure.kind = OutcomeKind::lost;
  failure.message = loss.detail;
  failure.loss = std::move(loss);
  return failure;
}

Failure invalid(std::string message) {
  Failure failure;
  failure.kind = OutcomeKind::invalid;
  failure.message = std::move(message);
  return failure;
}

/// A notification on its way, on the stack of the coroutine that waits for it.
class Core::Ticket {
 public:
  explicit Ticket(Core& core) : taken(core.loop_), number(core.next_ticket_++), core_(core) {
    core_.tickets_.push_back(this);
  }
  ~Ticket() { std::erase(core_.tickets_, this); }
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;

  runtime::OneShot<std::optional<Loss>> taken;
  const std::uint64_t number;

 private:
  Core& core_;
};

Core::Core(runtime::Loop& loop, std::unique_ptr<Link> link, const Options& options, Peer& peer)
    : loop_(loop),
      link_(std::move(link)),
      options_(options),
      peer_(peer),
      envelope_(options, options.legacy_offer) {
  link_->start(*this, options_);
}

Core::~Core() {
  link_.reset();
  for (const auto& [id, exchange] : pending_) exchange->id_ = 0;
}

void Core::set_revision(mcp::Revision revision) {
  envelope_ = Envelope(options_, revision);
  link_->set_revision(revision);
}

Task<Outcome<Answer>> Core::exchange(const Request& request) {
  Exchange exchange(*this, request);
  co_return co_await exchange.outcome();
}

HttpHeaders Core::headers_of(const Request& request) const {
  HttpHeaders headers;
  if (!link_->is_http() || !envelope_.is_modern()) return headers;
  headers.emplace_back(mcp::header::kMethod, request.method);
  if (has_name_header(request.method)) {
    headers.emplace_back(mcp::header::kName, mcp::encode_header_value(request.name));
  }
  headers.insert(headers.end(), request.headers.begin(), request.headers.end());
  return headers;
}

void Core::transmit(Outgoing message) {
  if (options_.observer != nullptr) options_.observer->on_sent(message.text);
  link_->send(std::move(message));
}

/// Puts the exchange into the table and its request on the way, unless it is settled at once.
bool Core::send(Exchange& exchange) {
  const Request& request = exchange.request_;
  if (over_) {
    Loss loss = *over_;
    loss.may_have_run = false;
    exchange.shot_.set(std::unexpected(lost(std::move(loss))));
    return false;
  }
  if (pending_.size() >= options_.limits.pending) {
    Loss loss{.cause = Loss::Cause::local, .detail = "too many requests are under way"};
    exchange.shot_.set(std::unexpected(lost(std::move(loss))));
    return false;
  }
  exchange.id_ = next_id_++;
  pending_.emplace(exchange.id_, &exchange);
  const CallSettings& settings = request.options.settings();
  Envelope::Meta meta;
  meta.members = &settings.meta;
  meta.progress = static_cast<bool>(settings.on_progress);
  meta.log_level = settings.log_level;
  Outgoing message;
  message.key = exchange.id_;
  message.method = request.method;
  message.headers = headers_of(request);
  message.handshake = request.method == mcp::method::kInitialize;
  message.text = envelope_.request(static_cast<std::int64_t>(exchange.id_), request.method,
                                   request.members, meta);
  if (request.on_sent) request.on_sent(exchange.id_);
  transmit(std::move(message));
  return true;
}

/// Nobody waits any more: tells the server so, in the way of its era and transport.
void Core::withdraw(Exchange& exchange, std::string_view reason) {
  const std::uint64_t id = std::exchange(exchange.id_, 0);
  pending_.erase(id);
  withdrawn_.push_back(id);
  if (withdrawn_.size() > kWithdrawnMax) withdrawn_.pop_front();
  if (over_) return;
  const bool by_closing = link_->is_http() && envelope_.is_modern();
  if (!by_closing && exchange.request_.withdrawable) {
    std::string members = R"("requestId":)" + std::to_string(id);
    if (!reason.empty()) append_member(members, "reason", reason);
    notify(mcp::notification::kCancelled, members);
  }
  link_->abandon(id, by_closing);
}

void Core::settle(Exchange& exchange, Outcome<Answer> outcome) {
  const std::uint64_t id = std::exchange(exchange.id_, 0);
  pending_.erase(id);
  exchange.leave();
  exchange.shot_.set(std::move(outcome));
}

void Core::notify(std::string_view method, std::string_view members) {
  if (over_) return;
  Outgoing message;
  message.method = method;
  message.text = envelope_.notification(method, members);
  transmit(std::move(message));
}

Task<std::optional<Loss>> Core::deliver(std::string_view method, std::string_view members) {
  if (over_) co_return *over_;
  Ticket ticket(*this);
  Outgoing message;
  message.method = method;
  message.ticket = ticket.number;
  message.text = envelope_.notification(method, members);
  transmit(std::move(message));
  co_return co_await ticket.taken;
}

Task<std::optional<Loss>> Core::fall_back_to_sse() {
  if (over_) co_return *over_;
  Ticket ticket(*this);
  if (!link_->fall_back_to_sse(ticket.number)) {
    co_return Loss{.cause = Loss::Cause::local, .detail = "no other transport to try"};
  }
  co_return co_await ticket.taken;
}

void Core::respond(std::string text) {
  if (over_) return;
  if (link_->congested()) {
    report(Report::Kind::stray_request, "the server asks more than it takes answers: one is lost");
    return;
  }
  Outgoing message;
  message.text = std::move(text);
  transmit(std::move(message));
}

void Core::report(Report::Kind kind, std::string text) {
  if (options_.observer == nullptr) return;
  Report report;
  report.kind = kind;
  report.text = show(text);
  options_.observer->on_report(report);
}

void Core::end(Loss loss) {
  if (over_) return;
  over_ = loss;
  while (!pending_.empty()) {
    Exchange& exchange = *pending_.begin()->second;
    settle(exchange, std::unexpected(lost(loss)));
  }
  for (Ticket* const ticket : tickets_) ticket->taken.set(loss);
  peer_.on_over();
}

Task<void> Core::close_link() {
  runtime::OneShot<> closed(loop_);
  auto done = [&closed] { closed.set(); };
  link_->close(std::move(done));
  co_await closed;
}

// What comes in

void Core::on_message(std::string text, std::uint64_t key, bool last) {
  if (options_.observer != nullptr) options_.observer->on_received(text);
  json::ParseOptions parsing;
  parsing.limits.bytes = options_.limits.message_bytes;
  parsing.limits.depth = options_.limits.depth;
  json::Document document;
  if (const auto parsed = document.parse(std::move(text), parsing); !parsed) {
    malformed(document.text(), parsed.error().text(), key, last);
    return;
  }
  judge(std::move(document), key, last);
}

void Core::judge(json::Document document, std::uint64_t key, bool last) {
  const json::Value& root = document.root();
  const auto message = jsonrpc::read_message(root);
  if (!message) {
    malformed(document.text(), message.error().message, key, last);
    return;
  }
  switch (message->kind) {
    case jsonrpc::MessageKind::result:
    case jsonrpc::MessageKind::error:
      take_response(std::move(document), *message, key, last);
      return;
    case jsonrpc::MessageKind::notification:
      take_notification(*message, key);
      break;
    case jsonrpc::MessageKind::request:
      peer_.on_request(*message);
      break;
  }
  Exchange* const asked = last ? find(key) : nullptr;
  if (asked != nullptr) {
    link_->abandon(key, false);
    settle(*asked, std::unexpected(invalid("the reply is no response, but a message of the "
                                           "server's own")));
  }
}

Exchange* Core::find(std::uint64_t id) {
  const auto found = pending_.find(id);
  return found == pending_.end() ? nullptr : found->second;
}

/// The request under way with exactly that id: a number, as all of ours are.
Exchange* Core::asked_by(const jsonrpc::Message& message, const json::Value* id) {
  if (message.id.empty() || id == nullptr) return nullptr;
  const std::optional<std::uint64_t> number = id->as_uint64();
  return number ? find(*number) : nullptr;
}

void Core::take_response(json::Document document, const jsonrpc::Message& message,
                         std::uint64_t key, bool last) {
  const json::Value* const id = document.root().find("id");
  Exchange* asked = asked_by(message, id);
  const bool nameless = message.kind == jsonrpc::MessageKind::error && message.id.empty();
  if (asked == nullptr) report_stray(message, id);
  // A reply that is one error without id can only be about the request that it replies to.
  if (asked == nullptr && nameless && last) asked = find(key);
  if (asked == nullptr) {
    Exchange* const cheated = last ? find(key) : nullptr;
    if (cheated == nullptr) return;
    link_->abandon(key, false);
    settle(*cheated, std::unexpected(invalid("the reply answers another request")));
    return;
  }
  link_->abandon(asked->id_, false);
  if (message.kind == jsonrpc::MessageKind::error) {
    settle(*asked, std::unexpected(protocol_error(*message.outcome)));
  } else {
    const json::Value& result = *message.outcome;
    settle(*asked, Answer(std::move(document), result));
  }
}

void Core::report_stray(const jsonrpc::Message& message, const json::Value* id) {
  if (options_.observer == nullptr) return;
  using Kind = Report::Kind;
  if (message.id.empty() || id == nullptr) {
    const auto text = message.outcome->find_string("message").value_or("");
    return report(Kind::error_without_id, "an error names no request: " + std::string(text));
  }
  const std::string shown = "a response to request " + std::string(message.id.json());
  if (id->is_string()) {
    const auto number = json::Value::number(id->string());
    const auto value = number ? number->as_uint64() : std::nullopt;
    if (value && *value > 0 && *value < next_id_) {
      return report(Kind::wrong_id_type, shown + ", which was sent as a number");
    }
    return report(Kind::unknown_response, shown + ", which was never sent");
  }
  const std::optional<std::uint64_t> number = id->as_uint64();
  if (!number || *number == 0 || *number >= next_id_) {
    report(Kind::unknown_response, shown + ", which was never sent");
  } else if (std::find(withdrawn_.begin(), withdrawn_.end(), *number) != withdrawn_.end()) {
    report(Kind::late_response, shown + ", which was given up");
  } else {
    report(Kind::duplicate_response, shown + ", which is settled");
  }
}

void Core::malformed(std::string_view text, std::string_view why, std::uint64_t key, bool last) {
  std::string told = std::to_string(text.size()) + " bytes are no message (" + std::string(why) +
                     "): " + std::string(text.substr(0, 200));
  ++malformed_count_;
  malformed_last_ = show(told, 300);
  report(Report::Kind::malformed, told);
  if (Exchange* const asked = last ? find(key) : nullptr) {
    link_->abandon(key, false);
    settle(*asked,
           std::unexpected(invalid("the reply is not a JSON-RPC message: " + malformed_last_)));
  } else if (!link_->is_http() && options_.noise == Noise::fail) {
    Loss loss{.cause = Loss::Cause::local, .detail = "the server wrote what is no message: "};
    loss.detail += malformed_last_;
    loss.may_have_run = true;
    end(std::move(loss));
  }
}

void Core::take_notification(const jsonrpc::Message& message, std::uint64_t key) {
  if (message.method == mcp::notification::kProgress) {
    take_progress(message.params);
  } else {
    peer_.on_notification(message, key);
  }
}

void Core::take_progress(const json::Value* params) {
  static const json::Value kNone;
  const json::Value& given = params != nullptr ? *params : kNone;
  const json::Value* const token = given.find("progressToken");
  const json::Value* const amount = given.find("progress");
  const std::optional<std::uint64_t> id = token != nullptr ? token->as_uint64() : std::nullopt;
  Exchange* const exchange = id ? find(*id) : nullptr;
  const CallSettings* const settings =
      exchange != nullptr ? &exchange->request_.options.settings() : nullptr;
  if (settings == nullptr || !settings->on_progress || amount == nullptr || !amount->is_number()) {
    return report(Report::Kind::stray_progress,
                  "progress of nothing under way: " + json::to_string(given).substr(0, 200));
  }
  Progress progress;
  progress.progress = amount->as_double().value_or(0);
  if (const json::Value* const total = given.find("total")) progress.total = total->as_double();
  progress.message = std::string(given.find_string("message").value_or(""));
  exchange->progressed();
  // A copy, for it may end the call that holds it.
  const auto tell = settings->on_progress;
  tell(progress);
}

void Core::on_lost(std::uint64_t key, Loss loss) {
  Exchange* const exchange = find(key);
  if (exchange != nullptr) settle(*exchange, std::unexpected(lost(std::move(loss))));
}

void Core::on_taken(std::uint64_t ticket, std::optional<Loss> loss) {
  for (Ticket* const waiting : tickets_) {
    if (waiting->number == ticket) waiting->taken.set(std::move(loss));
  }
}

void Core::on_over(Loss loss) { end(std::move(loss)); }

void Core::on_http(std::string_view method, int status) {
  if (options_.observer != nullptr) options_.observer->on_http(method, status);
}

void Core::on_admission(std::uint64_t key, bool waiting) {
  if (Exchange* const exchange = find(key)) exchange->hold(waiting);
}

void Core::thought() {
  if (--thinking_ > 0) return;
  for (const auto& [key, exchange] : pending_) exchange->put_off();
}

// Exchange

Exchange::Exchange(Core& core, const Request& request)
    : core_(core), loop_(core.loop_), request_(request), shot_(core.loop_) {
  const CallSettings& settings = request.options.settings();
  const std::shared_ptr<Cancellation>& cancellation = settings.cancellation;
  if (cancellation && cancellation->cancelled()) {
    on_cancelled();
    return;
  }
  malformed_before_ = core.malformed_count_;
  if (!core.send(*this)) return;
  if (cancellation) watch(*cancellation);
  if (settings.total.count() > 0) last_moment_ = loop_.now() + settings.total;
  if (!request.endless) arm();
}

Exchange::~Exchange() {
  if (timer_ != runtime::TimerId::none) loop_.cancel(timer_);
  if (id_ != 0) core_.withdraw(*this, "");
}

void Exchange::on_cancelled() {
  const auto& cancellation = request_.options.settings().cancellation;
  const std::string& reason = cancellation->reason();
  if (id_ != 0) core_.withdraw(*this, reason);
  Failure failure;
  failure.kind = OutcomeKind::cancelled;
  failure.message = reason.empty() ? "cancelled" : "cancelled: " + reason;
  shot_.set(std::unexpected(std::move(failure)));
}

void Exchange::arm() {
  if (timer_ != runtime::TimerId::none) loop_.cancel(std::exchange(timer_, runtime::TimerId::none));
  const CallSettings& settings = request_.options.settings();
  const auto span = settings.timeout.count() > 0 ? settings.timeout : core_.options_.timeout;
  deadline_ = held_ ? last_moment_ : std::min(loop_.now() + span, last_moment_);
  if (deadline_ == runtime::TimePoint::max()) return;
  timer_ = loop_.call_after(deadline_ - loop_.now(), [this] { on_time(); });
}

/// A person may take minutes to log in. Only the bound on all time counts meanwhile.
void Exchange::hold(bool waiting) {
  if (held_ == waiting) return;
  held_ = waiting;
  if (!request_.endless) arm();
}

/// Progress moves the deadline; the timer finds out when it goes off.
void Exchange::progressed() {
  const CallSettings& settings = request_.options.settings();
  if (!settings.extend_on_progress || request_.endless || held_) return;
  put_off();
}

/// The whole span again, from now on.
void Exchange::put_off() {
  const CallSettings& settings = request_.options.settings();
  const auto span = settings.timeout.count() > 0 ? settings.timeout : core_.options_.timeout;
  deadline_ = std::min(loop_.now() + span, last_moment_);
}

void Exchange::on_time() {
  timer_ = runtime::TimerId::none;
  if (id_ == 0) return;
  if (core_.thinking_ > 0 && loop_.now() < last_moment_) put_off();
  if (loop_.now() < deadline_) {
    timer_ = loop_.call_after(deadline_ - loop_.now(), [this] { on_time(); });
    return;
  }
  const std::uint64_t strange = core_.malformed_count_ - malformed_before_;
  leave();
  core_.withdraw(*this, "timeout");
  Failure failure;
  failure.kind = OutcomeKind::timeout;
  failure.message = "no response to " + request_.method + " in time";
  if (strange > 0) {
    failure.message += "; meanwhile " + std::to_string(strange) +
                       " malformed message(s) came, the last: " + core_.malformed_last_;
  }
  shot_.set(std::unexpected(std::move(failure)));
}

}  // namespace squall::client
