#include "squall/testing/tester.h"

#include <cstdio>
#include <deque>
#include <optional>

#include "squall/base/assert.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/mcp/names.h"
#include "squall/server/serve.h"

#include "exchange.h"

namespace squall::testing {

namespace {

using transport::HttpClientRequest;

constexpr std::size_t kRoundsMax = 10;
constexpr std::chrono::milliseconds kTick{1};

std::shared_ptr<const server::Pipeline> compiled(const server::Registry& registry,
                                                 const server::CompileOptions& options) {
  auto pipeline = registry.compile(options);
  if (!pipeline) std::fprintf(stderr, "Tester: %s\n", pipeline.error().message.c_str());
  SQUALL_ASSERT(pipeline.has_value());
  return *std::move(pipeline);
}

/// The text between `open` and `close` from `at` on, and moves `at` behind; nothing at the end.
std::optional<std::string_view> between(std::string_view text, std::string_view open,
                                        std::string_view close, std::size_t& at) {
  const std::size_t from = text.find(open, at);
  if (from == std::string_view::npos) return std::nullopt;
  const std::size_t to = text.find(close, from + open.size());
  if (to == std::string_view::npos) return std::nullopt;
  at = to + close.size();
  return text.substr(from + open.size(), to - from - open.size());
}

std::string unescaped(std::string_view text) {
  std::string out(text);
  for (const auto& [entity, plain] :
       {std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"}, std::pair{"&quot;", "\""},
        std::pair{"&#39;", "'"}, std::pair{"&amp;", "&"}}) {
    const std::string_view name(entity);
    for (std::size_t at = out.find(name); at != std::string::npos; at = out.find(name, at + 1)) {
      out.replace(at, name.size(), plain);
    }
  }
  return out;
}

void read_block(std::string_view text, Call& call) {
  std::size_t at = 0;
  if (text.starts_with("<rules>")) {
    while (const auto rule = between(text, "<rule>", "</rule>", at)) {
      call.rules.push_back(unescaped(*rule));
    }
  } else if (text.starts_with("<suggestions>")) {
    while (const auto one = between(text, "<suggestion action=\"", "</suggestion>", at)) {
      const std::size_t quote = one->find("\">");
      if (quote == std::string_view::npos) continue;
      call.suggestions.emplace_back(unescaped(one->substr(0, quote)),
                                    unescaped(one->substr(quote + 2)));
    }
  } else if (text.starts_with("<tool_error code=\"")) {
    call.code = unescaped(between(text, "code=\"", "\"", at).value_or(""));
  }
}

/// Virtual time belongs to one thread, so handlers that block run on it too.
TesterOptions on_one_thread(TesterOptions options) {
  options.engine.blocking.threads = 0;
  return options;
}

void read_result(Call& call) {
  if (const json::Value* data = call.result.find("structuredContent")) call.data = *data;
  const json::Value* is_error = call.result.find("isError");
  call.is_error = is_error != nullptr && is_error->boolean();
  const json::Value* content = call.result.find("content");
  if (content == nullptr) return;
  for (const json::Value& block : content->items()) {
    if (const auto text = block.find_string("text")) {
      call.blocks.emplace_back(*text);
      read_block(*text, call);
    }
  }
}

}  // namespace

class Tester::Impl {
 public:
  Impl(const server::Registry& registry, TesterOptions options)
      : options_(on_one_thread(std::move(options))),
        engine(compiled(registry, options_.compile), options_.engine),
        endpoint_(server::make_http_endpoint(*loop, engine, {})),
        http_(*loop, *endpoint_) {
    SQUALL_ASSERT(http_.listen({}).has_value());
    origin_ = *transport::Url::parse("http://127.0.0.1:" + std::to_string(http_.port()) + "/mcp");
    if (!modern()) initialize();
  }
  ~Impl() { exchanges_.clear(); }

