#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>

#include "squall/base/assert.h"
#include "squall/server/registry.h"
#include "squall/server/serve.h"

// Calls of typed actions over an in-process channel: message in, response out, on one thread.

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

/// Leaves the result as it is: what a presenter costs before it does anything.
class PassingPresenter final : public Presenter {
 public:
  ToolResult present(Context&, ToolResult result) const override { return result; }
};

class PassingStage final : public Stage {
 public:
  Task<Outcome<ToolResult>> around(std::string_view, Context&, const Next& next) override {
    Task<Outcome<ToolResult>> task = next();
    co_return co_await std::move(task);
  }
};

Checked pass(Context&) { return {}; }

void describe(Action<GetInvoice> action) {
  action.constrain(&GetInvoice::id, schema::pattern("^INV-[0-9]+$"))
      .handle([](const GetInvoice& in) { return Invoice{in.id, 1250}; });
}

Registry registry() { return Registry({.name = "bench", .version = "1"}); }

Registry with_checks() {
  Registry out = registry();
  auto action = out.query<GetInvoice>("billing.get");
  action.use(pass).use(pass).presents(std::make_shared<PassingPresenter>());
  describe(action);
  return out;
}

Registry with_stages() {
  Registry out = registry();
  auto action = out.query<GetInvoice>("billing.get");
  action.use(std::make_shared<PassingStage>()).use(std::make_shared<PassingStage>());
  action.presents(std::make_shared<PassingPresenter>());
  describe(action);
  return out;
}

/// The same action and nothing around it.
Registry bare() {
  Registry out = registry();
  describe(out.query<GetInvoice>("billing.get"));
  return out;
}

Registry with_tools(std::int64_t count) {
  Registry out = registry();
  for (std::int64_t i = 0; i < count; ++i) {
    describe(out.query<GetInvoice>("billing" + std::to_string(i) + ".get"));
  }
  return out;
}

class Client final : public transport::MessageChannel::Receiver {
 public:
  explicit Client(const Registry& registry) : engine_(compiled(registry)) {
    auto [near, far] = transport::make_channel_pair(*loop_);
    endpoint_ = make_channel_endpoint(*loop_, engine_, std::move(near));
    channel_ = std::move(far);
    channel_->start(*this);
  }
  const std::string& say(std::string_view text) {
    channel_->send(text);
    while (loop_->run_ready()) {
    }
    return heard_;
  }
  void on_message(std::string text) override { heard_ = std::move(text); }
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End) override {}

 private:
  static std::shared_ptr<const Pipeline> compiled(const Registry& registry) {
    auto pipeline = registry.compile();
    SQUALL_ASSERT(pipeline.has_value());
    return *std::move(pipeline);
  }
  std::unique_ptr<runtime::SimulatedLoop> loop_ = runtime::SimulatedLoop::make();
  Engine engine_;
  std::unique_ptr<ChannelEndpoint> endpoint_;
  std::unique_ptr<transport::MessageChannel> channel_;
  std::string heard_;
};

std::string call_of(std::string_view tool, std::string_view id) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) +
         R"(","arguments":{"action":"get","id":")" + std::string(id) + R"("}}})";
}

void run(benchmark::State& state, const Registry& registry, const std::string& call,
         std::string_view expected) {
  Client client(registry);
  SQUALL_ASSERT(client.say(call).find(expected) != std::string::npos);
  for (auto _ : state) benchmark::DoNotOptimize(client.say(call));
  state.SetItemsProcessed(state.iterations());
}

void call_bare(benchmark::State& state) { run(state, bare(), call_of("billing", "INV-7"), "1250"); }
void call_with_checks_and_presenter(benchmark::State& state) {
  run(state, with_checks(), call_of("billing", "INV-7"), "1250");
}
void call_with_stages_and_presenter(benchmark::State& state) {
  run(state, with_stages(), call_of("billing", "INV-7"), "1250");
}
void call_with_invalid_arguments(benchmark::State& state) {
  run(state, with_checks(), call_of("billing", "7"), "VALIDATION_ERROR");
}
void call_among_tools(benchmark::State& state) {
  const std::string tool = "billing" + std::to_string(state.range(0) / 2);
  run(state, with_tools(state.range(0)), call_of(tool, "INV-7"), "1250");
}
/// One page of at most 1,000 tools.
void list_tools(benchmark::State& state) {
  run(state, with_tools(state.range(0)), R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})",
      "billing0");
}
void register_and_compile(benchmark::State& state) {
  for (auto _ : state) {
    const Registry registry = with_tools(state.range(0));
    benchmark::DoNotOptimize(registry.compile());
  }
}

BENCHMARK(call_bare);
BENCHMARK(call_with_checks_and_presenter);
BENCHMARK(call_with_stages_and_presenter);
BENCHMARK(call_with_invalid_arguments);
BENCHMARK(call_among_tools)->Arg(10)->Arg(10'000);
BENCHMARK(list_tools)->Arg(1'000)->Arg(10'000);
BENCHMARK(register_and_compile)->Arg(10'000)->Unit(benchmark::kMillisecond);

}  // namespace
