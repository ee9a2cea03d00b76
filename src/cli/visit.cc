#include "visit.h"

#include <optional>
#include <utility>

#include "squall/json/write.h"

#include "arguments.h"
#include "fail.h"
#include "listen.h"
#include "remote_text.h"

namespace squall::cli {
namespace {

using client::Failure;
using client::OutcomeKind;
using json::Value;

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

Value document_of(const Failure& failure) {
  Value error = Value::object({{"message", failure.message}});
  if (failure.kind == OutcomeKind::protocol_error) {
    error.set("code", failure.code);
    error.set("data", failure.data);
  }
  return Value::object({{"outcome", client::to_text(failure.kind)},
                        {"mayHaveRun", failure.may_have_run()},
                        {"error", std::move(error)}});
}

void keep(client::Outcome<client::Listing> listed, std::vector<Value>& entries,
          std::optional<Failure>& failure) {
  if (listed) {
    entries = std::move(listed->entries);
  } else if (!failure) {
    failure = std::move(listed).error();
  }
}

}  // namespace

Task<> Visit::run() {
  const auto connected = co_await client_.connect();
  if (!connected) {
    report(connected.error(), "cannot connect: ");
    exit_ = Exit::could_not;
    co_return;
  }
  connected_ = true;
  switch (command_.what) {
    case RemoteCommand::What::inspect:
      co_return co_await inspect();
    case RemoteCommand::What::call:
      co_return co_await call();
    case RemoteCommand::What::read:
      co_return co_await read();
    case RemoteCommand::What::prompt:
      co_return co_await prompt();
    case RemoteCommand::What::listen:
      co_return co_await listen();
  }
}

void Visit::interrupted() {
  if (connected_ && command_.what == RemoteCommand::What::listen) {
    exit_ = Exit::passed;
    return;
  }
  Failure failure;
  failure.kind = OutcomeKind::cancelled;
  failure.message = "interrupted";
  report(failure, "");
}

Task<> Visit::inspect() {
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
  exit_ = Exit::passed;
}

Task<> Visit::call() {
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

Task<> Visit::read() {
  const auto answer = co_await client_.read_resource(command_.subject);
  if (!answer) {
    report(answer.error(), "");
    co_return;
  }
  answered(OutcomeKind::success, answer->json());
}

Task<> Visit::prompt() {
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

Task<> Visit::listen() {
  if (client_.server()->has("logging")) {
    const auto asked = co_await client_.set_log_level(command_.log_level);
    if (!asked) console_.err("squall: no log messages: " + printable(asked.error().message) + "\n");
  }
  Ear ear(loop_, client_, console_, command_.json);
  const std::optional<Failure> ended = co_await ear.listen(command_.words);
  if (ended) {
    report(*ended, "the server is heard no longer: ");
    co_return;
  }
  console_.err("squall: the server ended the subscription\n");
  if (command_.json) console_.out("{\"event\":\"ended\"}\n");
  exit_ = Exit::passed;
}

Result<Value> Visit::arguments_for(const std::vector<Value>& tools) const {
  SQUALL_TRY(const Value* const tool, find_tool(tools, command_.subject));
  const Value* const schema = tool->find("inputSchema");
  return read_arguments(schema == nullptr ? Value::object() : *schema, command_.words,
                        command_.args);
}

void Visit::answered(OutcomeKind kind, const Value& result) {
  exit_ = exit_of(kind);
  if (command_.json) {
    const Value document = Value::object({{"outcome", client::to_text(kind)}, {"result", result}});
    console_.out(json::to_pretty_string(document) + "\n");
    return;
  }
  console_.out(content_text(result));
  if (kind == OutcomeKind::tool_error) console_.err("squall: the tool says that it failed\n");
}

/// Nothing was asked of the server.
void Visit::refuse(const Error& error) {
  exit_ = complain(console_, error);
  if (!command_.json) return;
  const Value document = Value::object(
      {{"outcome", "not_sent"}, {"error", Value::object({{"message", error.message}})}});
  console_.out(json::to_pretty_string(document) + "\n");
}

void Visit::report(const Failure& failure, std::string_view doing) {
  exit_ = exit_of(failure.kind);
  console_.err("squall: " + std::string(doing) + printable(failure.message) + "\n");
  if (!failure.loss.stderr_tail.empty()) {
    console_.err("The server's last words:\n" + printable(failure.loss.stderr_tail));
    if (!failure.loss.stderr_tail.ends_with('\n')) console_.err("\n");
  }
  if (!command_.json) return;
  Value document = document_of(failure);
  if (command_.what == RemoteCommand::What::listen) {
    document.set("event", "ended");
    console_.out(json::to_string(document) + "\n");
  } else {
    console_.out(json::to_pretty_string(document) + "\n");
  }
}

void Visit::show(const client::Progress& progress) {
  if (console_.live()) {
    console_.draw(progress_text(progress));
  } else if (command_.verbose) {
    console_.err(progress_text(progress) + "\n");
  }
}

}  // namespace squall::cli
