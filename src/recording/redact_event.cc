#include "redact_event.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "squall/base/text.h"

namespace squall::recording {
namespace {

/// Headers whose values nobody needs to see, known as a secret or not.
constexpr std::array<std::string_view, 5> kSecretHeaders = {"authorization", "proxy-authorization",
                                                            "cookie", "set-cookie", "x-api-key"};

struct EventRedactor {
  const Redactor& redactor;

  void operator()(Spawn& e) const { texts(e.command); }
  void operator()(Connect& e) const {
    redactor.redact(e.peer);
    redactor.redact(e.session);
  }
  void operator()(Message& e) const { http(e.http); }
  void operator()(Decision& e) const {
    for (Considered& rule : e.rules) {
      redactor.redact(rule.site);
      redactor.redact(rule.why);
      redactor.redact(rule.parameters);
    }
  }
  void operator()(Upstream&) const {}
  void operator()(Delivered& e) const { redactor.redact(e.how); }
  void operator()(Verdict& e) const {
    redactor.redact(e.name);
    redactor.redact(e.why);
    for (Expectation& each : e.expectations) {
      redactor.redact(each.name);
      redactor.redact(each.expected);
      redactor.redact(each.received);
    }
  }
  void operator()(Exit& e) const {
    texts(e.last_lines);
    redactor.redact(e.why);
  }

 private:
  void texts(std::vector<std::string>& lines) const {
    for (std::string& line : lines) redactor.redact(line);
  }
  void http(json::Value& about) const {
    redactor.redact(about);
    json::Value* const headers = about.find("headers");
    if (headers == nullptr) return;
    for (json::Member& header : headers->members()) {
      const std::string name = base::to_lower(header.name());
      if (std::ranges::find(kSecretHeaders, name) == kSecretHeaders.end()) continue;
      header.value = json::Value("[redacted:" + name + "]");
    }
  }
};

}  // namespace

std::vector<Payload*> payloads_of(EventBody& body) {
  if (auto* const message = std::get_if<Message>(&body)) return {&message->payload};
  if (auto* const upstream = std::get_if<Upstream>(&body); upstream && upstream->answer) {
    return {&*upstream->answer};
  }
  if (auto* const delivered = std::get_if<Delivered>(&body); delivered && delivered->payload) {
    return {&*delivered->payload};
  }
  return {};
}

void redact(EventBody& body, const Redactor& redactor) {
  std::visit(EventRedactor{redactor}, body);
  for (Payload* const payload : payloads_of(body)) {
    if (redactor.redact(payload->bytes)) payload->redacted = true;
    payload->size = payload->bytes.size();
  }
}

void redact(Header& header, const Redactor& redactor) {
  for (json::Value* const value : {&header.profile, &header.schedule, &header.scenario,
                                   &header.target, &header.counters, &header.server}) {
    redactor.redact(*value);
  }
  for (std::string* const text : {&header.name, &header.scenario_file, &header.repeat}) {
    redactor.redact(*text);
  }
}

}  // namespace squall::recording