  Call run(std::string_view method, json::Value params) {
    Call call = round(method, params);
    for (std::size_t i = 0; i < kRoundsMax; ++i) {
      if (call.result.find_string("resultType").value_or("") != "input_required") break;
      if (!answer_round(call.result, params)) break;
      call = round(method, params);
    }
    return call;
  }

  Call call_action(std::string_view tool, std::string_view action, json::Value arguments) {
    json::Value params = json::Value::object();
    if (options_.compile.exposition == server::Exposition::grouped) {
      arguments.set(options_.compile.discriminator, action);
      params.set("name", tool);
    } else {
      std::string name(tool);
      for (const char c : "." + std::string(action)) {
        name += c == '.' ? options_.compile.separator : std::string(1, c);
      }
      params.set("name", name);
    }
    params.set("arguments", std::move(arguments));
    return run(mcp::method::kToolsCall, std::move(params));
  }

  const std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  std::string session_id;

 private:
  const TesterOptions options_;

 public:
  server::Engine engine;

 private:
  [[nodiscard]] bool modern() const {
    return mcp::supports(options_.revision, mcp::Feature::per_request_envelope);
  }

  void initialize() {
    const Call call =
        round(mcp::method::kInitialize,
              json::Value::object(
                  {{"protocolVersion", mcp::to_text(options_.revision)},
                   {"capabilities", options_.capabilities},
                   {"clientInfo", json::Value::object({{"name", "tester"}, {"version", "1"}})}}));
    SQUALL_ASSERT(call.error.is_null());
    post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", "", nullptr);
    settle();
  }

