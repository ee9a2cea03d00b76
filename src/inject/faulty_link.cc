#include "squall/inject/faulty_link.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "squall/base/text.h"
#include "squall/json/write.h"
#include "squall/mcp/names.h"
#include "squall/transport/sse.h"

#include "reply.h"

namespace squall::inject {

namespace {

using client::Loss;
using client::Outgoing;
using std::chrono::nanoseconds;

/// The id of a message as JSON text, or "".
std::string id_of(const json::Value& message) {
  const json::Value* id = message.find("id");
  return id == nullptr ? "" : json::to_string(*id);
}

/// What a message's `params` or `params._meta` says under `name`, as JSON text.
std::string param(const json::Value& message, std::string_view name, bool in_meta) {
  const json::Value* params = message.find("params");
  const json::Value* from = params == nullptr || !in_meta ? params : params->find("_meta");
  const json::Value* value = from == nullptr ? nullptr : from->find(name);
  return value == nullptr ? "" : json::to_string(*value);
}

bool breaks_body(const Shape& shape) {
  const auto& headers = shape.set_headers;
  const bool lies = std::ranges::any_of(headers, [](const auto& header) {
    return header.first == "Content-Type" ? header.second == "text/html"
                                          : header.first == "Content-Encoding";
  });
  return lies || shape.chunks != Shape::Chunks::right || shape.length_off > 0 ||
         !shape.drop_headers.empty() || shape.pace.cut_after.has_value();
}

class FaultyLink final : public client::Link, private client::Link::Receiver {
 public:
  FaultyLink(runtime::Loop& loop, std::unique_ptr<client::Link> link, Injector& injector,
             FaultyLinkOptions options)
      : loop_(loop), inner_(std::move(link)), injector_(injector), options_(options) {
    if (options_.arrivals == nullptr) options_.arrivals = &own_arrivals_;
    if (options_.began == runtime::TimePoint{}) options_.began = loop.now();
  }

  void start(Link::Receiver& receiver, const client::Options& options) override {
    receiver_ = &receiver;
    inner_->start(*this, options);
    open(Opened::What::connection, 0);
    if (!is_http()) open(Opened::What::process, 0);
  }

  void send(Outgoing message) override {
    const Exchange exchange = ++*options_.arrivals;
    const auto parsed = parse_message(message.text);
    if (message.key != 0) note_request(exchange, message, parsed);
    record_message(exchange, recording::Party::client, message.text);
    if (deaf_) return;
    if (dead_) return lose_later(message.key, Loss::Cause::connect, "the connection is refused");
    if (message.method == mcp::notification::kCancelled && parsed && is_swallowed(*parsed)) return;
    ClientMessage arrival;
    arrival.exchange = exchange;
    arrival.place = place();
    arrival.bytes = message.text;
    arrival.message = parsed ? &*parsed : nullptr;
    if (is_http()) arrival.http_method = "POST";
    std::vector<Header> headers(message.headers.begin(), message.headers.end());
    arrival.headers = headers;
    arrival.now = now();
    Reaction reaction = injector_.on(arrival);
    carry_out(std::move(reaction), exchange, &message, true);
  }

  void abandon(std::uint64_t key, bool close) override {
    const auto at = keys_.find(key);
    if (at != keys_.end()) {
      const Exchange exchange = at->second;
      forget(exchange);
      carry_out(injector_.on(Ended{Ended::What::exchange, exchange, place(), now()}), exchange,
                nullptr, true);
    }
    inner_->abandon(key, close);
  }

  void set_revision(mcp::Revision revision) override {
    revision_ = mcp::to_text(revision);
    inner_->set_revision(revision);
  }
  void open_stream() override { inner_->open_stream(); }
  void forget_session() override {
    end_session();
    inner_->forget_session();
  }
  bool fall_back_to_sse(std::uint64_t ticket) override { return inner_->fall_back_to_sse(ticket); }
  void close(std::move_only_function<void()> done) override {
    end_session();
    inner_->close(std::move(done));
  }
  [[nodiscard]] bool congested() const override { return inner_->congested(); }
  [[nodiscard]] bool is_http() const override { return inner_->is_http(); }
  [[nodiscard]] std::string origin() const override { return inner_->origin(); }

 private:
  struct Known {
    std::uint64_t key = 0;
    std::string id;
    std::string token;
    bool handshake = false;
    bool sent = false;  ///< the server has it
    Shape shape{};
    bool shaped = false;
    transport::SseReader events{};
  };

  // --- of the link below

