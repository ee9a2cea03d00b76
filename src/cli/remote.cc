#include "remote.h"

#include <memory>
#include <optional>
#include <utility>

#include "squall/client/client.h"
#include "squall/json/write.h"
#include "squall/runtime/task_set.h"

#include "arguments.h"
#include "fail.h"
#include "remote_text.h"
#include "version.h"

namespace squall::cli {
namespace {

using client::Failure;
using client::OutcomeKind;
using json::Value;

/// Writes nothing that is secret.
class DiscreetConsole final : public Console {
 public:
  DiscreetConsole(Console& console, const std::vector<Secret>& secrets)
      : console_(console), secrets_(secrets) {}
  void out(std::string_view text) override { console_.out(redact(text, secrets_)); }
  void err(std::string_view text) override { console_.err(redact(text, secrets_)); }

 private:
  Console& console_;
  const std::vector<Secret>& secrets_;
};

/// Shows the wire, for `--raw`.
class Wire final : public client::Observer {
 public:
  explicit Wire(Console& console) : console_(console) {}
  void on_sent(std::string_view message) override { show("> ", message); }
  void on_received(std::string_view message) override { show("< ", message); }
  void on_report(const client::Report& report) override { show("! ", report.text); }

 private:
  void show(std::string_view mark, std::string_view text) {
    console_.err(std::string(mark) + printable(text) + "\n");
  }
  Console& console_;
};

Exit exit_of(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::success:
      return Exit::passed;
    case OutcomeKind::tool_error:
      return Exit::failed;
    case OutcomeKind::timeout:
      return Exit::timed_out;
    case OutcomeKind::protocol_error:
    case OutcomeKind::cancelled:
    case OutcomeKind::lost:
    case OutcomeKind::invalid:
      break;
  }
  return Exit::lost;
}

/// One command on one connection.
class Visit {
 public:
  Visit(const RemoteCommand& command, client::Client& client, Console& console)
      : command_(command), client_(client), console_(console) {}

  Task<> run() {
    const auto connected = co_await client_.connect();
    if (!connected) {
      report(connected.error(), "cannot connect: ");
      exit = Exit::could_not;
      co_return;
    }
    switch (command_.what) {
      case RemoteCommand::What::inspect:
        co_await inspect();
        break;
      case RemoteCommand::What::call:
        co_await call();
        break;
      case RemoteCommand::What::read:
        co_await read();
        break;
      case RemoteCommand::What::prompt:
        co_await prompt();
        break;
    }
    co_await client_.close();
  }

  Exit exit = Exit::lost;

 private:
  Task<> inspect() {
    Survey survey;
    survey.server = *client_.server();
    std::optional<Failure> failure;
    if (survey.server.has("tools")) {
      auto listed = co_await client_.list_tools();
      keep(std::move(listed), survey.tools, failure);
    }
    if (survey.server.has("resources")) {
      auto listed = co_await client_.list_resources();
      keep(std::move(listed), survey.resources, failure);
      auto templates = co_await client_.list_resource_templates();
      keep(std::move(templates), survey.templates, failure);
    }
    if (survey.server.has("prompts")) {
      auto listed = co_await client_.list_prompts();
      keep(std::move(listed), survey.prompts, failure);
    }
    if (failure) {
      report(*failure, "cannot list: ");
      co_return;
    }
    console_.out(command_.json ? json::to_pretty_string(to_json(survey)) + "\n" : to_text(survey));
    exit = Exit::passed;
  }

  Task<> call() {
    const auto tools = co_await client_.list_tools();
    if (!tools) {
      report(tools.error(), "cannot list the tools: ");
      co_return;
    }
    Result<Value> arguments = arguments_for(tools->entries);
    if (!arguments) {
      refuse(arguments.error());
      co_return;
    }
    client::CallOptions options;
    options.on_progress([this](const client::Progress& progress) { show(progress); });
    const auto answer =
        co_await client_.call_tool(command_.subject, *std::move(arguments), std::move(options));
    if (!answer) {
      report(answer.error(), "");
      co_return;
    }
    answered(client::kind_of(answer), answer->json());
  }

  Task<> read() {
    const auto answer = co_await client_.read_resource(command_.subject);
    if (!answer) {
      report(answer.error(), "");
      co_return;
    }
    answered(OutcomeKind::success, answer->json());
  }

