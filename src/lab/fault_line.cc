#include "fault_line.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "squall/base/crypto.h"
#include "squall/base/text.h"
#include "squall/fault/catalogue.h"
#include "squall/json/parse.h"
#include "squall/jsonrpc/message.h"

namespace squall::lab {

namespace {

using client::Loss;
using client::Outgoing;
using inject::Exchange;

/// Requests of one connection whose faults are remembered.
constexpr std::size_t kExchangesMax = 10'000;

std::string sha256_hex(std::string_view bytes) {
  const base::Sha256 hash = base::sha256(bytes);
  return base::hex_encode({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

bool is_of_messages(fault::Layer layer) {
  return layer == fault::Layer::message || layer == fault::Layer::tool ||
         layer == fault::Layer::catalogue;
}

/// A link whose messages go through the injector, both ways.
class FaultLink final : public client::Link, private client::Link::Receiver {
 public:
  FaultLink(FaultLine& line, std::uint32_t connection, std::unique_ptr<client::Link> inner)
      : line_(line), connection_(connection), inner_(std::move(inner)) {}
  ~FaultLink() override {
    for (const runtime::TimerId timer : timers_) line_.loop().cancel(timer);
  }

  void start(Link::Receiver& receiver, const client::Options& options) override {
    receiver_ = &receiver;
    inner_->start(*this, options);
    inject::Opened opened;
    opened.place = place();
    opened.now = now();
    carry_out(line_.injector().on(opened), {});
  }

  void send(Outgoing message) override {
    Arrival arrival;
    arrival.in = line_.wire().arrive(connection_, recording::Party::client, message.text);
    arrival.exchange = arrival.in;
    arrival.to_upstream = true;
    arrival.text = message.text;
    const auto parsed = json::parse(message.text);
    if (message.key != 0) remember(message.key, arrival.exchange);
    std::vector<inject::Header> headers;
    for (const auto& [name, value] : message.headers) headers.emplace_back(name, value);
    inject::ClientMessage event;
    event.exchange = arrival.exchange;
    event.place = place();
    event.bytes = arrival.text;
    event.message = parsed ? &*parsed : nullptr;
    event.http_method = inner_->is_http() ? "POST" : "";
    event.headers = headers;
    event.now = now();
    inject::Reaction reaction = line_.injector().on(event);
    if (reaction.untouched) {
      note(std::move(reaction.records));
      return inner_->send(std::move(message));
    }
    const std::uint64_t ticket = message.ticket;
    outgoing_[arrival.exchange] = std::move(message);
    carry_out(std::move(reaction), arrival);
    // Nobody waits for what is held back or lost: it has left.
    if (ticket != 0) later({}, [this, ticket] { receiver_->on_taken(ticket, std::nullopt); });
  }

  void abandon(std::uint64_t key, bool close) override {
    inner_->abandon(key, close);
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return;
    inject::Ended ended;
    ended.what = close ? inject::Ended::What::cancelled : inject::Ended::What::exchange;
    ended.exchange = found->second;
    ended.place = place();
    ended.now = now();
    forget(key);
    carry_out(line_.injector().on(ended), {});
  }
  void set_revision(mcp::Revision revision) override {
    revision_ = mcp::to_text(revision);
    inner_->set_revision(revision);
  }
  void open_stream() override { inner_->open_stream(); }
  void forget_session() override { inner_->forget_session(); }
  bool fall_back_to_sse(std::uint64_t ticket) override { return inner_->fall_back_to_sse(ticket); }
  void close(std::move_only_function<void()> done) override { inner_->close(std::move(done)); }
  [[nodiscard]] bool congested() const override { return inner_->congested(); }
  [[nodiscard]] bool is_http() const override { return inner_->is_http(); }
  [[nodiscard]] std::string origin() const override { return inner_->origin(); }

 private:
  /// What a reaction is about.
  struct Arrival {
    std::uint64_t in = 0;
    Exchange exchange = 0;
    bool to_upstream = false;
    bool last = false;
    std::string text;
  };

  // What comes from the target

  void on_message(std::string text, std::uint64_t key, bool last) override {
    Arrival arrival;
    arrival.in = line_.wire().arrive(connection_, recording::Party::server, text);
    arrival.text = std::move(text);
    arrival.last = last;
    const auto parsed = json::parse(arrival.text);
    const std::uint64_t asked = key != 0 ? key : key_of(parsed ? &*parsed : nullptr);
    const auto found = by_key_.find(asked);
    if (found != by_key_.end()) arrival.exchange = found->second;
    inject::ServerMessage event;
    event.in = arrival.in;
    event.exchange = arrival.exchange;
    event.place = place();
    event.bytes = arrival.text;
    event.message = parsed ? &*parsed : nullptr;
    event.on_stream = inner_->is_http() && !last;
    event.now = now();
    inject::Reaction reaction = line_.injector().on(event);
    if (reaction.untouched) {
      note(std::move(reaction.records));
      return receiver_->on_message(std::move(arrival.text), key, last);
    }
    carry_out(std::move(reaction), arrival);
  }
  void on_lost(std::uint64_t key, Loss loss) override { receiver_->on_lost(key, std::move(loss)); }
  void on_admission(std::uint64_t key, bool waiting) override {
    receiver_->on_admission(key, waiting);
  }
  void on_taken(std::uint64_t ticket, std::optional<Loss> loss) override {
    receiver_->on_taken(ticket, std::move(loss));
  }
  void on_over(Loss loss) override { receiver_->on_over(std::move(loss)); }
  void on_gap() override { receiver_->on_gap(); }
  void on_report(client::Report report) override { receiver_->on_report(std::move(report)); }
  void on_http(std::string_view method, int status) override {
    receiver_->on_http(method, status);
  }

  // What is to be done

  void carry_out(inject::Reaction reaction, const Arrival& arrival) {
    note(std::move(reaction.records));
    for (inject::Command& command : reaction.commands) {
      if (auto* const send = std::get_if<inject::Send>(&command)) {
        hand_on(std::move(*send), arrival);
      } else if (auto* const answer = std::get_if<inject::Answer>(&command)) {
        const auto after = answer->after;
        later(after, [this, answer = std::move(*answer)]() mutable { reply(std::move(answer)); });
      } else if (const auto* const end = std::get_if<inject::End>(&command)) {
        later(end->after, [this, end = *end] { cut(end); });
      } else if (const auto* const wake = std::get_if<inject::Wake>(&command)) {
        later(wake->after, [this, token = wake->token] {
          inject::Woken woken;
          woken.token = token;
          woken.now = now();
          carry_out(line_.injector().on(woken), {});
        });
      }
      // Shapes of responses, lines and processes belong to layers that `make` refuses.
    }
  }

  void hand_on(inject::Send send, const Arrival& arrival) {
    const bool as_it_came = !send.bytes.has_value();
    std::string bytes = as_it_came ? arrival.text : *std::move(send.bytes);
    if (send.to == inject::Send::To::upstream) {
      const auto found = outgoing_.find(send.exchange != 0 ? send.exchange : arrival.exchange);
      Outgoing message = found != outgoing_.end() ? found->second : Outgoing();
      message.text = std::move(bytes);
      message.ticket = 0;
      for (auto& [name, value] : send.set_headers) message.headers.emplace_back(name, value);
      std::erase_if(message.headers, [&](const auto& header) {
        return std::ranges::find(send.drop_headers, header.first) != send.drop_headers.end();
      });
      // At once where there is no delay: what is sent behind it must not overtake it.
      if (send.after == runtime::Duration::zero()) return inner_->send(std::move(message));
      return later(send.after, [this, message = std::move(message)]() mutable {
        inner_->send(std::move(message));
      });
    }
    const Exchange whose = send.via == inject::Send::Via::other_exchange ? send.other
                                                                         : send.exchange;
    recording::Delivered delivered;
    delivered.in = arrival.in;
    delivered.delivery = send.delivery;
    delivered.rule = send.rule;
    delivered.how = send.how;
    delivered.drawn = send.after;
    if (!as_it_came) delivered.payload.emplace(bytes);
    delivered.sha256 = sha256_hex(bytes);
    const bool last = inner_->is_http() && (send.last || (as_it_came && arrival.last));
    later(send.after, [this, whose, last, bytes = std::move(bytes),
                       delivered = std::move(delivered)]() mutable {
      record(std::move(delivered));
      receiver_->on_message(std::move(bytes), key_by(whose), last);
    });
  }

  /// An HTTP answer in place of the target's: a JSON-RPC error in it is a message like any other.
  void reply(inject::Answer answer) {
    recording::Delivered delivered;
    delivered.delivery = recording::Delivery::made_up;
    delivered.rule = answer.rule;
    delivered.how = answer.how;
    delivered.payload.emplace(answer.body);
    delivered.sha256 = sha256_hex(answer.body);
    record(std::move(delivered));
    const std::uint64_t key = key_by(answer.exchange);
    inner_->abandon(key, true);
    receiver_->on_http("POST", static_cast<int>(answer.status));
    const auto parsed = json::parse(answer.body);
    if (parsed && parsed->contains("jsonrpc")) {
      return receiver_->on_message(std::move(answer.body), key, true);
    }
    Loss loss;
    loss.cause = Loss::Cause::http_status;
    loss.status = static_cast<int>(answer.status);
    loss.detail = "HTTP status " + std::to_string(answer.status);
    receiver_->on_lost(key, std::move(loss));
  }

  void cut(const inject::End& end) {
    recording::Delivered delivered;
    delivered.delivery = recording::Delivery::lost;
    delivered.rule = end.rule;
    delivered.how = end.how_text;
    record(std::move(delivered));
    if (!inner_->is_http()) return;  // there only the process could end
    const std::uint64_t key = key_by(end.exchange);
    inner_->abandon(key, true);
    Loss loss;
    loss.cause = end.how == inject::Cut::close ? Loss::Cause::ended : Loss::Cause::reset;
    loss.detail = end.how == inject::Cut::close ? "the reply ended without the response"
                                                : "the connection broke amid the reply";
    loss.may_have_run = true;
    receiver_->on_lost(key, std::move(loss));
  }

  void record(recording::Delivered delivered) {
    delivered.connection = connection_;
    if (delivered.delivery != recording::Delivery::lost) delivered.out = line_.next_delivery();
    line_.wire().record(std::move(delivered));
  }
  void note(std::vector<recording::EventBody> records) {
    for (recording::EventBody& body : records) line_.wire().record(std::move(body));
  }

  /// Always by way of the loop: the client is never called from inside its own call.
  template <typename Act>
  void later(runtime::Duration after, Act act) {
    const auto timer = std::make_shared<runtime::TimerId>(runtime::TimerId::none);
    *timer = line_.loop().call_after(after, [this, timer, act = std::move(act)]() mutable {
      timers_.erase(*timer);
      act();
    });
    timers_.insert(*timer);
  }

  // Requests

  void remember(std::uint64_t key, Exchange exchange) {
    if (by_key_.size() >= kExchangesMax) forget(by_key_.begin()->first);
    by_key_[key] = exchange;
    by_exchange_[exchange] = key;
  }
  void forget(std::uint64_t key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return;
    outgoing_.erase(found->second);
    by_exchange_.erase(found->second);
    by_key_.erase(found);
  }
  [[nodiscard]] std::uint64_t key_by(Exchange exchange) const {
    const auto found = by_exchange_.find(exchange);
    return found == by_exchange_.end() ? 0 : found->second;
  }
  /// A channel doesn't say which request a message belongs to; its id does.
  static std::uint64_t key_of(const json::Value* message) {
    const json::Value* const id = message != nullptr ? message->find("id") : nullptr;
    if (id == nullptr || message->contains("method")) return 0;
    return id->as_uint64().value_or(0);
  }

  [[nodiscard]] inject::Place place() const {
    inject::Place out;
    out.connection = connection_;
    out.revision = revision_;
    out.transport = inner_->is_http() ? fault::Transport::http : fault::Transport::stdio;
    return out;
  }
  [[nodiscard]] std::chrono::nanoseconds now() const { return line_.wire().elapsed(); }

  FaultLine& line_;
  const std::uint32_t connection_;
  std::unique_ptr<client::Link> inner_;
  Link::Receiver* receiver_ = nullptr;
  std::string revision_;
  std::map<std::uint64_t, Exchange> by_key_;
  std::map<Exchange, std::uint64_t> by_exchange_;
  std::map<Exchange, Outgoing> outgoing_;  // messages that faults have taken over
  std::set<runtime::TimerId> timers_;
};

}  // namespace

Result<std::unique_ptr<FaultLine>> FaultLine::make(const FaultSetup& setup, runtime::Loop& loop,
                                                   WireLog& wire) {
  for (const fault::Rule& rule : setup.profile.rules) {
    if (is_of_messages(rule.kind->layer)) continue;
    return fail(ErrorKind::invalid,
                "rule " + rule.id + ": a scenario's faults are those of messages, tools and "
                                    "catalogues; " +
                    std::string(rule.kind->name) + " is for squall serve and squall proxy");
  }
  inject::InjectorOptions options;
  options.record = true;
  SQUALL_TRY(auto injector, inject::Injector::make(setup.profile, setup.seed, std::move(options)));
  return std::unique_ptr<FaultLine>(new FaultLine(std::move(injector), loop, wire));
}

std::unique_ptr<client::Link> FaultLine::in_front_of(std::unique_ptr<client::Link> link) {
  return std::make_unique<FaultLink>(*this, ++connections_, std::move(link));
}

std::vector<std::string> FaultLine::fired() const {
  std::vector<std::string> out;
  for (const auto& [rule, count] : injector_->fired()) {
    if (count > 0) out.push_back(rule);
  }
  return out;
}

}  // namespace squall::lab
