#include "squall/base/assert.h"
#include "squall/json/parse.h"

#include "answers.h"
#include "everything.h"

// A handler asks, and ends with `need_input()` while an answer is missing; once the answers are
// there it runs again from its start. On 2026-07-28 the client gets an `input_required` result, on
// 2025-11-25 a request inside the call's stream: the handlers don't see the difference.

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

Value parse(std::string_view text) {
  auto value = squall::json::parse(text);
  SQUALL_ASSERT(value.has_value());
  return *std::move(value);
}

const Value& form_with_defaults() {
  static const Value form = parse(R"({
    "type": "object",
    "properties": {
      "name": {"type": "string", "description": "Your name", "default": "John Doe"},
      "age": {"type": "integer", "description": "Your age in years", "default": 30},
      "score": {"type": "number", "description": "Your score", "default": 95.5},
      "status": {"type": "string", "description": "Your status",
                 "enum": ["active", "inactive", "pending"], "default": "active"},
      "verified": {"type": "boolean", "description": "Whether you were verified", "default": true}
    },
    "required": []
  })");
  return form;
}

const Value& form_with_choices() {
  static const Value form = parse(R"({
    "type": "object",
    "properties": {
      "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
      "titledSingle": {"type": "string", "oneOf": [
        {"const": "value1", "title": "First Option"},
        {"const": "value2", "title": "Second Option"},
        {"const": "value3", "title": "Third Option"}]},
      "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
                     "enumNames": ["Option One", "Option Two", "Option Three"]},
      "untitledMulti": {"type": "array", "items": {
        "type": "string", "enum": ["option1", "option2", "option3"]}},
      "titledMulti": {"type": "array", "items": {"anyOf": [
        {"const": "value1", "title": "First Choice"},
        {"const": "value2", "title": "Second Choice"},
        {"const": "value3", "title": "Third Choice"}]}}
    },
    "required": []
  })");
  return form;
}

/// A handler that shows `form` and reports what became of it.
auto reporting(std::string_view message, const Value& form) {
  return [message, &form](Context& context) -> Outcome<ToolResult> {
    const Value* answer = context.ask("answer", elicit_form(message, form));
    if (answer == nullptr) return context.need_input();
    return ToolResult::text("Elicitation completed: " + describe(*answer));
  };
}

void add_both_eras(Registry& registry) {
  registry.tool("test_sampling")
      .describe("Puts a prompt to the client's model and repeats the answer.")
      .input(R"({"type": "object", "properties": {"prompt": {"type": "string"}},
                 "required": ["prompt"]})")
      .handle([](Context& context) -> Outcome<ToolResult> {
        const Value* answer = context.ask("answer", sample(context.text("prompt"), 100));
        if (answer == nullptr) return context.need_input();
        return ToolResult::text("LLM response: " + said(*answer));
      });

  registry.tool("test_elicitation")
      .describe("Shows a message to the user and reports the reply.")
      .input(R"({"type": "object", "properties": {"message": {"type": "string"}},
                 "required": ["message"]})")
      .handle([](Context& context) -> Outcome<ToolResult> {
        const Value* answer = context.ask("answer", elicit_form(context.text("message"), parse(R"({
              "type": "object",
              "properties": {
                "username": {"type": "string", "description": "Your name"},
                "email": {"type": "string", "description": "Your address"}
              },
              "required": ["username", "email"]
            })")));
        if (answer == nullptr) return context.need_input();
        return ToolResult::text("User response: " + describe(*answer));
      });

  registry.tool("test_elicitation_sep1034_defaults")
      .describe("Shows a form whose fields have defaults.")
      .handle(reporting("Please check these values.", form_with_defaults()));

  registry.tool("test_elicitation_sep1330_enums")
      .describe("Shows a form with every kind of choice.")
      .handle(reporting("Please choose.", form_with_choices()));

  registry.tool("test_missing_capability")
      .describe("Needs a client with a model; others get the error that says so.")
      .handle([](Context& context) -> Outcome<ToolResult> {
        const Value* answer = context.ask("answer", sample("Say something.", 10));
        if (answer == nullptr) return context.need_input();
        return ToolResult::text(said(*answer));
      });

  registry.tool("test_streaming_elicitation")
      .describe("Reports progress, then asks the user to confirm.")
      .handle([](Context& context) -> Outcome<ToolResult> {
        context.progress(0, 100);
        const Value* answer =
            context.ask("confirm", elicit_form("Go on?", form_of("ok", "boolean")));
        if (answer == nullptr) return context.need_input();
        context.progress(100, 100);
        return ToolResult::text("User response: " + describe(*answer));
      });
}

void add_one_question(Registry& registry) {
  registry.tool("test_input_required_result_elicitation")
      .describe("Asks for a name and greets it.")
      .handle([](Context& context) -> Outcome<ToolResult> {
        const Value* answer =
            context.ask("user_name", elicit_form("What is your name?", form_of("name", "string")));
        if (answer == nullptr) return context.need_input();
        const Value* form = accepted(answer);
        if (form == nullptr) return ToolResult::text("Hello, whoever you are!");
        return ToolResult::text("Hello, " + std::string(form->find_string("name").value_or("")) +
                                "!");
      });

  registry.tool("test_input_required_result_sampling")
      .describe("Asks the client's model for the capital of France.")
      .handle([](Context& context) -> Outcome<ToolResult> {
        const Value* answer =
            context.ask("capital_question", sample("What is the capital of France?", 100));
        if (answer == nullptr) return context.need_input();
        return ToolResult::text("The model says: " + said(*answer));
      });

  registry.tool("test_input_required_result_list_roots")
      .describe("Asks which roots the client has.")
      .handle([](Context& context) -> Outcome<ToolResult> {
        const Value* answer = context.ask("client_roots", list_roots());
        if (answer == nullptr) return context.need_input();
        std::string text = "The client's roots:";
        for (const Value& root : answer->find("roots")->items()) {
          text += " " + std::string(root.find_string("uri").value_or("?"));
        }
        return ToolResult::text(text);
      });
}

}  // namespace

void add_input_tools(Registry& registry) {
  add_both_eras(registry);
  add_one_question(registry);
}

}  // namespace everything