  Task<> prompt() {
    const Value anything = Value::object();
    Result<Value> arguments = read_arguments(anything, command_.words, command_.args);
    if (!arguments) {
      refuse(arguments.error());
      co_return;
    }
    const auto answer = co_await client_.get_prompt(command_.subject, *std::move(arguments));
    if (!answer) {
      report(answer.error(), "");
      co_return;
    }
    answered(OutcomeKind::success, answer->json());
  }

  static void keep(client::Outcome<client::Listing> listed, std::vector<Value>& entries,
                   std::optional<Failure>& failure) {
    if (listed) {
      entries = std::move(listed->entries);
    } else if (!failure) {
      failure = std::move(listed).error();
    }
  }

  [[nodiscard]] Result<Value> arguments_for(const std::vector<Value>& tools) const {
    SQUALL_TRY(const Value* const tool, find_tool(tools, command_.subject));
    const Value* const schema = tool->find("inputSchema");
    return read_arguments(schema == nullptr ? Value::object() : *schema, command_.words,
                          command_.args);
  }

  void answered(OutcomeKind kind, const Value& result) {
    exit = exit_of(kind);
    if (command_.json) {
      const Value document =
          Value::object({{"outcome", client::to_text(kind)}, {"result", result}});
      console_.out(json::to_pretty_string(document) + "\n");
      return;
    }
    console_.out(content_text(result));
    if (kind == OutcomeKind::tool_error) console_.err("squall: the tool says that it failed\n");
  }

  /// Nothing was asked of the server.
  void refuse(const Error& error) {
    exit = complain(console_, error);
    if (!command_.json) return;
    const Value document = Value::object(
        {{"outcome", "not_sent"}, {"error", Value::object({{"message", error.message}})}});
    console_.out(json::to_pretty_string(document) + "\n");
  }

  void report(const Failure& failure, std::string_view doing) {
    exit = exit_of(failure.kind);
    console_.err("squall: " + std::string(doing) + printable(failure.message) + "\n");
    if (!failure.loss.stderr_tail.empty()) {
      console_.err("The server's last words:\n" + printable(failure.loss.stderr_tail));
      if (!failure.loss.stderr_tail.ends_with('\n')) console_.err("\n");
    }
    if (!command_.json) return;
    Value error = Value::object({{"message", failure.message}});
    if (failure.kind == OutcomeKind::protocol_error) {
      error.set("code", failure.code);
      error.set("data", failure.data);
    }
    const Value document = Value::object({{"outcome", client::to_text(failure.kind)},
                                          {"mayHaveRun", failure.may_have_run()},
                                          {"error", std::move(error)}});
    console_.out(json::to_pretty_string(document) + "\n");
  }

  void show(const client::Progress& progress) {
    std::string line = "  " + json::to_string(Value(progress.progress));
    if (progress.total) line += " of " + json::to_string(Value(*progress.total));
    if (!progress.message.empty()) line += "  " + printable(progress.message);
    console_.err(line + "\n");
  }

  const RemoteCommand& command_;
  client::Client& client_;
  Console& console_;
};

Task<> stop_behind(Visit& visit, runtime::Loop& loop) {
  co_await visit.run();
  loop.stop();
}

}  // namespace

Exit visit_server(const RemoteCommand& command, Console& console) {
  auto target = find_target(command.target, console.environment());
  if (!target) return complain(console, target.error());
  DiscreetConsole discreet(console, target->secrets);
  const auto loop = runtime::SystemLoop::make();
  auto link = target->url.empty() ? client::over_child(*loop, target->child)
                                  : client::over_http(*loop, target->url, target->http);
  if (!link) return complain(discreet, link.error());
  Wire wire(discreet);
  client::Options options;
  options.info.version = std::string(kVersion);
  options.negotiation = target->negotiation;
  options.timeout = command.target.timeout;
  if (command.raw) options.observer = &wire;
  client::Client client(*loop, *std::move(link), options);
  Visit visit(command, client, discreet);
  runtime::TaskSet tasks(*loop);
  tasks.start(stop_behind(visit, *loop));
  loop->run();
  return visit.exit;
}

}  // namespace squall::cli