  void on_message(std::string text, std::uint64_t key, bool last) override {
    const auto parsed = parse_message(text);
    const Exchange exchange = exchange_of(key, parsed);
    if (key != 0 && exchange == 0) return;  // over, as far as the client knows
    const std::uint64_t in = ++*options_.arrivals;
    record_message(in, recording::Party::server, text);
    const auto known = exchanges_.find(exchange);
    if (known != exchanges_.end() && known->second.handshake && is_http() && parsed &&
        parsed->contains("result")) {
      session_ = "session-" + std::to_string(++sessions_);
      known->second.handshake = false;
      open(Opened::What::session, exchange);
    }
    ServerMessage message;
    message.in = in;
    message.exchange = exchange;
    message.place = place();
    message.bytes = text;
    message.message = parsed ? &*parsed : nullptr;
    message.on_stream = is_http() && !last;
    message.now = now();
    Reaction reaction = injector_.on(message);
    take_records(reaction);
    if (reaction.untouched && !is_shaped(exchange)) {
      if (mute_) return;
      record_delivered(Send{}, in, text);
      const auto wait = line_delay(text.size());
      if (wait.count() == 0) return hand_over(std::move(text), exchange, key, last);
      later(wait, [this, text = std::move(text), exchange, key, last]() mutable {
        hand_over(std::move(text), exchange, key, last);
      });
      return;
    }
    if (reaction.untouched) {
      Send send;
      send.exchange = exchange;
      send.last = last;
      reaction.commands.emplace_back(std::move(send));
    }
    current_in_ = in;
    run_all(reaction, text, nullptr, false);
  }
  void on_lost(std::uint64_t key, Loss loss) override {
    const auto at = keys_.find(key);
    if (at == keys_.end()) return;
    const Exchange exchange = at->second;
    carry_out(injector_.on(Ended{Ended::What::exchange, exchange, place(), now()}), exchange,
              nullptr, false);
    forget(exchange);
    receiver_->on_lost(key, std::move(loss));
  }
  void on_admission(std::uint64_t key, bool waiting) override {
    receiver_->on_admission(key, waiting);
  }
  void on_taken(std::uint64_t ticket, std::optional<Loss> loss) override {
    receiver_->on_taken(ticket, std::move(loss));
  }
  void on_over(Loss loss) override {
    if (!std::exchange(over_, true)) receiver_->on_over(std::move(loss));
  }
  void on_gap() override { receiver_->on_gap(); }
  void on_report(client::Report report) override { receiver_->on_report(std::move(report)); }
  void on_http(std::string_view method, int status) override { receiver_->on_http(method, status); }

  // --- who is who

  void note_request(Exchange exchange, const Outgoing& message,
                    const std::optional<json::Value>& parsed) {
    Known known;
    known.key = message.key;
    known.handshake = message.handshake;
    if (parsed) {
      known.id = id_of(*parsed);
      known.token = param(*parsed, mcp::meta::kProgressToken, true);
    }
    ids_[known.id] = exchange;
    keys_[message.key] = exchange;
    exchanges_[exchange] = std::move(known);
  }
  void forget(Exchange exchange) {
    const auto at = exchanges_.find(exchange);
    if (at == exchanges_.end()) return;
    keys_.erase(at->second.key);
    ids_.erase(at->second.id);
    exchanges_.erase(at);
  }
  /// On a line nothing but ids and tokens tells what belongs together.
  [[nodiscard]] Exchange exchange_of(std::uint64_t key,
                                     const std::optional<json::Value>& message) const {
    if (const auto at = keys_.find(key); key != 0 && at != keys_.end()) return at->second;
    if (key != 0 || !message) return 0;
    if (!message->contains("method")) {
      const auto at = ids_.find(id_of(*message));
      return at == ids_.end() ? 0 : at->second;
    }
    const std::string token = param(*message, mcp::meta::kProgressToken, false);
    if (token.empty()) return 0;
    for (const auto& [exchange, known] : exchanges_) {
      if (known.token == token) return exchange;
    }
    return 0;
  }
  [[nodiscard]] std::uint64_t key_of(Exchange exchange) const {
    const auto at = exchanges_.find(exchange);
    return at == exchanges_.end() ? 0 : at->second.key;
  }
  [[nodiscard]] bool is_shaped(Exchange exchange) const {
    const auto at = exchanges_.find(exchange);
    return at != exchanges_.end() && at->second.shaped;
  }
  [[nodiscard]] Place place() const {
    Place out;
    out.connection = options_.connection;
    out.process = is_http() ? 0 : 1;
    out.session = session_;
    out.revision = revision_;
    out.transport = is_http() ? fault::Transport::http : fault::Transport::stdio;
    return out;
  }
  [[nodiscard]] nanoseconds now() const { return loop_.now() - options_.began; }

