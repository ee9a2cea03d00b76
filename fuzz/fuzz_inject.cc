// A conversation with an injector: the first byte names the kind of fault, each line is an event.
// Whatever comes, it answers, holds back no more than it may, and lets go of what is over.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/fault/catalogue.h"
#include "squall/inject/injector.h"

namespace {

using namespace squall;
using inject::Exchange;

constexpr std::uint64_t kExchanges = 16;
constexpr std::size_t kHeldMax = 4096;

std::unique_ptr<inject::Injector> make(std::uint8_t which) {
  const fault::Kind& kind = fault::kinds()[which % fault::kinds().size()];
  std::string rule = "squall: 1\nname: f\nseed: 1\nrules:\n  - {fault: " + std::string(kind.name);
  if (!kind.example.empty()) rule += ", " + std::string(kind.example);
  auto profile = fault::read_profile("f.yaml", rule + "}\n");
  SQUALL_ASSERT(profile.has_value());
  inject::InjectorOptions options;
  options.record = true;
  options.held_bytes_max = kHeldMax;
  options.remembered_bytes_max = kHeldMax;
  auto injector = inject::Injector::make(*std::move(profile), {1}, options);
  SQUALL_ASSERT(injector.has_value());
  return *std::move(injector);
}

void check(const inject::Reaction& reaction) {
  if (reaction.untouched) SQUALL_ASSERT(reaction.commands.empty());
  for (const inject::Command& command : reaction.commands) {
    SQUALL_ASSERT(!inject::to_text(command).empty());
  }
}

void happen(inject::Injector& injector, std::string_view line, std::uint64_t n) {
  const auto first = static_cast<std::uint8_t>(line.front());
  const std::string_view bytes = line.substr(1);
  inject::Place place;
  place.connection = 1;
  place.process = 1;
  place.session = first % 2 == 0 ? "one" : "two";
  place.revision = first % 3 == 0 ? "2026-07-28" : "2025-11-25";
  place.transport = first % 5 == 0 ? fault::Transport::stdio : fault::Transport::http;
  const std::chrono::nanoseconds now = std::chrono::seconds(static_cast<std::int64_t>(n));
  const Exchange exchange = 1 + first / 7 % kExchanges;
  if (first % 7 < 3) {
    inject::ClientMessage message;
    message.exchange = exchange;
    message.place = place;
    message.bytes = bytes;
    message.http_method = bytes.empty() ? "DELETE" : "POST";
    message.now = now;
    check(injector.on(message));
  } else if (first % 7 < 5) {
    inject::ServerMessage message;
    message.exchange = exchange;
    message.place = place;
    message.bytes = bytes;
    message.on_stream = first % 2 == 0;
    message.now = now;
    check(injector.on(message));
  } else if (first % 7 == 5) {
    check(injector.on(inject::Opened{static_cast<inject::Opened::What>(bytes.size() % 4), place,
                                     exchange, now}));
  } else {
    check(injector.on(inject::Ended{static_cast<inject::Ended::What>(bytes.size() % 5), exchange,
                                    place, now}));
    check(injector.on(inject::Woken{n, now}));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto injector = make(data[0]);
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (std::uint64_t n = 1; !rest.empty() && n < 200; ++n) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (!line.empty()) happen(*injector, line, n);
  }
  for (Exchange exchange = 1; exchange <= kExchanges; ++exchange) {
    static_cast<void>(injector->on(inject::Ended{inject::Ended::What::exchange, exchange, {}, {}}));
  }
  SQUALL_ASSERT(injector->struck_exchanges() == 0);
  return 0;
}