  /// One request and its response.
  Call round(std::string_view method, const json::Value& params) {
    Call call;
    json::Value sent = params;
    if (modern()) sent.set("_meta", envelope(params));
    const std::int64_t id = next_id_++;
    json::Value message = json::Value::object(
        {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(sent)}});
    Exchange& exchange =
        post(json::to_string(message), headers_of(method, params),
             [this, &call, id](const json::Value& heard) { hear(heard, id, call); });
    for (std::chrono::milliseconds waited{0}; !exchange.done() && waited < options_.patience;
         waited += kTick) {
      settle();
      if (!exchange.done()) loop->advance(kTick);
    }
    call.status = exchange.done() ? exchange.status() : 0;
    call.wire = exchange.body();
    if (const std::string* id_header = exchange.response().header(mcp::header::kSessionId)) {
      session_id = *id_header;
    }
    if (call.result.is_object()) read_result(call);
    call.is_error = call.is_error || !call.error.is_null() || call.status == 0;
    exchanges_.clear();
    return call;
  }

  void hear(const json::Value& heard, std::int64_t id, Call& call) {
    const json::Value* its_id = heard.find("id");
    if (heard.contains("method")) {
      if (its_id == nullptr) {
        call.notifications.push_back(heard);
      } else {
        answer_request(heard, *its_id);
      }
      return;
    }
    if (its_id == nullptr || *its_id != json::Value(id)) {
      if (!heard.contains("error")) return;
    }
    if (const json::Value* result = heard.find("result")) call.result = *result;
    if (const json::Value* error = heard.find("error")) call.error = *error;
  }

  json::Value answer(std::string_view method, const json::Value& params) const {
    return options_.answer ? options_.answer(method, params) : json::Value();
  }

  void answer_request(const json::Value& heard, const json::Value& id) {
    const json::Value* params = heard.find("params");
    json::Value result = answer(heard.find_string("method").value_or(""),
                                params != nullptr ? *params : json::Value());
    json::Value message = json::Value::object({{"jsonrpc", "2.0"}, {"id", id}});
    if (result.is_null()) {
      message.set("error", json::Value::object({{"code", -1}, {"message", "refused"}}));
    } else {
      message.set("result", std::move(result));
    }
    // From the loop: this is called inside another exchange.
    loop->post([this, text = json::to_string(message)] { post(text, "", nullptr); });
  }

  /// Puts the answers into `params`; whether there was anything to go on with.
  bool answer_round(const json::Value& result, json::Value& params) const {
    json::Value responses = json::Value::object();
    if (const json::Value* requests = result.find("inputRequests")) {
      for (const json::Member& one : requests->members()) {
        const json::Value* asked = one.value.find("params");
        json::Value given = answer(one.value.find_string("method").value_or(""),
                                   asked != nullptr ? *asked : json::Value());
        if (given.is_null()) return false;
        responses.set(one.name(), std::move(given));
      }
    }
    params.set("inputResponses", std::move(responses));
    if (const json::Value* state = result.find("requestState")) params.set("requestState", *state);
    return true;
  }

  [[nodiscard]] json::Value envelope(const json::Value& params) const {
    const json::Value* own = params.find("_meta");
    json::Value meta = own != nullptr ? *own : json::Value::object();
    meta.set(mcp::meta::kProtocolVersion, mcp::to_text(options_.revision));
    meta.set(mcp::meta::kClientInfo, json::Value::object({{"name", "tester"}, {"version", "1"}}));
    meta.set(mcp::meta::kClientCapabilities, options_.capabilities);
    return meta;
  }

  using Headers = std::vector<std::pair<std::string, std::string>>;

  Headers headers_of(std::string_view method, const json::Value& params) const {
    Headers out;
    if (!modern()) return out;
    out.emplace_back("Mcp-Method", method);
    std::string_view name = params.find_string("name").value_or("");
    if (method == mcp::method::kResourcesRead) name = params.find_string("uri").value_or("");
    if (!name.empty()) out.emplace_back("Mcp-Name", name);
    return out;
  }

  Exchange& post(const std::string& body, Headers more,
                 std::function<void(const json::Value&)> on_message) {
    HttpClientRequest request;
    request.target = origin_.target;
    request.headers = std::move(more);
    request.headers.emplace_back("Content-Type", "application/json");
    request.headers.emplace_back("Accept", "application/json, text/event-stream");
    request.headers.emplace_back("MCP-Protocol-Version", mcp::to_text(options_.revision));
    if (!session_id.empty()) request.headers.emplace_back("Mcp-Session-Id", session_id);
    for (const auto& header : options_.headers) request.headers.push_back(header);
    request.body = body;
    auto hear = [on_message = std::move(on_message)](std::string_view text) {
      if (const auto value = json::parse(text); value && on_message) on_message(*value);
    };
    exchanges_.push_back(std::make_unique<Exchange>(*loop, origin_, std::move(hear)));
    exchanges_.back()->send(std::move(request));
    return *exchanges_.back();
  }
  Exchange& post(const std::string& body, const char*, std::nullptr_t) {
    return post(body, Headers(), std::function<void(const json::Value&)>());
  }

  void settle() {
    while (loop->run_ready()) {
    }
  }

  std::unique_ptr<server::HttpEndpoint> endpoint_;
  transport::HttpServer http_;
  transport::Url origin_;
  std::deque<std::unique_ptr<Exchange>> exchanges_;
  std::int64_t next_id_ = 1;
};

Tester::Tester(const server::Registry& registry, TesterOptions options)
    : impl_(std::make_unique<Impl>(registry, std::move(options))) {}
Tester::~Tester() = default;

Call Tester::call(std::string_view tool, json::Value arguments) {
  return impl_->run(mcp::method::kToolsCall,
                    json::Value::object({{"name", tool}, {"arguments", std::move(arguments)}}));
}

Call Tester::call(std::string_view tool, std::string_view action, json::Value arguments) {
  return impl_->call_action(tool, action, std::move(arguments));
}

Call Tester::request(std::string_view method, json::Value params) {
  return impl_->run(method, std::move(params));
}

server::Engine& Tester::engine() noexcept { return impl_->engine; }
runtime::SimulatedLoop& Tester::loop() noexcept { return *impl_->loop; }
const std::string& Tester::session_id() const noexcept { return impl_->session_id; }

}  // namespace squall::testing
