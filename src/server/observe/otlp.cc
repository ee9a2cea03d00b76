#include "squall/json/write.h"
#include "squall/server/observe/adapters.h"
#include "squall/transport/http_client.h"

namespace squall::server {

namespace {

using namespace std::chrono;

std::string nanoseconds_text(system_clock::time_point time) {
  return std::to_string(duration_cast<nanoseconds>(time.time_since_epoch()).count());
}

void attribute(json::Writer& writer, std::string_view name, std::string_view value) {
  writer.begin_object().key("key").string(name).key("value").begin_object();
  writer.key("stringValue").string(value).end_object().end_object();
}

/// 64-bit numbers are strings in the JSON of protocol buffers.
void attribute(json::Writer& writer, std::string_view name, std::int64_t value) {
  writer.begin_object().key("key").string(name).key("value").begin_object();
  writer.key("intValue").string(std::to_string(value)).end_object().end_object();
}

void attribute(json::Writer& writer, std::string_view name, bool value) {
  writer.begin_object().key("key").string(name).key("value").begin_object();
  writer.key("boolValue").boolean(value).end_object().end_object();
}

void write_attributes(json::Writer& writer, const CallFacts& facts) {
  writer.key("attributes").begin_array();
  attribute(writer, "gen_ai.operation.name", std::string_view("execute_tool"));
  attribute(writer, "gen_ai.tool.name", facts.tool);
  if (!facts.action.empty()) attribute(writer, "mcp.action", facts.action);
  attribute(writer, "mcp.ending", to_text(facts.ending));
  if (!facts.code.empty()) attribute(writer, "error.type", facts.code);
  attribute(writer, "mcp.arguments.valid", facts.valid);
  attribute(writer, "mcp.shed", facts.shed);
  attribute(writer, "mcp.wait_us", std::int64_t{duration_cast<microseconds>(facts.waited).count()});
  attribute(writer, "mcp.response.bytes", static_cast<std::int64_t>(facts.response_bytes));
  if (!facts.session.empty()) attribute(writer, "mcp.session", facts.session);
  if (!facts.arguments.is_null()) {
    attribute(writer, "gen_ai.tool.call.arguments", json::to_string(facts.arguments));
  }
  writer.end_array();
}

std::string span_json(const Span& span) {
  constexpr int kServer = 2;
  constexpr int kUnset = 0;
  constexpr int kOk = 1;
  constexpr int kError = 2;
  const CallFacts& facts = *span.facts;
  std::string out;
  json::Writer writer(out);
  writer.begin_object().key("traceId").string(span.trace_id).key("spanId").string(span.span_id);
  if (!facts.trace.parent_id.empty()) writer.key("parentSpanId").string(facts.trace.parent_id);
  if (!facts.trace.state.empty()) writer.key("traceState").string(facts.trace.state);
  writer.key("name").string("tools/call " + facts.tool).key("kind").number(kServer);
  writer.key("startTimeUnixNano").string(nanoseconds_text(facts.began));
  const auto took = duration_cast<system_clock::duration>(facts.took);
  writer.key("endTimeUnixNano").string(nanoseconds_text(facts.began + took));
  write_attributes(writer, facts);
  // What a model got wrong is no failure of the server's.
  const bool broken = facts.ending == Ending::protocol_error || facts.code == "INTERNAL_ERROR";
  const int status = broken ? kError : facts.ending == Ending::ok ? kOk : kUnset;
  writer.key("status").begin_object().key("code").number(status).end_object().end_object();
  return out;
}

class Exporter final : public OtlpExporter, private transport::HttpClientHandler {
 public:
  Exporter(runtime::Loop& loop, std::shared_ptr<OtlpTracer> tracer, transport::Url url,
           runtime::Duration every)
      : loop_(loop),
        tracer_(std::move(tracer)),
        target_(url.target),
        every_(every),
        connection_(loop, std::move(url)) {
    wait();
  }
  ~Exporter() override { loop_.cancel(timer_); }

  void flush() override {
    if (connection_.busy()) return;  // the next time takes it along
    std::string body = tracer_->take_body();
    if (body.empty()) return;
    transport::HttpClientRequest request;
    request.target = target_;
    request.headers = {{"Content-Type", "application/json"}};
    request.body = std::move(body);
    connection_.request(std::move(request), *this);
  }
  [[nodiscard]] std::uint64_t failures() const override { return failures_; }

 private:
  void wait() {
    timer_ = loop_.call_after(every_, [this] {
      flush();
      wait();
    });
  }
  void on_response(const transport::HttpClientResponse& response) override {
    if (response.status / 100 != 2) ++failures_;
  }
  void on_body(std::string_view) override {}
  void on_done() override {}
  void on_failed(const Error&, bool) override { ++failures_; }

  runtime::Loop& loop_;
  std::shared_ptr<OtlpTracer> tracer_;  // with the observers of the engine
  std::string target_;
  runtime::Duration every_;
  transport::HttpClientConnection connection_;
  runtime::TimerId timer_ = runtime::TimerId::none;
  std::uint64_t failures_ = 0;
};

}  // namespace

void OtlpTracer::on_span(const Span& span) {
  std::string text = span_json(span);
  const std::lock_guard lock(mutex_);
  if (spans_.size() >= spans_max_) {
    ++lost_;
  } else {
    spans_.push_back(std::move(text));
  }
}

std::string OtlpTracer::take_body() {
  std::vector<std::string> spans;
  {
    const std::lock_guard lock(mutex_);
    spans.swap(spans_);
  }
  if (spans.empty()) return {};
  std::string out;
  json::Writer writer(out);
  writer.begin_object().key("resourceSpans").begin_array().begin_object();
  writer.key("resource").begin_object().key("attributes").begin_array();
  attribute(writer, "service.name", service_name_);
  writer.end_array().end_object();
  writer.key("scopeSpans").begin_array().begin_object();
  writer.key("scope").begin_object().key("name").string("squall").end_object();
  writer.key("spans").begin_array();
  for (const std::string& span : spans) writer.raw(span);
  writer.end_array().end_object().end_array().end_object().end_array().end_object();
  return out;
}

Result<std::unique_ptr<OtlpExporter>> OtlpExporter::make(runtime::Loop& loop,
                                                         std::shared_ptr<OtlpTracer> tracer,
                                                         const Options& options) {
  SQUALL_TRY(transport::Url url, transport::Url::parse(options.url));
  return std::unique_ptr<OtlpExporter>(
      new Exporter(loop, std::move(tracer), std::move(url), options.every));
}

}  // namespace squall::server
