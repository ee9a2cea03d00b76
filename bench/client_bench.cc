#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "squall/client/client.h"
#include "squall/server/engine.h"
#include "squall/server/registry.h"
#include "squall/server/serve.h"
#include "squall/transport/channel.h"

/// @file Typed calls from a client to a server in one process, on one thread: arguments checked by
/// the server, results parsed by the client.

namespace {

using namespace squall;

class InProcess {
 public:
  explicit InProcess(client::Negotiation negotiation) {
    server::Registry registry({.name = "bench", .version = "1"});
    registry.tool("add")
        .input(R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},
                   "required":["a","b"]})")
        .handle([](server::Context& context) {
          return server::ToolResult::text(
              std::to_string(context.integer("a") + context.integer("b")));
        });
    engine_ = std::make_unique<server::Engine>(registry.compile().value());
    auto [near, far] = transport::make_channel_pair(*loop_);
    endpoint_ = server::make_channel_endpoint(*loop_, *engine_, std::move(far));
    client::Options options;
    options.negotiation = negotiation;
    client_ = std::make_unique<client::Client>(
        *loop_, client::over_channel(*loop_, std::move(near)), options);
    const auto connect = client_->connect();
    connect.start();
    while (!connect.done()) loop_->run_ready();
  }

  /// Makes `calls` calls, `width` at a time; how many succeeded.
  int run(int calls, int width) {
    int succeeded = 0;
    std::vector<Task<void>> callers;
    for (int i = 0; i < width; ++i) {
      callers.push_back(call(calls / width, succeeded));
      callers.back().start();
    }
    while (loop_->run_ready()) {
    }
    return succeeded;
  }

 private:
  Task<void> call(int calls, int& succeeded) {
    for (int i = 0; i < calls; ++i) {
      json::Value arguments = json::Value::object();
      arguments.set("a", i);
      arguments.set("b", 1);
      const auto outcome = co_await client_->call_tool("add", std::move(arguments));
      if (outcome && !outcome->is_error()) ++succeeded;
    }
  }

  std::unique_ptr<runtime::SimulatedLoop> loop_ = runtime::SimulatedLoop::make();
  std::unique_ptr<server::Engine> engine_;
  std::unique_ptr<server::ChannelEndpoint> endpoint_;
  std::unique_ptr<client::Client> client_;
};

void calls(benchmark::State& state, client::Negotiation negotiation) {
  constexpr int kCalls = 1'024;
  InProcess bench(negotiation);
  for (auto _ : state) {
    if (bench.run(kCalls, static_cast<int>(state.range(0))) != kCalls) {
      state.SkipWithError("a call failed");
    }
  }
  state.SetItemsProcessed(state.iterations() * kCalls);
}

void modern_calls(benchmark::State& state) { calls(state, client::Negotiation::automatic); }
void legacy_calls(benchmark::State& state) { calls(state, client::Negotiation::legacy); }
BENCHMARK(modern_calls)->Arg(1)->Arg(16)->Arg(64);
BENCHMARK(legacy_calls)->Arg(1)->Arg(16)->Arg(64);

}  // namespace