  void open(Opened::What what, Exchange exchange) {
    carry_out(injector_.on(Opened{what, place(), exchange, now()}), exchange, nullptr, true);
  }
  void end_session() {
    if (session_.empty()) return;
    carry_out(injector_.on(Ended{Ended::What::session, 0, place(), now()}), 0, nullptr, true);
    session_.clear();
  }
  /// Whether a cancellation is none of the server's business: it never heard of the request, or its
  /// late answer is wanted.
  bool is_swallowed(const json::Value& cancellation) {
    const auto at = ids_.find(param(cancellation, "requestId", false));
    if (at == ids_.end()) return false;
    const Exchange exchange = at->second;
    Reaction reaction = injector_.on(Ended{Ended::What::cancelled, exchange, place(), now()});
    const bool swallowed = !reaction.untouched;
    carry_out(std::move(reaction), exchange, nullptr, true);
    return swallowed;
  }

  // --- what is to be done

  void take_records(Reaction& reaction) {
    if (options_.recorder == nullptr) return;
    for (recording::EventBody& body : reaction.records) {
      options_.recorder->add(now(), std::move(body));
    }
  }
  void record_message(std::uint64_t in, recording::Party from, std::string_view bytes) {
    if (options_.recorder == nullptr) return;
    recording::Message message;
    message.connection = static_cast<std::uint32_t>(options_.connection);
    message.from = from;
    message.in = in;
    message.payload = recording::Payload(bytes);
    options_.recorder->add(now(), std::move(message));
  }
  void record_delivered(const Send& send, std::uint64_t in, std::string_view bytes) {
    if (options_.recorder == nullptr) return;
    recording::Delivered delivered = to_record(send, bytes);
    delivered.connection = static_cast<std::uint32_t>(options_.connection);
    delivered.to =
        send.to == Send::To::client ? recording::Party::client : recording::Party::server;
    delivered.in = in;
    delivered.out = ++deliveries_;
    options_.recorder->add(now(), std::move(delivered));
  }

  /// `inside`: within a call of the client's, where nothing may be told to it yet.
  void carry_out(Reaction reaction, Exchange exchange, Outgoing* message, bool inside) {
    take_records(reaction);
    if (reaction.untouched) {
      if (message != nullptr) pass(std::move(*message), exchange);
      return;
    }
    current_in_ = exchange;
    const std::string text = message == nullptr ? "" : message->text;
    run_all(reaction, text, message, inside);
  }
  /// The client may be done with us at any message that it is given.
  void run_all(Reaction& reaction, const std::string& text, Outgoing* message, bool inside) {
    const std::weak_ptr<char> alive = alive_;
    for (Command& command : reaction.commands) {
      run(command, text, message, inside);
      if (alive.expired()) return;
    }
  }
  void pass(Outgoing message, Exchange exchange) {
    const auto at = exchanges_.find(exchange);
    if (at != exchanges_.end()) at->second.sent = true;
    inner_->send(std::move(message));
  }
  template <typename Task>
  void later(nanoseconds after, Task task) {
    loop_.call_after(after, [alive = std::weak_ptr<char>(alive_),
                             task = std::move(task)]() mutable {
      if (!alive.expired()) task();
    });
  }

  void run(Command& command, std::string_view text, Outgoing* message, bool inside) {
    if (Send* send = std::get_if<Send>(&command)) {
      std::string bytes = send->bytes ? *std::move(send->bytes) : std::string(text);
      if (send->to == Send::To::upstream) return send_up(*send, std::move(bytes), message);
      return deliver(*send, std::move(bytes), inside);
    }
    if (const Answer* answer = std::get_if<Answer>(&command)) {
      return later(answer->after, [this, one = *answer] { answer_with(one); });
    }
    if (const End* end = std::get_if<End>(&command)) {
      if (!is_http()) return;
      return later(end->after, [this, one = *end] {
        lose(one.exchange, one.how == Cut::close ? Loss::Cause::ended : Loss::Cause::reset,
             one.how_text);
      });
    }
    if (const Wake* wake = std::get_if<Wake>(&command)) {
      return later(wake->after, [this, token = wake->token] {
        carry_out(injector_.on(Woken{token, now()}), 0, nullptr, false);
      });
    }
    if (Shape* shape = std::get_if<Shape>(&command)) return keep_shape(std::move(*shape));
    if (const Line* line = std::get_if<Line>(&command)) return take_line(*line);
    if (const ProcessAct* act = std::get_if<ProcessAct>(&command)) return take_act(*act);
  }

