#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "squall/cases/inputs.h"
#include "squall/fault/decide.h"
#include "squall/fault/schedule.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/recording/case_reader.h"
#include "squall/recording/case_writer.h"

/// @file A recorded run without a proxy: calls are decided about as they would be, and what a
/// proxy would record of them is put down.

namespace squall::cases {

inline recording::Standing recorded_standing(fault::Outcome outcome) {
  using recording::Standing;
  constexpr Standing kStandings[] = {
      Standing::not_matched, Standing::not_matched, Standing::not_matched,
      Standing::unkeyable,   Standing::unarmed,     Standing::missed,
      Standing::exhausted,   Standing::shadowed,    Standing::won};
  return kStandings[static_cast<std::size_t>(outcome)];
}

inline recording::Decision recorded(const fault::Decision& decision) {
  recording::Decision out;
  for (const fault::Considered& one : decision.considered) {
    recording::Considered rule;
    rule.rule = one.rule->id;
    rule.kind = one.rule->kind->name;
    rule.layer = fault::name_of(one.rule->kind->layer);
    rule.site = one.site;
    rule.draw = one.bits;
    if (one.bits) rule.threshold = one.rule->probability.text();
    rule.standing = recorded_standing(one.outcome);
    rule.why = one.why;
    for (const fault::Strike& strike : decision.strikes) {
      if (strike.rule == one.rule) rule.parameters = strike.parameters;
    }
    out.rules.push_back(std::move(rule));
  }
  return out;
}

/// A schedule as a run's faults.
struct Pinned {
  json::Value schedule;
};

class TestRun {
 public:
  explicit TestRun(const std::string& profile) {
    auto read = fault::read_profile("p.yaml", profile);
    EXPECT_TRUE(read) << read.error().message;
    inputs_.profile = std::move(read).value();
    inputs_.seed = inputs_.profile.seed.value_or(fault::Seed{});
    header.profile = fault::to_json(inputs_.profile);
    begin();
  }
  explicit TestRun(const Pinned& pinned) {
    auto read = fault::read_schedule("s.json", json::to_string(pinned.schedule));
    EXPECT_TRUE(read) << read.error().message;
    inputs_.profile = std::move(read).value();
    inputs_.seed = *inputs_.profile.seed;
    header.schedule = pinned.schedule;
    begin();
  }

  /// A call that the server answers with `answer` as its text.
  std::uint64_t call(std::string_view tool, const json::Value& arguments,
                     std::string_view answer = "fine") {
    json::Value params = json::Value::object({{"name", tool}, {"arguments", arguments}});
    return request("tools/call", params, answer);
  }

  std::uint64_t request(std::string_view method, const json::Value& params,
                        std::string_view answer = "fine") {
    const std::uint64_t in = ++arrivals_;
    json::Value message = json::Value::object({{"jsonrpc", "2.0"}, {"id", in}});
    message.set("method", method).set("params", params);
    add_message(in, recording::Party::client, message);
    fault::Arrival arrival = fault::Arrival::of(method, &params);
    arrival.connection = "1";
    const fault::Decision decision = decider_->decide(arrival);
    recording::Decision record = recorded(decision);
    record.in = in;
    events.emplace_back(record);
    for (const fault::Strike& strike : decision.strikes) decider_->finished(*strike.rule);
    answer_call(in, decision, answer);
    return in;
  }

  [[nodiscard]] std::string lines() const {
    std::string out;
    for (std::size_t i = 0; i < events.size(); ++i) {
      out += recording::to_line({i + 1, std::chrono::milliseconds(i), events[i]}) + "\n";
    }
    return out;
  }
  /// As it reads when all is written.
  [[nodiscard]] recording::Case read() const {
    auto out = recording::parse_case(recording::to_text(header).value(), lines());
    EXPECT_TRUE(out) << out.error().message;
    return *std::move(out);
  }
  /// Writes it into `folder`; gives the case's own folder.
  [[nodiscard]] std::string write(const std::string& folder) const {
    auto writer = recording::CaseWriter::create(folder, header,
                                                std::make_shared<const recording::Redactor>());
    EXPECT_TRUE(writer) << writer.error().message;
    for (const recording::EventBody& event : events) (*writer)->add({}, event);
    EXPECT_TRUE((*writer)->finish({}));
    return (*writer)->folder().string();
  }

  recording::Header header;
  std::vector<recording::EventBody> events;
  [[nodiscard]] const Inputs& inputs() const { return inputs_; }

 private:
  void begin() {
    header.tool = "squall test";
    header.scheme = fault::kScheme;
    header.started = "2026-01-01T00:00:00.000Z";
    header.seed = inputs_.seed.value;
    header.name = "a run";
    decider_ = std::make_unique<fault::Decider>(inputs_.profile, inputs_.seed);
    recording::Connect connect;
    connect.transport = "stdio";
    events.emplace_back(std::move(connect));
  }

  void add_message(std::uint64_t in, recording::Party from, const json::Value& message) {
    recording::Message out;
    out.from = from;
    out.in = in;
    out.payload = recording::Payload(json::to_string(message));
    events.emplace_back(std::move(out));
  }

  void answer_call(std::uint64_t in, const fault::Decision& decision, std::string_view answer) {
    json::Value content = json::Value::array();
    content.push_back(json::Value::object({{"type", "text"}, {"text", answer}}));
    json::Value response = json::Value::object({{"jsonrpc", "2.0"}, {"id", in}});
    response.set("result", json::Value::object({{"content", content}}));
    const std::uint64_t out = ++arrivals_;
    add_message(out, recording::Party::server, response);
    recording::Upstream upstream;
    upstream.in = in;
    upstream.executed = recording::Executed::yes;
    upstream.answer_in = out;
    recording::Delivered delivered;
    delivered.in = out;
    for (const fault::Strike& strike : decision.strikes) {
      delivered.rule = strike.rule->id;
      if (strike.rule->kind->name == "lost") {
        delivered.delivery = recording::Delivery::lost;
        continue;
      }
      response.set("result", strike.parameters);
      delivered.delivery = recording::Delivery::changed;
      delivered.payload = recording::Payload(json::to_string(response));
    }
    if (!decision.strikes.empty()) events.emplace_back(std::move(delivered));
    events.emplace_back(std::move(upstream));
  }

  Inputs inputs_;
  std::unique_ptr<fault::Decider> decider_;
  std::uint64_t arrivals_ = 0;
};

/// Forty calls and a list, some struck by several kinds of rules.
inline void play_forty(TestRun& run) {
  for (int n = 0; n < 40; ++n) {
    const json::Value arguments = json::Value::object({{"id", n % 7}, {"cursor", n}});
    run.call(n % 3 == 0 ? "search" : "read_file", arguments);
    if (n == 20) run.request("tools/list", json::Value::object());
  }
  run.events.emplace_back(recording::Exit{});
}

inline constexpr const char* kManyRules =
    "squall: 1\nname: p\nseed: 7\nrules:\n"
    "  - {id: slow, fault: latency, delay: {uniform: [1s, 5s]}, probability: 1/3}\n"
    "  - {id: wrong, fault: corrupt, only: [/id], probability: 1/4}\n"
    "  - {id: out, fault: error, burst: {min: 2, max: 4}, probability: 1/10}\n"
    "  - {id: gone, fault: lost, window: {length: 5}, probability: 1/8, budget: {strikes: 3}}\n"
    "  - {id: nth, fault: stream-cut, key: call, every: 5, how: [close, reset]}\n";

}  // namespace squall::cases
