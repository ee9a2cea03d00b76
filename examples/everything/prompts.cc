#include "answers.h"
#include "everything.h"
#include "media.h"

namespace everything {

using squall::json::Value;
using squall::server::CompletionResult;
using squall::server::Content;
using squall::server::Context;
using squall::server::elicit_form;
using squall::server::Outcome;
using squall::server::PromptResult;
using squall::server::Registry;

namespace {

CompletionResult suggest_words(std::string_view value, const Value&) {
  CompletionResult result;
  for (const std::string_view word : {"paris", "park", "party", "rome"}) {
    if (word.starts_with(value)) result.values.emplace_back(word);
  }
  result.total = static_cast<std::int64_t>(result.values.size());
  result.has_more = false;
  return result;
}

}  // namespace

void add_prompts(Registry& registry) {
  registry.prompt("test_simple_prompt").describe("One message, no arguments.").handle([](Context&) {
    PromptResult prompt;
    prompt.user(Content::text("This is a simple prompt for testing."));
    return prompt;
  });

  registry.prompt("test_prompt_with_arguments")
      .describe("One message made from two arguments.")
      .argument("arg1", "The first argument", true, suggest_words)
      .argument("arg2", "The second argument", true, suggest_words)
      .handle([](Context& context) {
        PromptResult prompt;
        prompt.user(Content::text("Prompt with arguments: arg1='" +
                                  std::string(context.text("arg1")) + "', arg2='" +
                                  std::string(context.text("arg2")) + "'"));
        return prompt;
      });

  registry.prompt("test_prompt_with_embedded_resource")
      .describe("A message that holds a resource.")
      .argument("resourceUri", "The URI to give the resource", true)
      .handle([](Context& context) {
        PromptResult prompt;
        prompt.user(Content::text_resource(context.text("resourceUri"), "text/plain",
                                           "Embedded resource content for testing."));
        prompt.user(Content::text("Please process the embedded resource above."));
        return prompt;
      });

  registry.prompt("test_prompt_with_image")
      .describe("A message that holds a picture.")
      .handle([](Context&) {
        PromptResult prompt;
        prompt.user(Content::image(red_pixel_png(), "image/png"));
        prompt.user(Content::text("Please analyze the image above."));
        return prompt;
      });

  registry.prompt("test_input_required_result_prompt")
      .describe("Asks the user for the context first.")
      .handle([](Context& context) -> Outcome<PromptResult> {
        const Value* answer = context.ask(
            "user_context", elicit_form("What is this about?", form_of("context", "string")));
        if (answer == nullptr) return context.need_input();
        const Value* form = accepted(answer);
        const auto subject = form == nullptr ? std::nullopt : form->find_string("context");
        PromptResult prompt;
        prompt.user(Content::text("Context: " + std::string(subject.value_or("none given"))));
        return prompt;
      });
}

}  // namespace everything
