#include "squall/server/observe/adapters.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::server {
namespace {

using namespace std::chrono_literals;

CallFacts some_call() {
  CallFacts facts;
  facts.tool = "billing";
  facts.action = "get\"it";
  facts.code = "SERVER_BUSY";
  facts.ending = Ending::tool_error;
  facts.valid = facts.shed = true;
  facts.waited = 2ms;
  facts.took = 7ms;
  facts.response_bytes = 300;
  facts.trace.trace_id = "0af7651916cd43dd8448eb211c80319c";
  facts.trace.parent_id = "b7ad6b7169203331";
  facts.arguments = json::Value::object({{"id", 1}});
  return facts;
}

Span span_of(const CallFacts& facts) {
  Span span;
  span.trace_id = facts.trace.trace_id;
  span.span_id = "00f067aa0ba902b7";
  span.facts = &facts;
  return span;
}

TEST(JsonLines, AreOneObjectALine) {
  std::string out;
  const auto lines = make_json_lines([&out](std::string_view line) { out += line; });
  lines->on_execute(some_call());
  EXPECT_EQ(out, R"({"ts":"1970-01-01T00:00:00.000Z","event":"call","tool":"billing",)"
                 R"("action":"get\"it","ending":"tool_error","code":"SERVER_BUSY","valid":true,)"
                 R"("shed":true,"waited_us":2000,"took_us":7000,"bytes":300,)"
                 R"("trace":"0af7651916cd43dd8448eb211c80319c","arguments":{"id":1}})"
                 "\n");
}

TEST(Metrics, CountByToolActionEndingAndCode) {
  Metrics metrics;
  metrics.on_execute(some_call());
  metrics.on_execute(some_call());
  const std::string text = metrics.text();
  for (const char* line :
       {R"(squall_calls_total{tool="billing",action="get\"it",ending="tool_error",)"
        R"(code="SERVER_BUSY"} 2)",
        R"(squall_calls_shed_total{tool="billing"} 2)",
        R"(squall_call_seconds_bucket{tool="billing",le="0.005"} 0)",
        R"(squall_call_seconds_bucket{tool="billing",le="0.01"} 2)",
        R"(squall_call_seconds_bucket{tool="billing",le="+Inf"} 2)",
        R"(squall_call_seconds_sum{tool="billing"} 0.014)",
        R"(squall_call_wait_seconds_count{tool="billing"} 2)"}) {
    EXPECT_NE(text.find(std::string(line) + "\n"), std::string::npos) << line << "\n" << text;
  }
}

TEST(Metrics, StayBoundedWhateverNamesCallersUse) {
  Metrics metrics(3);
  for (int i = 0; i < 100; ++i) {
    CallFacts facts = some_call();
    facts.tool = "tool" + std::to_string(i);
    metrics.on_execute(facts);
    facts.code = "UNKNOWN_TOOL";
    metrics.on_execute(facts);
  }
  const std::string text = metrics.text();
  EXPECT_EQ(text.find("tool50"), std::string::npos);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 150);
}

TEST(OtlpTracer, MakesOneBodyOfTheSpansOfATime) {
  OtlpTracer tracer("shop", 2);
  EXPECT_EQ(tracer.take_body(), "");
  const CallFacts facts = some_call();
  for (int i = 0; i < 3; ++i) tracer.on_span(span_of(facts));
  EXPECT_EQ(tracer.lost(), 1U);
  const auto body = json::parse(tracer.take_body());
  ASSERT_TRUE(body);
  const json::Value& resource = body->find("resourceSpans")->items()[0];
  EXPECT_EQ(json::to_string(*resource.find("resource")),
            R"({"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]})");
  const auto spans = resource.find("scopeSpans")->items()[0].find("spans")->items();
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].find_string("traceId"), facts.trace.trace_id);
  EXPECT_EQ(spans[0].find_string("parentSpanId"), facts.trace.parent_id);
  EXPECT_EQ(spans[0].find_string("startTimeUnixNano"), "0");
  EXPECT_EQ(spans[0].find_string("endTimeUnixNano"), "7000000");
  EXPECT_EQ(tracer.take_body(), "");
}

/// A collector that takes what it is sent and says nothing but yes.
struct Collector final : runtime::ByteStream::Receiver {
  void on_bytes(std::string_view bytes) override {
    heard += bytes;
    if (heard.ends_with("]}]}]}")) stream->send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  }
  void on_end(runtime::End) override {}
  std::unique_ptr<runtime::ByteStream> stream;
  std::string heard;
};

TEST(OtlpExporter, PostsWhatHasComeFromTimeToTime) {
  const auto loop = runtime::SimulatedLoop::make();
  Collector collector;
  runtime::ListenOptions where;
  auto listener = loop->listen(where, [&](std::unique_ptr<runtime::ByteStream> stream) {
    collector.stream = std::move(stream);
    collector.stream->start(collector);
  });
  ASSERT_TRUE(listener);
  const auto tracer = std::make_shared<OtlpTracer>("shop");
  OtlpExporter::Options options;
  options.url = "http://127.0.0.1:" + std::to_string((*listener)->port()) + "/v1/traces";
  options.every = 5s;
  const auto exporter = OtlpExporter::make(*loop, tracer, options);
  ASSERT_TRUE(exporter);
  const CallFacts facts = some_call();
  tracer->on_span(span_of(facts));
  loop->advance(4s);
  EXPECT_EQ(collector.heard, "");
  loop->advance(2s);
  EXPECT_TRUE(collector.heard.starts_with("POST /v1/traces HTTP/1.1\r\n")) << collector.heard;
  EXPECT_NE(collector.heard.find("00f067aa0ba902b7"), std::string::npos);
  EXPECT_EQ((*exporter)->failures(), 0U);
}

TEST(OtlpExporter, RefusesAnAddressThatIsNone) {
  const auto loop = runtime::SimulatedLoop::make();
  OtlpExporter::Options options;
  options.url = "nowhere";
  EXPECT_FALSE(OtlpExporter::make(*loop, std::make_shared<OtlpTracer>("shop"), options));
}

}  // namespace
}  // namespace squall::server
