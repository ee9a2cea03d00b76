#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/client/client.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/runtime/one_shot.h"
#include "squall/runtime/sleep.h"
#include "squall/runtime/task_set.h"

/// @file Our client, told what to do by a test of another language.
///
///     interop_peer auto|modern|legacy STEPS URL
///     interop_peer auto|modern|legacy STEPS -- COMMAND...
///
/// STEPS is a JSON array: {"do":"call","name":..,"arguments":..}, and so on as in `Guide::step`.
/// Each step prints a line {"step":N,"outcome":..}; what happens besides prints {"event":..}.

namespace {

using namespace squall;
using json::Value;

void print(const Value& line) {
  std::printf("%s\n", json::to_string(line).c_str());
  std::fflush(stdout);
}

/// Fills in a form: the first choice, or a value of the type.
Value filled(const Value& schema) {
  Value out = Value::object();
  const Value* const properties = schema.find("properties");
  if (properties == nullptr) return out;
  for (const json::Member& property : properties->members()) {
    const std::string_view type = property.value.find_string("type").value_or("");
    const Value* const choices = property.value.find("enum");
    if (property.value.contains("default")) continue;
    if (choices != nullptr) {
      out.set(property.name(), choices->items()[0]);
    } else if (property.value.contains("oneOf") || property.value.contains("format") ||
               type == "array") {
      continue;  // optional wherever we meet them
    } else if (type == "string") {
      out.set(property.name(), "Ann");
    } else if (type == "boolean") {
      out.set(property.name(), true);
    } else {
      out.set(property.name(), 42);
    }
  }
  return out;
}

/// Answers questions, and prints them.
class Host final : public client::Handlers {
 public:
  explicit Host(runtime::Loop& loop) : loop_(loop) {}
  Task<client::ElicitAnswer> elicit(const client::Elicitation& question) override {
    note("elicit", question.is_url ? Value(question.url) : question.schema);
    client::ElicitAnswer answer;
    answer.action = client::ElicitAnswer::Action::accept;
    answer.content = filled(question.schema);
    co_return answer;
  }
  Task<client::HandlerResult> sample(const Value& params) override {
    note("sample", params);
    Value content = Value::object({{"type", "text"}, {"text", "Paris"}});
    Value out = Value::object({{"role", "assistant"}, {"model", "m"}});
    out.set("content", std::move(content));
    co_return out;
  }
  Task<std::vector<client::Root>> roots() override {
    note("roots", Value());
    std::vector<client::Root> out;
    out.push_back({"file:///tmp/squall-root", "root"});
    co_return out;
  }
  void on_notification(std::string_view method, const Value& params) override {
    note(method, params);
    seen_.emplace_back(method);
    if (awaited_ == method && arrived_) arrived_->set();
  }

  /// Whether such a notification has come, or comes in time. Forgets it.
  Task<bool> wait(std::string method, runtime::Duration patience) {
    const auto found = std::find(seen_.begin(), seen_.end(), method);
    if (found != seen_.end()) {
      seen_.erase(found);
      co_return true;
    }
    awaited_ = std::move(method);
    bool in_time = true;
    arrived_.emplace(loop_);
    const auto timer = loop_.call_after(patience, [this, &in_time] {
      in_time = false;
      arrived_->set();
    });
    co_await *arrived_;
    loop_.cancel(timer);
    std::erase(seen_, awaited_);
    co_return in_time;
  }

  static void note(std::string_view event, const Value& data) {
    print(Value::object({{"event", event}, {"data", data}}));
  }

 private:
  runtime::Loop& loop_;
  std::vector<std::string> seen_;
  std::string awaited_;
  std::optional<runtime::OneShot<>> arrived_;
};

class Reporter final : public client::Observer {
  void on_report(const client::Report& report) override {
    print(Value::object(
        {{"event", "report"}, {"kind", client::to_text(report.kind)}, {"text", report.text}}));
  }
};

Value failed(const client::Failure& failure) {
  return Value::object({{"outcome", client::to_text(failure.kind)},
                        {"code", failure.code},
                        {"message", failure.message}});
}

Value told(const client::Outcome<client::Answer>& answer) {
  if (!answer) return failed(answer.error());
  return Value::object({{"outcome", "success"}, {"result", answer->json()}});
}

Value told(const client::Outcome<client::Listing>& listing) {
  if (!listing) return failed(listing.error());
  Value names = Value::array();
  for (const Value& entry : listing->entries) {
    for (const std::string_view key : {"name", "uri", "uriTemplate"}) {
      const auto name = entry.find_string(key);
      if (!name) continue;
      names.push_back(*name);
      break;
    }
  }
  return Value::object({{"outcome", "success"}, {"names", std::move(names)}});
}

/// Takes the steps, one after the other.
class Guide final : private client::SubscriptionListener {
 public:
  Guide(runtime::Loop& loop, client::Client& client, Host& host)
      : loop_(loop), client_(client), host_(host) {}

  Task<> run(const Value& steps) {
    const auto server = co_await client_.connect();
    if (!server) {
      print(failed(server.error()));
      co_return;
    }
    print(Value::object({{"revision", mcp::to_text(server->revision)},
                         {"name", server->info.find_string("name").value_or("")},
                         {"capabilities", server->capabilities}}));
    std::int64_t number = 0;
    for (const Value& step : steps.items()) {
      Value line = co_await take(step);
      line.set("step", number++);
      print(line);
    }
    subscription_.reset();
    co_await client_.close();
    print(Value::object({{"event", "closed"}}));
  }

