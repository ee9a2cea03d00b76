#include "answers.h"
#include "everything.h"

namespace everything {

using squall::json::Value;
using squall::server::Context;
using squall::server::elicit_form;
using squall::server::list_roots;
using squall::server::Outcome;
using squall::server::Registry;
using squall::server::sample;
using squall::server::ToolResult;

namespace {

/// A handler that asks for a confirmation and checks that its state came back with it.
Outcome<ToolResult> confirm_with_state(Context& context) {
  const Value* answer = context.ask("confirm", elicit_form("Confirm?", form_of("ok", "boolean")));
  if (answer == nullptr || context.state() != "asked") {
    context.set_state("asked");
    return context.need_input();
  }
  return ToolResult::text("state-ok: " + describe(*answer));
}

Outcome<ToolResult> ask_everyone(Context& context) {
  // Three questions go out together, because none of them waits for another's answer.
  const Value* name =
      context.ask("user_name", elicit_form("What is your name?", form_of("name", "string")));
  const Value* greeting = context.ask("greeting", sample("Greet somebody in one line.", 50));
  const Value* roots = context.ask("client_roots", list_roots());
  if (name == nullptr || greeting == nullptr || roots == nullptr) {
    context.set_state("three questions");
    return context.need_input();
  }
  return ToolResult::text("Name: " + describe(*name) + "; greeting: " + said(*greeting) +
                          "; roots: " + squall::json::to_string(*roots));
}

Outcome<ToolResult> ask_twice(Context& context) {
  const Value* name =
      context.ask("user_name", elicit_form("What is your name?", form_of("name", "string")));
  if (name == nullptr) {
    context.set_state("waiting for the name");
    return context.need_input();
  }
  const Value* colour = context.ask(
      "favorite_color", elicit_form("What is your favourite colour?", form_of("color", "string")));
  if (colour == nullptr) {
    context.set_state("waiting for the colour");
    return context.need_input();
  }
  return ToolResult::text("Name: " + describe(*name) + "; colour: " + describe(*colour));
}

/// Asks whatever this client said it can answer.
Outcome<ToolResult> ask_whoever_can(Context& context) {
  const auto& client = context.client();
  bool waiting = false;
  if (client.sampling) {
    waiting |= context.ask("greeting", sample("Greet somebody in one line.", 50)) == nullptr;
  }
  if (client.elicitation_form) {
    const auto form = form_of("name", "string");
    waiting |= context.ask("user_name", elicit_form("What is your name?", form)) == nullptr;
  }
  if (client.roots) waiting |= context.ask("client_roots", list_roots()) == nullptr;
  if (waiting) return context.need_input();
  return ToolResult::text("Asked everything that the client can answer.");
}

}  // namespace

void add_round_tools(Registry& registry) {
  registry.tool("test_input_required_result_request_state")
      .describe("Asks for a confirmation and remembers, in the request, that it did.")
      .handle(confirm_with_state);
  registry.tool("test_input_required_result_tampered_state")
      .describe("As test_input_required_result_request_state, for clients that tamper.")
      .handle(confirm_with_state);
  registry.tool("test_input_required_result_multiple_inputs")
      .describe("Asks user, model and host at once.")
      .handle(ask_everyone);
  registry.tool("test_input_required_result_multi_round")
      .describe("Asks for a name first, and for a colour then.")
      .handle(ask_twice);
  registry.tool("test_input_required_result_capabilities")
      .describe("Asks only what the client can answer.")
      .handle(ask_whoever_can);
}

}  // namespace everything
