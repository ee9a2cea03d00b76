#include "demo.h"

#include <chrono>
#include <optional>
#include <utility>

#include "squall/inject/fault_tools.h"
#include "squall/json/write.h"
#include "squall/mcp/names.h"
#include "squall/server/engine.h"
#include "squall/server/serve.h"
#include "squall/transport/http.h"

#include "builtin_tools.h"
#include "demo_client.h"
#include "fail.h"
#include "serve.h"

namespace squall::cli {

using json::Value;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds kDelay = 500ms;         // what the server is asked to wait
constexpr std::chrono::milliseconds kDurationMax = 2000ms;  // what the call may take
constexpr std::chrono::milliseconds kTimeout = 5000ms;      // of the whole demo

/// The text of a tool result's first block.
std::string first_text(const Value& result) {
  const Value* content = result.find("content");
  if (content == nullptr || content->items().empty()) return {};
  return std::string(content->items().front().find_string("text").value_or(""));
}

std::string versions_text(const Value& discovered) {
  std::string out;
  const Value* versions = discovered.find("supportedVersions");
  if (versions == nullptr) return out;
  for (const Value& version : versions->items()) {
    out += (out.empty() ? "speaks " : ", ") + std::string(version.string());
  }
  return out;
}

std::string tools_text(const Value& listed) {
  const Value* tools = listed.find("tools");
  return std::to_string(tools != nullptr ? tools->size() : 0) + " tools";
}

/// The client's side of the demo.
class Visit {
 public:
  Visit(runtime::Loop& loop, const transport::Url& url, DemoReport& report)
      : loop_(loop), client_(loop, url), report_(report) {}

  /// Gives an error when the server could not even be asked.
  Task<Result<void>> run() {
    std::string method(mcp::method::kDiscover);
    Result<Value> discovered = co_await step(method, "", Value::object());
    if (!discovered) co_return std::unexpected(std::move(discovered).error());
    report_.steps.back().answer = versions_text(*discovered);

    method = mcp::method::kToolsList;
    Result<Value> listed = co_await step(method, "", Value::object());
    if (!listed) co_return std::unexpected(std::move(listed).error());
    report_.steps.back().answer = tools_text(*listed);

    calling_since_ = loop_.now();
    Value arguments = Value::object({{"delayMs", std::int64_t{kDelay.count()}}});
    Value params = Value::object({{"name", "delay"}, {"arguments", std::move(arguments)}});
    method = mcp::method::kToolsCall;
    Result<Value> called = co_await step(method, "delay", std::move(params));
    report_.duration = report_.steps.back().duration;
    if (called) {
      take_result(*std::move(called));
    } else {
      report_.error = called.error().message;
    }
    co_return Result<void>();
  }

  /// Writes down what is known when the time is over; false when the call hadn't begun yet.
  bool give_up() {
    if (!calling_since_) return false;
    report_.outcome = Outcome::timeout;
    report_.duration = loop_.now() - *calling_since_;
    return true;
  }

 private:
  Task<Result<Value>> step(std::string method, std::string name, Value params) {
    const runtime::TimePoint start = loop_.now();
    std::string what = name.empty() ? method : method + " " + name;
    Task<Result<Value>> call = client_.call(std::move(method), std::move(name), std::move(params));
    Result<Value> result = co_await std::move(call);
    DemoStep done;
    done.what = std::move(what);
    done.duration = loop_.now() - start;
    report_.steps.push_back(std::move(done));
    co_return result;
  }

  void take_result(Value result) {
    const Value* is_error = result.find("isError");
    const bool failed = is_error != nullptr && is_error->boolean();
    report_.outcome = failed ? Outcome::tool_error : Outcome::success;
    report_.steps.back().answer = first_text(result);
    report_.result = std::move(result);
  }

  runtime::Loop& loop_;
  DemoClient client_;
  DemoReport& report_;
  std::optional<runtime::TimePoint> calling_since_;
};

void judge(DemoReport& report) {
  const std::string expected =
      R"({"status":"delayed","delayMs":)" + std::to_string(kDelay.count()) + "}";
  const auto bound = [](std::chrono::milliseconds time) {
    return std::to_string(time.count()) + " ms";
  };
  report.assertions = {
      {"the call succeeds", report.outcome == Outcome::success},
      {"its text is " + expected, first_text(report.result) == expected},
      {"it takes " + bound(kDelay) + " at least", report.duration >= kDelay},
      {"it takes " + bound(kDurationMax) + " at most", report.duration <= kDurationMax},
  };
}

/// Lets the visitor run until it is through or the time is over.
Result<void> visit(runtime::Loop& loop, const transport::Url& url, DemoReport& report) {
  Visit visitor(loop, url, report);
  Result<void> ended = fail(ErrorKind::timeout, "the server did not answer in time");
  const auto wait = [&]() -> Task<void> {
    Task<Result<void>> running = visitor.run();
    ended = co_await std::move(running);
    loop.stop();
  };
  const Task<void> waiting = wait();
  const auto timer = loop.call_after(kTimeout, [&] {
    if (visitor.give_up()) ended = {};
    loop.stop();
  });
  waiting.start();
  loop.run();
  loop.cancel(timer);
  return ended;
}

}  // namespace

Result<DemoReport> run_demo() {
  server::Registry registry = make_builtin_registry();
  inject::add_fault_tools(registry, {});
  SQUALL_TRY(auto pipeline, registry.compile());

  const auto loop = runtime::SystemLoop::make();
  server::Engine engine(std::move(pipeline));
  const server::HttpOptions options;
  const auto endpoint = server::make_http_endpoint(*loop, engine, options);
  transport::HttpServer listener(*loop, *endpoint);
  SQUALL_CHECK(listener.listen({}));

  DemoReport report;
  report.endpoint = endpoint_url(options, listener.port());
  SQUALL_TRY(const auto url, transport::Url::parse(report.endpoint));
  SQUALL_CHECK(visit(*loop, url, report));
  judge(report);
  return report;
}

Exit demo(const DemoCommand& command, Console& console) {
  const auto report = run_demo();
  if (!report) {
    if (command.json) {
      const Value error =
          Value::object({{"code", "demo_failed"}, {"message", report.error().message}});
      const Value document = Value::object({{"passed", false}, {"error", error}});
      console.out(json::to_pretty_string(document) + "\n");
      return Exit::could_not;
    }
    return complain(console, report.error());
  }
  console.out(command.json ? demo_json(*report) : demo_text(*report, console.colours()));
  return report->passed() ? Exit::passed : Exit::failed;
}

}  // namespace squall::cli
