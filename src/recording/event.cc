#include "squall/recording/event.h"

#include <algorithm>

#include "squall/base/text.h"
#include "squall/json/parse.h"

#include "event_value.h"
#include "fields.h"

namespace squall::recording {

template <>
struct Words<Party> {
  static constexpr std::array<std::string_view, 2> kAll = {"client", "server"};
};
template <>
struct Words<Standing> {
  static constexpr std::array<std::string_view, 8> kAll = {
      "won", "missed", "not_matched", "shadowed", "exhausted", "unkeyable", "unarmed", "noop"};
};
template <>
struct Words<Executed> {
  static constexpr std::array<std::string_view, 3> kAll = {"unknown", "yes", "no"};
};
template <>
struct Words<Delivery> {
  static constexpr std::array<std::string_view, 4> kAll = {"unchanged", "changed", "lost",
                                                           "made_up"};
};
template <>
struct Words<Judgement> {
  static constexpr std::array<std::string_view, 5> kAll = {"passed", "failed", "inconclusive",
                                                           "errored", "skipped"};
};

std::string_view to_text(Judgement judgement) noexcept {
  return Words<Judgement>::kAll[static_cast<std::size_t>(judgement)];
}

namespace {

/// In the order of EventBody.
constexpr std::array<std::string_view, 8> kNames = {"spawn",    "connect",   "message", "decision",
                                                    "upstream", "delivered", "verdict", "exit"};
static_assert(kNames.size() == std::variant_size_v<EventBody>);

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

// Found by their arguments, so they stand in no unnamed namespace.

/// The bytes stand as text, as base64 or in a blob: one of "text", "base64", "blob".
static void describe(FieldWriter& f, const Payload& p) {
  if (!p.blob.empty()) {
    f("blob", p.blob)("size", p.size);
  } else if (base::find_invalid_utf8(p.bytes) == std::string_view::npos) {
    f("text", p.bytes);
  } else {
    f("base64", base::base64_encode(p.bytes));
  }
  f("redacted", p.redacted);
}

static void describe(FieldReader& f, Payload& p) {
  std::string base64;
  f("blob", p.blob)("size", p.size)("text", p.bytes)("base64", base64)("redacted", p.redacted);
  const int given = int(!p.blob.empty()) + int(!p.bytes.empty()) + int(!base64.empty());
  if (given > 1) f.complain("", "expected one of blob, text and base64");
  if (!p.blob.empty()) {
    if (!is_sha256(p.blob)) f.complain("blob", "expected 64 lower-case hexadecimal digits");
    return;
  }
  if (p.size != 0) f.complain("size", "expected only beside blob");
  if (!base64.empty()) {
    auto bytes = base::base64_decode(base64);
    if (!bytes) f.complain("base64", "expected base64");
    // Bytes have one spelling only, so that equal events are equal lines.
    if (bytes && base::find_invalid_utf8(*bytes) == std::string_view::npos) {
      f.complain("base64", "is UTF-8, which stands as text");
    }
    p.bytes = std::move(bytes).value_or("");
  }
  p.size = p.bytes.size();
}

template <typename Fields>
void describe(Fields& f, Spawn& e) {
  f("process", e.process)("command", e.command).passing("pid", e.pid);
}

template <typename Fields>
void describe(Fields& f, Connect& e) {
  f("connection", e.connection)("transport", e.transport)("with", e.with)("peer", e.peer);
  f.passing("port", e.port).passing("session", e.session);
}

template <typename Fields>
void describe(Fields& f, Message& e) {
  f("connection", e.connection)("from", e.from)("in", e.in)("http", e.http);
  std::optional<Payload> payload;
  if constexpr (Fields::kReads) {
    f.optional("payload", payload);
    e.payload = std::move(payload).value_or(Payload());
  } else {
    if (e.payload != Payload()) payload = e.payload;
    f.optional("payload", payload);
  }
}

template <typename Fields>
void describe(Fields& f, Considered& r) {
  f("rule", r.rule)("kind", r.kind)("layer", r.layer)("site", r.site);
  f("draw", HexBits{r.draw})("threshold", r.threshold)("standing", r.standing)("why", r.why);
  f("parameters", r.parameters);
}

template <typename Fields>
void describe(Fields& f, Decision& e) {
  f("in", e.in)("connection", e.connection)("process", e.process);
  f.list("rules", e.rules)("in_flight", e.in_flight)("order_sensitive", e.order_sensitive);
}

template <typename Fields>
void describe(Fields& f, Upstream& e) {
  f("in", e.in)("executed", e.executed)("answer_in", e.answer_in).optional("answer", e.answer);
}

template <typename Fields>
void describe(Fields& f, Delivered& e) {
  f("connection", e.connection)("to", e.to)("in", e.in)("out", e.out)("delivery", e.delivery);
  f("rule", e.rule)("how", e.how)("sha256", e.sha256)("drawn", e.drawn);
  f.optional("payload", e.payload);
}

template <typename Fields>
void describe(Fields& f, Expectation& e) {
  f("name", e.name)("expected", e.expected);
  if (!(f.hashed() && e.timing)) f("received", e.received);
  f("held", e.held)("timing", e.timing);
}

template <typename Fields>
void describe(Fields& f, Verdict& e) {
  f("step", e.step)("name", e.name)("judgement", e.judgement)("outcome", e.outcome)("why", e.why);
  f.passing("took", e.took).list("expectations", e.expectations);
  f("first_in", e.first_in)("last_in", e.last_in);
}

template <typename Fields>
void describe(Fields& f, Exit& e) {
  f("process", e.process)("code", e.code)("signal", e.signal)("last_lines", e.last_lines);
  f("why", e.why)("dropped", e.dropped);
}

namespace {

std::string line_of(const Event& event, bool hashed) {
  std::string out;
  json::Writer writer(out);
  writer.begin_object().key("seq").number(event.seq);
  if (!hashed) writer.key("at").number(static_cast<std::int64_t>(event.at.count()));
  writer.key("event").string(kNames[event.body.index()]);
  FieldWriter fields(writer, hashed);
  // One description serves both ways; writing changes nothing.
  std::visit(
      [&fields](const auto& body) {
        describe(fields, const_cast<std::decay_t<decltype(body)>&>(body));
      },
      event.body);
  writer.end_object();
  return out;
}

/// A default body of the kind that `name` says.
template <std::size_t... kIndex>
bool choose_body(EventBody& body, std::string_view name, std::index_sequence<kIndex...>) {
  return ((name == kNames[kIndex] && (body.emplace<kIndex>(), true)) || ...);
}

}  // namespace

std::string to_line(const Event& event) { return line_of(event, false); }
std::string to_hashed_line(const Event& event) { return line_of(event, true); }

Result<Event> event_from(const json::Value& value) {
  Event event;
  FieldReader fields(value, "");
  std::string name;
  fields("seq", event.seq)("at", event.at)("event", name);
  if (!choose_body(event.body, name, std::make_index_sequence<kNames.size()>{})) {
    fields.complain("event",
                    "expected spawn, connect, message, decision, upstream, delivered, "
                    "verdict or exit");
  }
  std::visit([&fields](auto& body) { describe(fields, body); }, event.body);
  SQUALL_CHECK(fields.finish());
  return event;
}

Result<Event> parse_event(std::string_view line) {
  SQUALL_TRY(const json::Value value, json::parse(line));
  return event_from(value);
}

}  // namespace squall::recording
