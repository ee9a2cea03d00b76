#include "wire_log.h"

#include <limits>
#include <utility>

#include "squall/json/parse.h"

namespace squall::lab {

namespace {

/// A message's method; "response" or "error" of an answer; "" of what is no message.
std::string method_of(std::string_view text) {
  json::Document document;
  if (!document.parse(std::string(text))) return {};
  if (const auto method = document.root().find_string("method")) return std::string(*method);
  if (document.root().contains("error")) return "error";
  return document.root().contains("result") ? "response" : "";
}

std::string name_of(const WireRule& rule) {
  std::string out = rule.from_client ? "client" : "server";
  return out + " " + (rule.method.empty() ? "any message" : rule.method);
}

std::string count_text(const std::pair<std::int64_t, std::int64_t>& count) {
  if (count.first == count.second) return std::to_string(count.first);
  if (count.second == std::numeric_limits<std::int64_t>::max()) {
    return "at least " + std::to_string(count.first);
  }
  if (count.first == 0) return "at most " + std::to_string(count.second);
  return std::to_string(count.first) + " to " + std::to_string(count.second);
}

}  // namespace

WireLog::WireLog(const Scenario& scenario, const OperationLog& clock, recording::Recorder* recorder)
    : scenario_(scenario), clock_(clock), recorder_(recorder), counts_(scenario.wire.size()) {}

bool WireLog::matches(const WireRule& rule, recording::Party from, std::string_view method) const {
  if (rule.from_client != (from == recording::Party::client)) return false;
  return rule.method.empty() || rule.method == method;
}

void WireLog::on_message(std::uint32_t connection, recording::Party from, std::string_view text,
                         std::optional<int> status) {
  if (!scenario_.wire.empty() || in_order_ < scenario_.wire_order.size()) {
    const std::string method = method_of(text);
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (matches(scenario_.wire[i], from, method)) ++counts_[i];
    }
    const bool next = in_order_ < scenario_.wire_order.size() &&
                      matches(scenario_.wire_order[in_order_], from, method);
    if (next) ++in_order_;
  }
  if (relayed_) return;
  ++arrivals_;
  if (recorder_ == nullptr) return;
  recording::Message message;
  message.connection = connection;
  message.from = from;
  message.in = arrivals_;
  message.payload = recording::Payload(text);
  if (status) message.http = json::Value::object({{"status", std::int64_t{*status}}});
  record(std::move(message));
}

void WireLog::on_note(std::uint32_t connection, std::string_view what, std::string_view text) {
  recording::Delivered note;
  note.connection = connection;
  note.delivery = recording::Delivery::made_up;
  note.rule = what;
  note.how = text;
  record(std::move(note));
}

void WireLog::record(recording::EventBody body) {
  if (recorder_ != nullptr) recorder_->add(clock_.elapsed(), std::move(body));
}

void WireLog::check(std::vector<Finding>& findings) const {
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const WireRule& rule = scenario_.wire[i];
    Finding& found = findings.emplace_back("wire " + name_of(rule), count_text(rule.count),
                                           std::to_string(counts_[i]));
    found.held = counts_[i] >= rule.count.first && counts_[i] <= rule.count.second;
    if (!found.held) {
      found.text = "expected " + found.expected + " of " + name_of(rule) +
                   " on the wire, received " + found.received;
    }
  }
  if (scenario_.wire_order.empty()) return;
  const std::size_t all = scenario_.wire_order.size();
  Finding& found = findings.emplace_back("wire order", std::to_string(all) + " in order",
                                         std::to_string(in_order_) + " in order");
  found.held = in_order_ == all;
  if (!found.held) {
    found.received += "; then no " + name_of(scenario_.wire_order[in_order_]);
    found.text = "expected the wire's messages in order, received " + found.received;
  }
}

}  // namespace squall::lab
