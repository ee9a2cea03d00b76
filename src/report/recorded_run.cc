#include "recorded_run.h"

#include <chrono>
#include <utility>

#include "squall/base/assert.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/recording/recorder.h"
#include "squall/recording/run_hash.h"
#include "squall/server/registry.h"
#include "squall/server/serve.h"
#include "squall/transport/channel.h"

namespace squall::report {
namespace {

using namespace std::chrono_literals;
using server::Context;
using server::ToolResult;

std::shared_ptr<const server::Pipeline> orders() {
  mcp::Implementation info;
  info.name = "orders";
  info.version = "1.4.0";
  server::Registry registry(std::move(info));
  const auto booked = std::make_shared<int>(0);  // what both tools share
  registry.tool("create_order")
      .describe("Books")
      .handle([booked](Context& context) -> Task<ToolResult> {
        co_await context.sleep(38ms);
        const std::string text =
            "{\"order\":\"A1-" + std::to_string(++*booked) + "\",\"status\":\"created\"}";
        co_return ToolResult::text(text);
      });
  registry.tool("list_orders")
      .describe("Lists")
      .handle([booked](Context& context) -> Task<ToolResult> {
        co_await context.sleep(12ms);
        co_return ToolResult::text("{\"orders\":" + std::to_string(*booked) + "}");
      });
  registry.tool("notes").describe("Reads").handle(
      [](Context&) { return ToolResult::text(kHostileText); });
  auto pipeline = registry.compile();
  SQUALL_ASSERT(pipeline.has_value());
  return *std::move(pipeline);
}

/// The client's end, and what stands between: it records everything, and loses what it is told to.
class Client final : public transport::MessageChannel::Receiver {
 public:
  Client() {
    auto pair = transport::make_channel_pair(*loop_);
    channel_ = std::move(pair.first);
    channel_->start(*this);
    endpoint_ = server::make_channel_endpoint(*loop_, engine_, std::move(pair.second));
    recording::Connect connect;
    connect.transport = "in_process";
    connect.peer = "orders";
    add(connect);
  }

  /// Gives the time that the answer took, or `limit`.
  runtime::Duration call(const std::string& tool, const std::string& arguments, bool lose = false,
                         runtime::Duration limit = 500ms) {
    lose_ = lose;
    heard_ = false;
    const std::string text =
        R"({"jsonrpc":"2.0","id":)" + std::to_string(++id_) +
        R"(,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":)" + arguments +
        R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
        R"("io.modelcontextprotocol/clientInfo":{"name":"sample","version":"1"},)" +
        R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
    recording::Message message;
    message.in = call_in_ = ++in_;
    message.payload = recording::Payload(text);
    add(std::move(message));
    decide();
    channel_->send(text);
    const auto begin = loop_->now();
    while (!heard_ && loop_->now() - begin < limit) loop_->advance(1ms);
    return loop_->now() - begin;
  }
  void add(recording::EventBody body) { events_.add(loop_->now() - start_, std::move(body)); }
  [[nodiscard]] std::uint64_t arrivals() const { return in_; }
  [[nodiscard]] std::vector<recording::Event> events() const { return events_.events(); }

 private:
  void decide() {
    recording::Considered rule;
    rule.rule = "lost-write";
    rule.kind = "lost";
    rule.layer = "message";
    rule.site = R"(["args","create_order",{"sku":"A1"},1])";
    rule.draw = 0x0c18bfebef898ef3u;
    rule.threshold = "1/10";
    rule.why = "its coin fell the other way";
    if (lose_) {
      rule.standing = recording::Standing::won;
      rule.why = "attempt 1";
      rule.parameters = json::Value::object({{"how", "silence"}});
    }
    recording::Decision decision;
    decision.in = in_;
    decision.rules.push_back(std::move(rule));
    add(std::move(decision));
  }
  void on_message(std::string text) override {
    recording::Message message;
    message.from = recording::Party::server;
    message.in = ++in_;
    message.payload = recording::Payload(text);
    add(std::move(message));
    if (!lose_) {
      heard_ = true;
      return;
    }
    recording::Upstream upstream;
    upstream.in = call_in_;
    upstream.executed = recording::Executed::yes;
    upstream.answer_in = in_;
    add(std::move(upstream));
    recording::Delivered delivered;
    delivered.in = in_;
    delivered.delivery = recording::Delivery::lost;
    delivered.rule = "lost-write";
    delivered.how = "in silence";
    add(std::move(delivered));
  }
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End) override {}

  std::unique_ptr<runtime::SimulatedLoop> loop_ = runtime::SimulatedLoop::make();
  runtime::TimePoint start_ = loop_->now();
  server::Engine engine_{orders()};
  recording::MemoryRecorder events_;
  std::unique_ptr<transport::MessageChannel> channel_;
  std::unique_ptr<server::ChannelEndpoint> endpoint_;
  int id_ = 0;
  std::uint64_t in_ = 0;
  std::uint64_t call_in_ = 0;
  bool lose_ = false;
  bool heard_ = false;
};

