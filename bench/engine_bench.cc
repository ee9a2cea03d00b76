// Calls of typed actions in process: message in, response out, on one thread.
//   engine_bench ROW [COUNT]   does ROW COUNT times and prints what each took of the CPU
//   engine_bench               does every row once, to see that it works
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/server/observe/adapters.h"
#include "squall/server/presenter/data_presenter.h"
#include "squall/server/registry.h"
#include "squall/server/serve.h"

namespace {

using namespace squall;
using namespace squall::server;

struct GetInvoice {
  std::string id;
  std::optional<std::string> currency;
};
SQUALL_DESCRIBE(GetInvoice, id, currency)

struct Invoice {
  std::string id;
  std::int64_t cents = 0;
};
SQUALL_DESCRIBE(Invoice, id, cents)

class PassingStage final : public Stage {
 public:
  Task<Outcome<ToolResult>> around(std::string_view, Context&, const Next& next) override {
    Task<Outcome<ToolResult>> task = next();
    co_return co_await std::move(task);
  }
};

Checked pass(Context&) { return {}; }

std::shared_ptr<const Presenter> presenter() {
  auto built = Presentation("invoice")
                   .schema(R"({"type":"object","required":["id","cents"],"properties":{
                       "id":{"type":"string"},"cents":{"type":"integer"}}})")
                   .rule("Amounts are in cents.")
                   .build();
  SQUALL_ASSERT(built.has_value());
  return *std::move(built);
}

/// What stands around the action.
enum class Around { nothing, checks, stages };

void declare(Registry& registry, const std::string& name, Around around,
             const std::shared_ptr<const Presenter>& presents) {
  auto action = registry.query<GetInvoice>(name);
  action.constrain(&GetInvoice::id, schema::pattern("^INV-[0-9]+$"));
  if (around == Around::checks) action.use(pass).use(pass);
  if (around == Around::stages) {
    action.use(std::make_shared<PassingStage>()).use(std::make_shared<PassingStage>());
  }
  if (around != Around::nothing) action.presents(presents);
  action.handle([](const GetInvoice& in) { return Invoice{in.id, 1250}; });
}

Registry registry(Around around, std::size_t tools = 1) {
  Registry out({.name = "bench", .version = "1.0.0"});
  const auto presents = presenter();
  for (std::size_t i = 0; i < tools; ++i) {
    declare(out, "billing" + std::to_string(i) + ".get", around, presents);
  }
  return out;
}

std::shared_ptr<const Pipeline> compiled(const Registry& registry) {
  auto pipeline = registry.compile();
  SQUALL_ASSERT(pipeline.has_value());
  return *std::move(pipeline);
}

/// The server's end of a channel whose client is the caller itself.
class DirectChannel final : public transport::MessageChannel {
 public:
  explicit DirectChannel(std::string& heard) : heard_(heard) {}
  void start(Receiver& receiver) override { server = &receiver; }
  void send(std::string_view message) override { heard_.assign(message); }
  [[nodiscard]] std::size_t pending() const override { return 0; }
  void pause() override {}
  void resume() override {}
  void finish() override {}
  void close() override {}
  Receiver* server = nullptr;

 private:
  std::string& heard_;
};

class Client {
 public:
  explicit Client(std::shared_ptr<const Pipeline> pipeline, EngineOptions options = {})
      : engine_(std::move(pipeline), std::move(options)) {
    auto channel = std::make_unique<DirectChannel>(heard_);
    channel_ = channel.get();
    endpoint_ = make_channel_endpoint(*loop_, engine_, std::move(channel));
  }
  /// The answer to the request with the next id.
  const std::string& say(std::string_view behind_id) {
    heard_.clear();
    std::string text;
    text.reserve(kBegin.size() + behind_id.size() + 20);
    text += kBegin;
    char digits[20];
    text.append(digits, std::to_chars(digits, digits + sizeof(digits), ++id_).ptr);
    text += behind_id;
    channel_->server->on_message(std::move(text));
    if (heard_.empty()) {
      while (loop_->run_ready()) {
      }
    }
    return heard_;
  }

 private:
  static constexpr std::string_view kBegin = R"({"jsonrpc":"2.0","id":)";
  std::unique_ptr<runtime::SimulatedLoop> loop_ = runtime::SimulatedLoop::make();
  Engine engine_;
  std::string heard_;
  DirectChannel* channel_ = nullptr;  // the endpoint's
  std::unique_ptr<ChannelEndpoint> endpoint_;
  std::uint64_t id_ = 0;
};

constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},)"
    R"("io.modelcontextprotocol/clientCapabilities":{}}}})";

std::string call_of(std::string_view tool, std::string_view id) {
  return R"(,"method":"tools/call","params":{"name":")" + std::string(tool) +
         R"(","arguments":{"action":"get","id":")" + std::string(id) + R"("},)" +
         std::string(kMeta);
}

std::string list_of() { return R"(,"method":"tools/list","params":{)" + std::string(kMeta); }

using Seconds = std::chrono::duration<double>;

Seconds cpu_now() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

/// Does it once to see that it is right, then `count` times; what each of these took.
Seconds repeat(Client& client, const std::string& request, std::string_view expected,
               std::size_t count) {
  SQUALL_ASSERT(client.say(request).find(expected) != std::string::npos);
  const std::size_t size = client.say(request).size();
  const Seconds begin = cpu_now();
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) bytes += client.say(request).size();
  const Seconds took = cpu_now() - begin;
  SQUALL_ASSERT(bytes >= size * count);
  return took / static_cast<double>(count);
}

Seconds call(Around around, std::size_t count, std::string_view id = "INV-7",
             std::string_view expected = "1250", EngineOptions options = {}) {
  Client client(compiled(registry(around)), std::move(options));
  return repeat(client, call_of("billing0", id), expected, count);
}

Seconds call_among(std::size_t tools, std::size_t count) {
  Client client(compiled(registry(Around::checks, tools)));
  const std::string tool = "billing" + std::to_string(tools / 2);
  return repeat(client, call_of(tool, "INV-7"), "1250", count);
}

Seconds list_among(std::size_t tools, std::size_t count) {
  Client client(compiled(registry(Around::checks, tools)));
  return repeat(client, list_of(), "billing0", count);
}

Seconds compile(std::size_t tools, std::size_t count) {
  Seconds took{};
  for (std::size_t i = 0; i < count; ++i) {
    const Seconds begin = cpu_now();
    const auto pipeline = compiled(registry(Around::checks, tools));
    took += cpu_now() - begin;  // without taking it apart again
  }
  return took / static_cast<double>(count);
}

EngineOptions watched() {
  struct Sink final : TelemetrySink {
    void on_execute(const CallFacts&) override {}
  };
  Observers observers;
  observers.telemetry = std::make_shared<Sink>();
  EngineOptions options;
  options.observers = std::make_shared<const Observers>(observers);
  return options;
}

struct Row {
  std::size_t usual_count;
  std::function<Seconds(std::size_t count)> run;
};

std::map<std::string_view, Row> rows() {
  constexpr std::size_t kCalls = 200'000;
  return {
      {"bare", {kCalls, [](std::size_t n) { return call(Around::nothing, n); }}},
      {"call", {kCalls, [](std::size_t n) { return call(Around::checks, n); }}},
      {"stages", {kCalls, [](std::size_t n) { return call(Around::stages, n); }}},
      {"watched",
       {kCalls, [](std::size_t n) { return call(Around::checks, n, "INV-7", "1250", watched()); }}},
      {"invalid",
       {kCalls, [](std::size_t n) { return call(Around::checks, n, "7", "VALIDATION_ERROR"); }}},
      {"among_10", {kCalls, [](std::size_t n) { return call_among(10, n); }}},
      {"among_10000", {kCalls, [](std::size_t n) { return call_among(10'000, n); }}},
      {"list_1000", {2'000, [](std::size_t n) { return list_among(1'000, n); }}},
      {"list_10000", {2'000, [](std::size_t n) { return list_among(10'000, n); }}},
      {"compile_10000", {3, [](std::size_t n) { return compile(10'000, n); }}},
  };
}

void print(std::string_view name, Seconds each) {
  std::printf("%.*s ns= %.0f\n", static_cast<int>(name.size()), name.data(), each.count() * 1e9);
}

}  // namespace

int main(int argc, char** argv) {
  const auto all = rows();
  if (argc < 2) {
    for (const auto& [name, row] : all) print(name, row.run(1));
    return 0;
  }
  const auto found = all.find(argv[1]);
  if (found == all.end()) {
    std::fprintf(stderr, "engine_bench: no row %s\n", argv[1]);
    return 2;
  }
  const std::size_t count =
      argc > 2 ? std::strtoull(argv[2], nullptr, 10) : found->second.usual_count;
  if (count == 0) return 2;
  print(found->first, found->second.run(count));
  return 0;
}
