#include "squall/inject/harness.h"

#include <array>

#include "squall/recording/run_hash.h"

#include "reply.h"

namespace squall::inject {

namespace {

/// What a client makes of the response's bytes.
void judge(Invocation& call, const jsonrpc::Id& id) {
  call.outcome = Invocation::Outcome::malformed;
  const auto message = parse_message(call.bytes);
  const json::Value* given = message ? message->find("id") : nullptr;
  if (given == nullptr || jsonrpc::Id::from(*given) != id) return;
  const json::Value* result = message->find("result");
  const json::Value* error = message->find("error");
  if ((result == nullptr) == (error == nullptr)) return;
  if (error != nullptr) {
    call.error = *error;
    call.outcome = Invocation::Outcome::protocol_error;
    return;
  }
  call.result = *result;
  const json::Value* failed = result->find("isError");
  call.outcome = failed != nullptr && failed->boolean() ? Invocation::Outcome::error
                                                        : Invocation::Outcome::success;
}

}  // namespace

std::string_view name_of(Invocation::Outcome outcome) noexcept {
  constexpr std::array<std::string_view, 6> kNames = {"success",    "error", "protocol_error",
                                                      "http_error", "lost",  "malformed"};
  return kNames[static_cast<std::size_t>(outcome)];
}

Result<std::unique_ptr<Harness>> Harness::make(Tools tools, fault::Profile profile,
                                               fault::Seed seed, HarnessOptions options) {
  options.injector.record = true;
  SQUALL_TRY(auto injector, Injector::make(std::move(profile), seed, options.injector));
  return std::unique_ptr<Harness>(
      new Harness(std::move(tools), std::move(injector), std::move(options)));
}

Harness::Harness(Tools tools, std::unique_ptr<Injector> injector, HarnessOptions options)
    : tools_(std::move(tools)), injector_(std::move(injector)), options_(std::move(options)) {}

std::chrono::nanoseconds Harness::time() const { return options_.clock ? options_.clock() : time_; }

void Harness::note(recording::EventBody body) {
  recording::Event event{journal_.size() + 1, time(), std::move(body)};
  recording::extend_run_hash(run_hash_, event);
  journal_.push_back(std::move(event));
}

Invocation Harness::invoke_as(const fault::Numbers& numbers, std::string_view tool,
                              const json::Value& arguments) {
  injector_->number_next(numbers);
  return invoke(tool, arguments);
}

Invocation Harness::invoke(std::string_view tool, const json::Value& arguments) {
  Invocation call;
  call.outcome = Invocation::Outcome::lost;
  answered_ = false;
  exchange_ = ++arrivals_;
  const jsonrpc::Id id(static_cast<std::int64_t>(++calls_));
  const json::Value params = json::Value::object({{"name", tool}, {"arguments", arguments}});
  const std::string bytes = make_request(id, "tools/call", params);

  recording::Message message;
  message.in = exchange_;
  message.payload = recording::Payload(bytes);
  note(std::move(message));
  ClientMessage arrival;
  arrival.exchange = exchange_;
  arrival.place.connection = 1;
  arrival.place.session = options_.session;
  arrival.place.revision = options_.revision;
  arrival.place.transport = options_.transport;
  arrival.bytes = bytes;
  arrival.now = time();
  Reaction reaction = injector_->on(arrival);
  call.decision = injector_->last_decision();
  carry_out(std::move(reaction), bytes, true, call);

  if (answered_ && call.outcome != Invocation::Outcome::http_error) judge(call, id);
  time_ += call.delay;
  Ended ended;
  ended.exchange = exchange_;
  ended.now = time();
  carry_out(injector_->on(ended), {}, false, call);
  return call;
}

void Harness::carry_out(Reaction reaction, std::string_view bytes, bool to_upstream,
                        Invocation& call) {
  for (recording::EventBody& record : reaction.records) {
    if (const auto* upstream = std::get_if<recording::Upstream>(&record)) {
      call.executed = upstream->executed;
    }
    note(std::move(record));
  }
  if (reaction.untouched) {
    if (bytes.empty()) return;
    if (to_upstream) return pass_to_tools(std::string(bytes), call);
    Send send;
    return pass_to_client(send, bytes, call);
  }
  for (const Command& command : reaction.commands) call.commands.push_back(command);
  for (const Command& command : reaction.commands) {
    if (const Send* send = std::get_if<Send>(&command)) {
      const std::string_view what = send->bytes ? std::string_view(*send->bytes) : bytes;
      if (send->to == Send::To::client) {
        pass_to_client(*send, what, call);
      } else {
        call.delay += send->after;
        pass_to_tools(std::string(what), call);
      }
    } else if (const Answer* answer = std::get_if<Answer>(&command)) {
      call.outcome = Invocation::Outcome::http_error;
      call.status = answer->status;
      call.bytes = answer->body;
      answered_ = true;
    }
  }
}

void Harness::pass_to_client(const Send& send, std::string_view bytes, Invocation& call) {
  recording::Delivered delivered = to_record(send, bytes);
  delivered.in = exchange_;
  delivered.out = ++deliveries_;
  note(std::move(delivered));
  const auto message = parse_message(bytes);
  if (message && message->contains("method")) return;  // a notification or request beside it
  if (answered_) return;                               // the first response counts
  answered_ = true;
  call.bytes = bytes;
  call.delay += send.after;
}

void Harness::pass_to_tools(const std::string& bytes, Invocation& call) {
  const auto message = parse_message(bytes);
  const json::Value* params = message ? message->find("params") : nullptr;
  const json::Value* id = message ? message->find("id") : nullptr;
  if (params == nullptr || id == nullptr) return;
  const json::Value none = json::Value::object();
  const json::Value* arguments = params->find("arguments");
  call.clean =
      tools_(params->find_string("name").value_or(""), arguments != nullptr ? *arguments : none);
  call.executed = recording::Executed::yes;
  const std::string answer = make_result(jsonrpc::Id::from(*id), call.clean);
  recording::Message arrived;
  arrived.in = ++arrivals_;
  arrived.from = recording::Party::server;
  arrived.payload = recording::Payload(answer);
  note(std::move(arrived));
  ServerMessage reply;
  reply.in = arrivals_;
  reply.exchange = exchange_;
  reply.place.connection = 1;
  reply.place.session = options_.session;
  reply.place.revision = options_.revision;
  reply.place.transport = options_.transport;
  reply.bytes = answer;
  reply.now = time();
  carry_out(injector_->on(reply), answer, false, call);
}

}  // namespace squall::inject