recording::Verdict step(std::uint32_t number, std::string name, runtime::Duration took) {
  recording::Verdict out;
  out.step = number;
  out.name = std::move(name);
  out.outcome = "success";
  out.took = took;
  return out;
}

}  // namespace

std::shared_ptr<const recording::Case> record_double_write(int reads, std::uint64_t seed) {
  Client client;
  std::uint32_t number = 0;
  for (int i = 0; i < reads; ++i) {
    client.add(step(++number, "call notes",
                    client.call("notes", R"({"page":)" + std::to_string(i + 1) + "}")));
  }
  recording::Verdict lost =
      step(++number, "call create_order", client.call("create_order", R"({"sku":"A1"})", true));
  lost.outcome = "timeout";
  lost.expectations = {
      {.name = "outcome", .expected = "timeout", .received = "timeout", .held = true}};
  client.add(lost);
  client.add(
      step(++number, "call create_order, again", client.call("create_order", R"({"sku":"A1"})")));
  recording::Verdict orders =
      step(++number, "observe list_orders", client.call("list_orders", "{}"));
  orders.judgement = recording::Judgement::failed;
  orders.expectations = {{.name = "result.json /orders", .expected = "1", .received = "2"}};
  client.add(orders);
  recording::Verdict run;
  run.name = "a lost response must not book twice";
  run.judgement = recording::Judgement::failed;
  run.outcome = "success";
  run.expectations = {
      {.name = "faults fired", .expected = "lost-write", .received = "lost-write", .held = true}};
  client.add(run);
  client.add(recording::Exit{});

  auto out = std::make_shared<recording::Case>();
  out->header.name = run.name;
  out->header.tool = "squall 0.1.0";
  out->header.started = "2026-01-01T00:00:00.000Z";
  out->header.scenario_file = "scenarios/double_write.yaml";
  out->header.protocol = "2026-07-28";
  out->header.seed = seed;
  out->header.repeat = "squall run scenarios/double_write.yaml --seed " + std::to_string(seed);
  out->events = client.events();
  out->id = out->run_id = recording::case_id(out->header).value();
  for (const recording::Event& event : out->events)
    recording::extend_run_hash(out->run_hash, event);
  return out;
}

RunReport sample_report() {
  RunReport out;
  out.tool = "squall 0.1.0";
  out.started = "2026-01-01T00:00:00.000Z";
  out.scenarios.push_back(from_case(record_double_write()));
  ScenarioReport passed;
  passed.name = "a slow answer is waited for";
  passed.file = "scenarios/slow.yaml";
  passed.outcome = "success";
  passed.took = 517460us;
  passed.target = "built-in";
  passed.expectations = {{.name = "max duration",
                          .expected = "at most 2.00 s",
                          .received = "517 ms",
                          .held = true,
                          .timing = true}};
  out.scenarios.push_back(passed);
  ScenarioReport open = passed;
  open.name = "<b>a rule that never struck</b>";
  open.file = "scenarios/never.yaml";
  open.judgement = Judgement::inconclusive;
  open.took = 1200us;
  open.why = "rule stale-row never became eligible";
  open.expectations.clear();
  open.repeat = "squall run scenarios/never.yaml --seed 9";
  out.scenarios.push_back(open);
  return out;
}

RunReport hostile_report() {
  RunReport out = sample_report();
  const auto spoil = [](std::string& text) { text = kHostileText; };
  const auto spoil_all = [&](std::vector<Expectation>& expectations) {
    expectations.resize(1);
    spoil(expectations[0].name);
    spoil(expectations[0].expected);
    spoil(expectations[0].received);
    expectations[0].held = false;
  };
  spoil(out.tool);
  spoil(out.started);
  // A finding that belongs to no message.
  recording::Delivered finding;
  finding.delivery = recording::Delivery::made_up;
  finding.rule = "protocol_ping_liveness";
  finding.how = kHostileText;
  auto record = std::make_shared<recording::Case>(*out.scenarios[0].record);
  record->events.insert(record->events.end() - 1, {.seq = 0, .at = {}, .body = finding});
  out.scenarios[0].record = std::move(record);
  for (ScenarioReport& each : out.scenarios) {
    for (std::string* text : {&each.name, &each.file, &each.outcome, &each.why, &each.protocol,
                              &each.target, &each.case_id, &each.run_hash, &each.repeat}) {
      spoil(*text);
    }
    spoil_all(each.expectations);
    for (StepReport& step : each.steps) {
      for (std::string* text : {&step.name, &step.outcome, &step.why}) spoil(*text);
      spoil_all(step.expectations);
    }
  }
  return out;
}

}  // namespace squall::report
