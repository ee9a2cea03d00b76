#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/schema/schema.h"
#include "squall/server/presenter/data_presenter.h"
#include "squall/server/registry.h"

#include "kept_exchange.h"

// Counts the schemas and regular expressions that are compiled. The linker leads each call of the
// compilers here first (see CMakeLists.txt), so a program of its own.

namespace squall::schema {
namespace {
std::size_t compilations = 0;
}

// Calls of Schema::compile, by the name that the linker knows it by, come to the second of these.
Result<Schema> really_compile(const json::Value& schema, const CompileOptions& options) asm(
    "__real__ZN6squall6schema6Schema7compileERKNS_4json5ValueERKNS0_14CompileOptionsE");
Result<Schema> compile_counted(const json::Value& schema, const CompileOptions& options) asm(
    "__wrap__ZN6squall6schema6Schema7compileERKNS_4json5ValueERKNS0_14CompileOptionsE");

Result<Schema> compile_counted(const json::Value& schema, const CompileOptions& options) {
  ++compilations;
  return really_compile(schema, options);
}

}  // namespace squall::schema

namespace squall::acceptance {
namespace {

using namespace squall::server;
using schema::compilations;

struct Pay {
  std::string id;
  std::int64_t cents = 0;
};
SQUALL_DESCRIBE(Pay, id, cents)

Registry registry() {
  Registry out({.name = "counted", .version = "1"});
  const auto presenter = Presentation("payment")
                             .schema(R"({"type":"object","properties":{"id":{"type":"string"},
                                 "cents":{"type":"integer"}},"patternProperties":{"^x-":{}}})")
                             .redact({"/card"})
                             .build();
  out.query<Pay>("shop.look")
      .constrain(&Pay::id, schema::pattern("^P-[0-9]+$"))
      .presents(*presenter)
      .handle([](const Pay& in) { return in; });
  out.mutation<Pay>("shop.pay")
      .constrain(&Pay::id, schema::pattern("^P-[0-9]+$"))
      .egress(64_KiB, Structured::trim)
      .concurrency(2)
      .handle([](Context& context, const Pay& in) -> Reply<Pay> {
        const json::Value form = json::parse(R"({"type":"object","required":["sure"],"properties":{
            "sure":{"type":"boolean"},"why":{"type":"string","pattern":"^[a-z]*$"}}})")
                                     .value();
        if (context.ask("sure", elicit_form("Pay?", form)) == nullptr) return context.need_input();
        return in;
      });
  out.tool("raw")
      .input(R"({"type":"object","properties":{"n":{"type":"integer"}}})")
      .handle([](Context&) { return ToolResult::text("raw"); });
  out.resource_template("item:///{name}", "items").handle([](Context& context) {
    return ResourceContents::of_text("text/plain", context.variable("name"));
  });
  return out;
}

/// What a client says that has answered: of the modern era, in the state it was given.
std::string answers(std::string_view heard) {
  const auto reply = json::parse(heard).value();
  const json::Value* state = reply.find("result")->find("requestState");
  std::string out = R"("inputResponses":{"sure":{"action":"accept","content":{"sure":true}}},)";
  if (state != nullptr) out += R"("requestState":)" + json::to_string(*state) + ",";
  return out;
}

struct Names {
  std::string look, pay;                ///< tools
  std::string look_action, pay_action;  ///< members that choose, or ""
};

Names names_of(Exposition exposition) {
  if (exposition == Exposition::flat) return {"shop_look", "shop_pay", "", ""};
  return {"shop", "shop", R"("action":"look",)", R"("action":"pay",)"};
}

std::string list_of(bool modern) {
  return R"({"jsonrpc":"2.0","id":9,"method":"tools/list","params":{)" +
         std::string(modern ? kEnvelope : "") + "}}";
}

/// Everything a client may do, over HTTP in the modern era.
void use_modern(LocalHttp& http, const Names& names) {
  const std::string good = "{" + names.look_action + R"("id":"P-1","cents":5})";
  const std::string bad = "{" + names.look_action + R"("id":"P-x","cents":5,"idd":1})";
  const std::string pay = "{" + names.pay_action + R"("id":"P-1","cents":5})";
  EXPECT_NE(
      http.start("POST", call_of(1, names.look, good, true), "", names.look)->body.find("P-1"),
      std::string::npos);
  EXPECT_NE(
      http.start("POST", call_of(2, names.look, bad, true), "", names.look)->body.find("VALIDA"),
      std::string::npos);
  EXPECT_NE(http.start("POST", call_of(3, "raw", "{}", true), "", "raw")->body.find("raw"),
            std::string::npos);
  const auto asked = http.start("POST", call_of(4, names.pay, pay, true), "", names.pay);
  ASSERT_NE(asked->body.find("input_required"), std::string::npos) << asked->body;
  const auto paid =
      http.start("POST", call_of(5, names.pay, pay, true, answers(asked->body)), "", names.pay);
  EXPECT_NE(paid->body.find("structuredContent"), std::string::npos) << paid->body;
}

