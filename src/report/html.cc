#include <algorithm>
#include <string>
#include <utility>

#include "squall/base/assert.h"
#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/report/write.h"

#include "deflate.h"
#include "page.h"

namespace squall::report {
namespace {

constexpr std::size_t kPayloadShownMax = 16 << 10;
constexpr std::size_t kEventsShownMax = 20'000;

recording::Payload* payload_of(recording::EventBody& body) {
  if (auto* const message = std::get_if<recording::Message>(&body)) return &message->payload;
  auto* const delivered = std::get_if<recording::Delivered>(&body);
  if (delivered != nullptr && delivered->payload) return &*delivered->payload;
  auto* const upstream = std::get_if<recording::Upstream>(&body);
  return upstream != nullptr && upstream->answer ? &*upstream->answer : nullptr;
}

/// The event as a case has it, but with the beginning of a large payload in place, and its whole
/// size beside it as "cut".
Result<json::Value> shown(const recording::Case& record, recording::Event event) {
  std::uint64_t cut = 0;
  if (recording::Payload* const payload = payload_of(event.body)) {
    auto bytes = recording::bytes_of(record, *payload);
    std::string text = bytes ? *std::move(bytes) : "(" + bytes.error().message + ")";
    if (text.size() > kPayloadShownMax) {
      cut = text.size();
      std::size_t size = kPayloadShownMax;
      while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
      text.resize(size);
    }
    const bool redacted = payload->redacted;
    *payload = recording::Payload(text);
    payload->redacted = redacted;
  }
  SQUALL_TRY(json::Value value, json::parse(recording::to_line(event)));
  if (cut != 0) value.set("cut", cut);
  return value;
}

/// Deflated, in base64: small, and nothing in it can end a script element.
Result<std::string> pack(const json::Value& value) {
  SQUALL_TRY(const std::string packed, deflate(json::to_string(value)));
  return base::base64_encode(packed);
}

/// The events of a case, inflated when somebody looks.
Result<std::string> timeline_of(const recording::Case& record) {
  json::Value events = json::Value::array();
  for (const recording::Event& event : record.events) {
    if (events.size() >= kEventsShownMax) break;
    SQUALL_TRY(json::Value value, shown(record, event));
    events.push_back(std::move(value));
  }
  return pack(events);
}

}  // namespace

Result<std::string> to_html(const RunReport& report) {
  SQUALL_TRY(const json::Value summary, json::parse(to_json(report)));
  SQUALL_TRY(const std::string packed, pack(summary));
  json::Value data = json::Value::object({{"report", packed}});
  json::Value& timelines = data.set("timelines", json::Value::array())["timelines"];
  for (const ScenarioReport& scenario : report.scenarios) {
    if (scenario.record == nullptr) {
      timelines.push_back(nullptr);
      continue;
    }
    SQUALL_TRY(const std::string timeline, timeline_of(*scenario.record));
    timelines.push_back(timeline);
  }
  const std::string_view whole = page();
  const std::size_t mark = whole.find(kDataMark);
  SQUALL_ASSERT(mark != whole.npos);
  std::string out(whole.substr(0, mark));
  out += json::to_string(data);
  return out.append(whole.substr(mark + kDataMark.size()));
}

}  // namespace squall::report