  void send_up(const Send& send, std::string bytes, Outgoing* message) {
    record_delivered(send, current_in_, bytes);
    Outgoing out;
    if (message != nullptr) {
      out = *message;
      message->key = 0;  // of several copies the first is the request
      message->ticket = 0;
    }
    out.text = std::move(bytes);
    for (const std::string& name : send.drop_headers) {
      std::erase_if(out.headers, [&name](const auto& header) {
        return base::equals_ignoring_case(header.first, name);
      });
    }
    for (const auto& [name, value] : send.set_headers) {
      std::erase_if(out.headers, [&name](const auto& header) {
        return base::equals_ignoring_case(header.first, name);
      });
      out.headers.emplace_back(name, value);
    }
    const Exchange exchange = send.exchange;
    if (send.after.count() == 0) return pass(std::move(out), exchange);
    later(send.after, [this, exchange, out = std::move(out)]() mutable {
      if (exchanges_.contains(exchange) || out.key == 0) pass(std::move(out), exchange);
    });
  }

  [[nodiscard]] nanoseconds line_delay(std::size_t bytes) const {
    nanoseconds out = std::max(nanoseconds{}, held_until_ - now());
    out += pace_.latency + pace_.jitter / 2;
    if (pace_.bytes_per_second != 0) {
      out += nanoseconds(bytes * 1'000'000'000 / pace_.bytes_per_second);
    }
    return out;
  }

  void deliver(const Send& send, std::string bytes, bool inside) {
    if (mute_) return;
    record_delivered(send, current_in_, bytes);
    nanoseconds after = send.after + line_delay(bytes.size());
    const auto at = exchanges_.find(send.exchange);
    if (at != exchanges_.end() && at->second.shaped) {
      after += at->second.shape.pace.over + at->second.shape.pace.latency;
    }
    if (after.count() == 0 && !inside) return hand_over(send, std::move(bytes));
    later(after, [this, send, bytes = std::move(bytes)]() mutable {
      hand_over(send, std::move(bytes));
    });
  }
  void hand_over(const Send& send, std::string bytes) {
    Exchange exchange = send.exchange;
    if (send.via == Send::Via::get_stream) exchange = 0;
    if (send.via == Send::Via::other_exchange) exchange = send.other;
    if (send.form == Send::Form::raw) return hand_over_lines(bytes);
    if (send.form == Send::Form::event) return hand_over_event(send, bytes);
    hand_over(std::move(bytes), exchange, key_of(exchange), send.last);
  }
  void hand_over(std::string bytes, Exchange exchange, std::uint64_t key, bool last) {
    if (over_) return;
    const auto at = exchanges_.find(exchange);
    if (last && at != exchanges_.end()) {
      if (reset_at_response_ || (at->second.shaped && breaks_body(at->second.shape))) {
        return lose(exchange, Loss::Cause::reset, "the reply broke off");
      }
      if (at->second.shaped && at->second.shape.length_off < 0) {
        bytes.resize(bytes.size() - std::min<std::size_t>(bytes.size(), 10));
      }
    }
    if (last) forget(exchange);
    receiver_->on_message(std::move(bytes), key, last);
  }
  void hand_over_lines(std::string_view bytes) {
    for (std::size_t end; (end = bytes.find('\n')) != std::string_view::npos;) {
      std::string line(bytes.substr(0, end));
      bytes.remove_prefix(end + 1);
      if (!line.empty() && line != "\r") receiver_->on_message(std::move(line), 0, false);
    }
  }
  void hand_over_event(const Send& send, std::string_view bytes) {
    const auto at = exchanges_.find(send.exchange);
    if (at == exchanges_.end()) return;
    std::vector<std::string> data;
    const bool fits = at->second.events.feed(bytes, [&data](transport::SseReader::Event&& event) {
      if (event.has_data && event.type == "message") data.push_back(std::move(event.data));
    });
    if (!fits) return lose(send.exchange, Loss::Cause::reset, "an event beyond all limits");
    for (std::string& one : data) {
      hand_over(std::move(one), send.exchange, key_of(send.exchange), send.last);
    }
    // The stream ends behind its last event, whether the client could read that or not.
    if (send.last && data.empty()) lose(send.exchange, Loss::Cause::ended, "no response came");
  }

  void answer_with(const Answer& answer) {
    const std::uint64_t key = key_of(answer.exchange);
    receiver_->on_http("POST", static_cast<int>(answer.status));
    if (key == 0) return;
    const bool sent = exchanges_.at(answer.exchange).sent;
    const auto parsed = parse_message(answer.body);
    if (parsed && answer.status != 401 && answer.status != 403) {
      forget(answer.exchange);
      return receiver_->on_message(answer.body, key, true);
    }
    Loss loss;
    loss.cause = Loss::Cause::http_status;
    if (answer.status == 401 || answer.status == 403) loss.cause = Loss::Cause::unauthorized;
    if (answer.status == 404 && !session_.empty()) loss.cause = Loss::Cause::session;
    loss.status = static_cast<int>(answer.status);
    loss.detail = "HTTP status " + std::to_string(answer.status);
    loss.may_have_run = sent;
    for (const auto& [name, value] : answer.headers) {
      std::int64_t seconds = 0;
      const char* last = value.data() + value.size();
      if (name != "Retry-After") continue;
      if (std::from_chars(value.data(), last, seconds).ptr != last) continue;
      loss.retry_after_ms = std::min<std::int64_t>(seconds, std::int64_t{1} << 40) * 1000;
    }
    forget(answer.exchange);
    receiver_->on_lost(key, std::move(loss));
  }
  void lose(Exchange exchange, Loss::Cause cause, std::string why) {
    const auto at = exchanges_.find(exchange);
    if (at == exchanges_.end()) return;
    Loss loss;
    loss.cause = cause;
    loss.detail = std::move(why);
    loss.may_have_run = at->second.sent;
    const std::uint64_t key = at->second.key;
    forget(exchange);
    receiver_->on_lost(key, std::move(loss));
  }
  void lose_later(std::uint64_t key, Loss::Cause cause, std::string why) {
    const auto at = keys_.find(key);
    if (key == 0 || at == keys_.end()) return;
    later({}, [this, exchange = at->second, cause, why = std::move(why)]() mutable {
      lose(exchange, cause, std::move(why));
    });
  }
  void keep_shape(Shape shape) {
    const auto at = exchanges_.find(shape.exchange);
    if (at == exchanges_.end()) return;
    at->second.shape = std::move(shape);
    at->second.shaped = true;
  }
  void take_line(const Line& line) {
    switch (line.what) {
      case Line::What::refuse:
      case Line::What::close:
        dead_ = true;
        break;
      case Line::What::ignore:
      case Line::What::deaf:
        deaf_ = true;
        break;
      case Line::What::mute:
        mute_ = true;
        break;
      case Line::What::reset:
        reset_at_response_ = line.when != Line::When::after_response;
        break;
      case Line::What::pace:
        pace_ = line.pace;
        break;
      case Line::What::close_slowly:
        break;
    }
  }
  void take_act(const ProcessAct& act) {
    using What = ProcessAct::What;
    if (act.what == What::signal || act.what == What::exit || act.what == What::close_stdout) {
      later(act.after, [this, how = act.how] {
        Loss loss;
        loss.cause = Loss::Cause::child_exited;
        loss.detail = how;
        loss.may_have_run = true;
        on_over(std::move(loss));
      });
    } else if (act.what == What::hold_start) {
      held_until_ = now() + act.after;
    } else if (act.what == What::stop) {
      held_until_ = now() + act.lasting;
    } else if (act.what == What::stop_reading || act.what == What::close_stdin) {
      deaf_ = true;
    }
  }

  runtime::Loop& loop_;
  std::unique_ptr<client::Link> inner_;
  Injector& injector_;
  FaultyLinkOptions options_;
  Link::Receiver* receiver_ = nullptr;
  std::uint64_t own_arrivals_ = 0;
  std::uint64_t deliveries_ = 0;
  std::uint64_t current_in_ = 0;  // the arrival that is being answered
  std::uint64_t sessions_ = 0;
  std::string session_;
  std::string revision_;
  std::map<Exchange, Known> exchanges_;
  std::unordered_map<std::uint64_t, Exchange> keys_;
  std::unordered_map<std::string, Exchange> ids_;
  bool dead_ = false;
  bool deaf_ = false;
  bool mute_ = false;
  bool over_ = false;
  bool reset_at_response_ = false;
  Pace pace_;
  nanoseconds held_until_{};
  std::shared_ptr<char> alive_ = std::make_shared<char>();  // what timers look at
};

}  // namespace

std::unique_ptr<client::Link> make_faulty_link(runtime::Loop& loop,
                                               std::unique_ptr<client::Link> link,
                                               Injector& injector, FaultyLinkOptions options) {
  return std::make_unique<FaultyLink>(loop, std::move(link), injector, options);
}

}  // namespace squall::inject