/// The same in a session, and without one.
void use_legacy(LocalHttp& http, const Names& names, const std::string& session) {
  const std::string good = "{" + names.look_action + R"("id":"P-1","cents":5})";
  const std::string bad = "{" + names.look_action + R"("id":"P-x","cents":5})";
  EXPECT_NE(http.start("POST", list_of(false), session)->body.find(names.look), std::string::npos);
  EXPECT_NE(http.start("POST", call_of(1, names.look, good, false), session)->body.find("P-1"),
            std::string::npos);
  EXPECT_NE(http.start("POST", call_of(2, names.look, bad, false), session)->body.find("VALIDA"),
            std::string::npos);
  if (session.empty()) return;
  const std::string pay = "{" + names.pay_action + R"("id":"P-1","cents":5})";
  const auto call = http.start("POST", call_of(3, names.pay, pay, false), session);
  const std::size_t at = call->body.find(R"("id":)");
  ASSERT_NE(at, std::string::npos) << call->body;
  const std::string id = call->body.substr(at + 5, call->body.find_first_of(",}", at) - at - 5);
  http.start("POST",
             R"({"jsonrpc":"2.0","id":)" + id +
                 R"(,"result":{"action":"accept","content":{"sure":true}}})",
             session);
  EXPECT_NE(call->body.find("structuredContent"), std::string::npos) << call->body;
}

/// One peer on a channel, as over stdio.
class Peer final : public transport::MessageChannel::Receiver {
 public:
  Peer(runtime::SimulatedLoop& loop, Engine& engine) : loop_(loop) {
    auto [near, far] = transport::make_channel_pair(loop);
    endpoint_ = make_channel_endpoint(loop, engine, std::move(near));
    channel_ = std::move(far);
    channel_->start(*this);
  }
  std::string say(std::string_view text) {
    heard_.clear();
    channel_->send(text);
    while (loop_.run_ready()) {
    }
    return heard_;
  }
  void on_message(std::string text) override { heard_ = std::move(text); }
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End) override {}

 private:
  runtime::SimulatedLoop& loop_;
  std::unique_ptr<ChannelEndpoint> endpoint_;
  std::unique_ptr<transport::MessageChannel> channel_;
  std::string heard_;
};

void use_channel(Peer& peer, const Names& names) {
  const std::string good = "{" + names.look_action + R"("id":"P-1","cents":5})";
  const std::string bad = "{" + names.look_action + R"("id":"P-x","cents":5})";
  const std::string pay = "{" + names.pay_action + R"("id":"P-1","cents":5})";
  EXPECT_NE(peer.say(list_of(true)).find(names.look), std::string::npos);
  EXPECT_NE(peer.say(call_of(1, names.look, good, true)).find("P-1"), std::string::npos);
  EXPECT_NE(peer.say(call_of(2, names.look, bad, true)).find("VALIDA"), std::string::npos);
  const std::string asked = peer.say(call_of(3, names.pay, pay, true));
  const std::string paid = peer.say(call_of(4, names.pay, pay, true, answers(asked)));
  EXPECT_NE(paid.find("structuredContent"), std::string::npos) << paid;
}

void use_handle(Engine& engine, const Names& names) {
  transport::HttpRequest request;
  request.method = "POST";
  request.target = request.path = "/mcp";
  request.headers = {{"Host", "127.0.0.1"},        {"Content-Type", "application/json"},
                     {"Mcp-Method", "tools/call"}, {"MCP-Protocol-Version", "2026-07-28"},
                     {"Mcp-Name", names.look},     {"Accept", "application/json"}};
  request.body = call_of(1, names.look, "{" + names.look_action + R"("id":"P-1","cents":5})", true);
  EXPECT_NE(handle_http(engine, std::move(request), {}).body.find("P-1"), std::string::npos);
}

class Compilations : public testing::TestWithParam<Exposition> {};

TEST_P(Compilations, AreNoneOnTheWayOfARequestInAnyTransportOrMode) {
  server::CompileOptions compile;
  compile.exposition = GetParam();
  const Names names = names_of(GetParam());
  const auto pipeline = registry().compile(compile);
  ASSERT_TRUE(pipeline.has_value()) << pipeline.error().message;
  EXPECT_GT(compilations, 0U);  // the build's: they are counted
  const auto loop = runtime::SimulatedLoop::make();
  Engine engine(*pipeline);
  LocalHttp http(*loop, engine);
  Peer peer(*loop, engine);
  const std::string session = http.initialize();
  const auto use_all = [&] {
    use_modern(http, names);
    use_legacy(http, names, session);
    use_legacy(http, names, "");
    use_channel(peer, names);
    use_handle(engine, names);
  };
  // A form is compiled when it is first answered, as nobody has told of it before.
  const std::size_t before = compilations;
  use_all();
  EXPECT_EQ(compilations - before, 1U);
  for (int i = 0; i < 3; ++i) use_all();
  EXPECT_EQ(compilations - before, 1U);
}

INSTANTIATE_TEST_SUITE_P(Exposed, Compilations,
                         testing::Values(Exposition::grouped, Exposition::flat));

}  // namespace
}  // namespace squall::acceptance
