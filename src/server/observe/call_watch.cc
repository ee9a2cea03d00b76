#include "call_watch.h"

#include <array>
#include <span>

#include "squall/base/crypto.h"
#include "squall/base/text.h"

#include "../request.h"
#include "../session.h"

namespace squall::server {

namespace {

constexpr std::size_t kSessionBytesShown = 8;
/// Names come from the wire, and are kept for observers.
constexpr std::size_t kNameBytesMax = 128;

template <std::size_t size>
std::string random_hex() {
  std::array<unsigned char, size> bytes{};
  base::random_bytes(bytes);
  return base::hex_encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

CallWatch::CallWatch(std::shared_ptr<const Observers> observers, ServedRequest& request,
                     std::string_view tool)
    : observers_(std::move(observers)), since_(request.loop().now()) {
  facts_.tool = base::show_name(tool, kNameBytesMax);
  facts_.began = request.loop().wall_time();
  facts_.trace = read_trace_context(request.meta());
  if (request.session() != nullptr) {
    facts_.session = request.session()->id.substr(0, kSessionBytesShown);
  }
  if (observers_->arguments) {
    const json::Value* arguments = request.params().find("arguments");
    if (arguments != nullptr) facts_.arguments = observers_->redaction.applied(*arguments);
  }
  tell(DebugObserver::Step::route, true, {});
}

void CallWatch::tell(DebugObserver::Step step, bool good, runtime::Duration took) {
  if (!observers_->debug) return;
  DebugObserver::Event event;
  event.step = step;
  event.tool = facts_.tool;
  event.action = facts_.action;
  event.good = good;
  event.code = facts_.code;
  event.took = took;
  observers_->debug->on_step(event);
}

void CallWatch::note_valid(bool valid) {
  facts_.valid = valid;
  tell(DebugObserver::Step::validate, valid, {});
}

void CallWatch::note_wait(runtime::Duration waited, bool admitted) {
  facts_.waited += waited;
  facts_.shed = facts_.shed || !admitted;
  tell(DebugObserver::Step::wait, admitted, waited);
}

void CallWatch::note_ending(Ending ending, std::string_view code) {
  if (ending != facts_.ending || !code.empty()) facts_.code = code;
  facts_.ending = ending;
}

void CallWatch::note_protocol_error(int code) {
  if (facts_.ending != Ending::protocol_error) {
    note_ending(Ending::protocol_error, std::to_string(code));
  }
}

void CallWatch::finish(std::size_t response_bytes, runtime::TimePoint now) {
  if (std::exchange(finished_, true)) return;
  facts_.response_bytes = response_bytes;
  facts_.took = now - since_;
  const bool good = facts_.ending == Ending::ok || facts_.ending == Ending::asks;
  tell(DebugObserver::Step::execute, good, facts_.took);
  if (observers_->telemetry) observers_->telemetry->on_execute(facts_);
  if (!observers_->tracer) return;
  Span span;
  span.span_id = random_hex<8>();
  span.trace_id = facts_.trace.trace_id.empty() ? random_hex<16>() : facts_.trace.trace_id;
  span.facts = &facts_;
  observers_->tracer->on_span(span);
}

}  // namespace squall::server