 private:
  Task<Value> take(const Value& step) {
    const std::string_view what = step.find_string("do").value_or("");
    const std::string name(step.find_string("name").value_or(""));
    const Value arguments = member(step, "arguments");
    if (what == "list") co_return co_await list(name);
    if (what == "call") co_return co_await call(step, name, arguments);
    if (what == "wait") {
      const bool came = co_await host_.wait(name, std::chrono::seconds(20));
      co_return Value::object({{"outcome", came ? "success" : "timeout"}});
    }
    if (what == "subscribe") co_return subscribe(step);
    co_return told(co_await ask(what, step, name, arguments));
  }

  Task<client::Outcome<client::Answer>> ask(std::string_view what, const Value& step,
                                            std::string name, const Value& arguments) {
    if (what == "read") co_return co_await client_.read_resource(name);
    if (what == "prompt") co_return co_await client_.get_prompt(name, arguments);
    if (what == "ping") co_return co_await client_.ping();
    if (what == "level") co_return co_await client_.set_log_level(mcp::LogLevel::debug);
    if (what == "complete") {
      const Value context = member(step, "context");
      co_return co_await client_.complete(
          member(step, "ref"), name, std::string(step.find_string("value").value_or("")), context);
    }
    co_return co_await client_.request(name, arguments);
  }

  Task<Value> list(std::string_view kind) {
    if (kind == "tools") co_return told(co_await client_.list_tools());
    if (kind == "prompts") co_return told(co_await client_.list_prompts());
    if (kind == "resources") co_return told(co_await client_.list_resources());
    co_return told(co_await client_.list_resource_templates());
  }

  Task<Value> call(const Value& step, std::string name, const Value& arguments) {
    client::CallOptions options;
    int steps_of_progress = 0;
    options.on_progress([&steps_of_progress](const client::Progress&) { ++steps_of_progress; });
    const auto cancellation = std::make_shared<client::Cancellation>();
    options.cancellation(cancellation);
    const Value* const cancel_ms = step.find("cancel_ms");
    const Value* const timeout_ms = step.find("timeout_ms");
    runtime::TimerId timer = runtime::TimerId::none;
    if (timeout_ms != nullptr) {
      options.timeout(std::chrono::milliseconds(timeout_ms->as_int64().value_or(0)));
      options.extend_on_progress(false);
    }
    if (cancel_ms != nullptr) {
      timer = loop_.call_after(std::chrono::milliseconds(cancel_ms->as_int64().value_or(0)),
                               [cancellation] { cancellation->cancel("enough"); });
    }
    const auto answer = co_await client_.call_tool(std::move(name), arguments, options);
    if (timer != runtime::TimerId::none) loop_.cancel(timer);
    Value line = answer ? Value::object({{"result", answer->json()}}) : failed(answer.error());
    line.set("outcome", client::to_text(client::kind_of(answer)));
    line.set("progress", steps_of_progress);
    co_return line;
  }

  Value subscribe(const Value& step) {
    std::vector<std::string> uris;
    const Value named = member(step, "uris");
    for (const Value& uri : named.items()) uris.emplace_back(uri.string());
    subscription_ = client_.subscribe(client::Interest::in_all(std::move(uris)), *this);
    return Value::object({{"outcome", "success"}});
  }
  void on_granted(const client::Interest& granted) override {
    Value uris = Value::array();
    for (const std::string& uri : granted.uris) uris.push_back(uri);
    Host::note("granted", uris);
    host_.on_notification("granted", Value());
  }
  void on_change(const client::Change& change) override { Host::note("change", change.uri); }

  static Value member(const Value& step, std::string_view name) {
    const Value* const found = step.find(name);
    return found != nullptr ? *found : Value();
  }

  runtime::Loop& loop_;
  client::Client& client_;
  Host& host_;
  std::unique_ptr<client::Subscription> subscription_;
};

Task<> guide(Guide& guide, const Value& steps, runtime::Loop& loop) {
  co_await guide.run(steps);
  loop.stop();
}

Result<std::unique_ptr<client::Link>> open(runtime::SystemLoop& loop, int argc, char** argv) {
  if (std::string_view(argv[3]) != "--") return client::over_http(loop, argv[3]);
  client::ChildOptions child;
  child.process.command.assign(argv + 4, argv + argc);
  return client::over_child(loop, std::move(child));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const auto steps = json::parse(argv[2]);
  const auto loop = runtime::SystemLoop::make();
  auto link = open(*loop, argc, argv);
  if (!steps || !link) return 2;
  Host host(*loop);
  Reporter reporter;
  client::Options options;
  const std::string_view negotiation = argv[1];
  options.negotiation = negotiation == "modern"   ? client::Negotiation::modern
                        : negotiation == "legacy" ? client::Negotiation::legacy
                                                  : client::Negotiation::automatic;
  options.capabilities.roots = true;
  options.capabilities.sampling = true;
  options.capabilities.elicitation_form = true;
  options.capabilities.elicitation_url = true;
  options.timeout = std::chrono::seconds(30);
  options.handlers = &host;
  options.observer = &reporter;
  client::Client client(*loop, *std::move(link), options);
  Guide tour(*loop, client, host);
  runtime::TaskSet tasks(*loop);
  tasks.start(guide(tour, *steps, *loop));
  loop->run();
  return 0;
}
