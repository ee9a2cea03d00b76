#include "fixture_registry.h"

#include <array>
#include <vector>

namespace squall::server::test {

namespace {

using namespace std::chrono_literals;

json::Value one_string(std::string_view name) {
  json::Value text = json::Value::object({{"type", "string"}});
  return json::Value::object({{"type", "object"},
                              {"properties", json::Value::object({{name, std::move(text)}})},
                              {"required", json::Value::array({name})}});
}

std::string field(const json::Value& answer, std::string_view name) {
  const json::Value* content = answer.find("content");
  return std::string(content->find_string(name).value_or("?"));
}

Task<ToolResult> slow(Context& context) {
  const std::int64_t ms = context.integer("ms", 100);
  for (int step = 1; step <= 3; ++step) {
    co_await context.sleep(std::chrono::milliseconds(ms));
    context.progress(step, 3, "step " + std::to_string(step));
    const json::Value data = json::Value::object({{"step", step}});
    context.log(mcp::LogLevel::info, data, "fixture");
  }
  co_return ToolResult::text("done");
}

Task<ToolResult> delay(Context& context) {
  co_await context.sleep(std::chrono::milliseconds(context.integer("ms", 100)));
  co_return ToolResult::text("late");
}

Task<ToolResult> poll(Context& context) {
  context.progress(1);
  context.release_stream();
  co_await context.sleep(100ms);
  co_return ToolResult::text("polled");
}

Task<ToolResult> hang(Context& context) {
  co_await context.wait_forever();
  co_return ToolResult();
}

ToolResult levels(Context& context) {
  constexpr std::array kLevels{mcp::LogLevel::debug,  mcp::LogLevel::info,
                               mcp::LogLevel::notice, mcp::LogLevel::warning,
                               mcp::LogLevel::error,  mcp::LogLevel::critical,
                               mcp::LogLevel::alert,  mcp::LogLevel::emergency};
  for (const mcp::LogLevel level : kLevels) context.log(level, "to be heard");
  return ToolResult::text("logged");
}

Outcome<ToolResult> ask(Context& context) {
  const json::Value* who = context.ask("who", elicit_form("Your name?", one_string("name")));
  if (who == nullptr) return context.need_input();
  if (who->find_string("action") != "accept") return ToolResult::text("Nobody, then");
  return ToolResult::text("Hi " + field(*who, "name"));
}

Outcome<ToolResult> interview(Context& context) {
  const json::Value* name = context.ask("name", elicit_form("Your name?", one_string("name")));
  if (name == nullptr) {
    context.set_state("met");
    return context.need_input();
  }
  const json::Value* colour =
      context.ask("colour", elicit_form("Favourite colour?", one_string("colour")));
  if (colour == nullptr) {
    context.set_state("named");
    return context.need_input();
  }
  return ToolResult::text(std::string(context.state()) + ": " + field(*name, "name") + " likes " +
                          field(*colour, "colour"));
}

/// Every kind of question at once.
Outcome<ToolResult> survey(Context& context) {
  const json::Value* who = context.ask("who", elicit_form("Your name?", one_string("name")));
  const json::Value* capital = context.ask("capital", sample("The capital of France?", 50));
  const json::Value* roots = context.ask("roots", list_roots());
  if (who == nullptr || capital == nullptr || roots == nullptr) return context.need_input();
  return ToolResult::text(field(*who, "name") + ", " +
                          std::string(capital->find("content")->find_string("text").value_or("")) +
                          ", " + std::to_string(roots->find("roots")->size()) + " roots");
}

Outcome<ToolResult> visit(Context& context) {
  const json::Value* agreed = context.ask("page", elicit_url("Please sign", "https://sign.test/1"));
  if (agreed == nullptr) return context.need_input();
  return ToolResult::text("went: " + std::string(agreed->find_string("action").value_or("")));
}

/// Asks a new question in every round.
Outcome<ToolResult> endless(Context& context) {
  for (int round = 1;; ++round) {
    const std::string key = "q" + std::to_string(round);
    if (context.ask(key, elicit_form("More?", one_string("more"))) == nullptr) {
      return context.need_input();
    }
  }
}

ToolResult contents(Context&) {
  ToolResult result = ToolResult::text("all kinds");
  result.add(Content::image("png", "image/png"));
  result.add(Content::audio("wav", "audio/wav"));
  result.add(Content::text_resource("demo://text", "text/plain", "inside"));
  result.add(Content::blob_resource("demo://blob", "image/png", "png"));
  result.add(Content::text("for you").annotate(
      json::Value::object({{"audience", json::Value::array({"user"})}, {"priority", 0.5}})));
  return result;
}

void add_plain_tools(Registry& registry) {
  registry.tool("echo")
      .title("Echo")
      .describe("Says it again")
      .input(one_string("text"))
      .annotations(json::Value::object({{"readOnlyHint", true}}))
      .handle([](Context& context) { return ToolResult::text(context.text("text")); });
  registry.tool("add")
      .describe("Adds two numbers")
      .input(R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},)"
             R"("required":["a","b"]})")
      .output(R"({"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]})")
      .handle([](Context& context) {
        return ToolResult::of(
            json::Value::object({{"sum", context.integer("a") + context.integer("b")}}));
      });
  registry.tool("list")
      .describe("Three numbers")
      .output(R"({"type":"array","items":{"type":"integer"}})")
      .handle([](Context&) { return ToolResult::of(json::Value::array({1, 2, 3})); });
  registry.tool("nothing")
      .describe("Null as structured output")
      .output(R"({"type":"null"})")
      .handle([](Context&) { return ToolResult::of(json::Value()); });
  registry.tool("liar")
      .describe("Breaks its output schema")
      .output(R"({"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]})")
      .handle([](Context&) { return ToolResult::of(json::Value::object({{"sum", "one"}})); });
  registry.tool("region")
      .describe("Takes arguments that travel as headers too")
      .input(R"({"type":"object","properties":{)"
             R"("region":{"type":"string","x-mcp-header":"Region"},)"
             R"("count":{"type":"integer","x-mcp-header":"Count"},)"
             R"("dry":{"type":"boolean","x-mcp-header":"Dry"}}})")
      .handle(
          [](Context& context) { return ToolResult::text(json::to_string(context.arguments())); });
  registry.tool("fail").describe("Fails as a tool").handle([](Context&) {
    return ToolResult::error("boom");
  });
  registry.tool("refuse").describe("Fails as a request").handle([](Context&) {
    return Outcome<ToolResult>(
        ProtocolError(1001, "not today", json::Value::object({{"until", "tomorrow"}})));
  });
  registry.tool("crash").describe("Throws").handle([](Context&) {
    // A library's exception, such as no code of ours would let out.
    return ToolResult::text(std::string(1, std::string().at(7)));
  });
  registry.tool("contents").describe("Content of every kind").handle(contents);
}

void add_lively_tools(Registry& registry) {
  constexpr std::string_view kMs = R"({"type":"object","properties":{"ms":{"type":"integer"}}})";
  registry.tool("slow").describe("Three steps with progress").input(kMs).handle(slow);
  registry.tool("delay").describe("Answers later").input(kMs).handle(delay);
  registry.tool("hang").describe("Waits for its end").handle(hang);
  registry.tool("poll").describe("Lets its stream go").handle(poll);
  registry.tool("levels").describe("Logs at every level").handle(levels);
  registry.tool("ask").describe("Asks for a name").handle(ask);
  registry.tool("interview").describe("Asks twice").handle(interview);
  registry.tool("survey").describe("Asks everybody").handle(survey);
  registry.tool("visit").describe("Asks to open a page").handle(visit);
  registry.tool("endless").describe("Never stops asking").handle(endless);
}

void add_resources(Registry& registry) {
  registry.resource("demo://greeting", "greeting")
      .describe("A greeting")
      .mime_type("text/plain")
      .handle([](Context&) { return ResourceResult(ResourceContents::of_text("", "hello")); });
  registry.resource("demo://pixel", "pixel").mime_type("image/png").size(3).handle([](Context&) {
    return ResourceResult(ResourceContents::of_bytes("", "png"));
  });
  registry.resource("demo://secret", "secret").handle([](Context& context) {
    const json::Value* word = context.ask("word", elicit_form("The word?", one_string("word")));
    if (word == nullptr) return Outcome<ResourceResult>(context.need_input());
    return Outcome<ResourceResult>(ResourceContents::of_text("text/plain", field(*word, "word")));
  });
  registry.resource_template("demo://items/{id}", "item")
      .mime_type("application/json")
      .complete("id",
                [](std::string_view value, const json::Value&) {
                  CompletionResult found;
                  for (int i = 1; i <= 120; ++i) {
                    std::string id = std::to_string(i);
                    if (id.starts_with(value)) found.values.push_back(std::move(id));
                  }
                  return found;
                })
      .handle([](Context& context) {
        if (context.variable("id") == "0") {
          return Outcome<ResourceResult>(ProtocolError(-32602, "resource not found: item 0"));
        }
        const json::Value item = json::Value::object({{"id", context.variable("id")}});
        return Outcome<ResourceResult>(ResourceContents::of_text("", json::to_string(item)));
      });
}

void add_prompts(Registry& registry) {
  registry.prompt("greet")
      .describe("Greets somebody")
      .argument("name", "whom", true)
      .argument("tone", "how", false,
                [](std::string_view value, const json::Value& context) {
                  CompletionResult found;
                  for (const std::string_view tone : {"formal", "friendly", "curt"}) {
                    if (tone.starts_with(value)) found.values.emplace_back(tone);
                  }
                  if (context.find_string("name") == "boss") found.values = {"formal"};
                  found.total = static_cast<std::int64_t>(found.values.size());
                  found.has_more = false;
                  return found;
                })
      .handle([](Context& context) {
        PromptResult result;
        result.description = "A greeting";
        result.user(Content::text("Greet " + std::string(context.text("name"))));
        result.assistant(Content::text_resource("demo://greeting", "text/plain", "hello"));
        return result;
      });
  registry.prompt("asking").handle([](Context& context) {
    const json::Value* topic = context.ask("topic", elicit_form("A topic?", one_string("topic")));
    if (topic == nullptr) return Outcome<PromptResult>(context.need_input());
    PromptResult result;
    result.user(Content::text("Talk about " + field(*topic, "topic")));
    return Outcome<PromptResult>(std::move(result));
  });
}

Task<ToolResult> job(Context& context) {
  const bool task = context.become_task();
  context.progress(1, 2, "begun");
  context.log(mcp::LogLevel::info, "begun", "fixture");
  co_await context.sleep(std::chrono::milliseconds(context.integer("ms", 100)));
  context.set_task_message("half way");
  co_await context.sleep(std::chrono::milliseconds(context.integer("ms", 100)));
  co_return ToolResult::text(task ? "done as a task" : "done at once");
}

Outcome<ToolResult> asking_job(Context& context) {
  context.become_task();
  const json::Value* name = context.ask("name", elicit_form("Your name?", one_string("name")));
  const json::Value* town = context.ask("town", elicit_form("Your town?", one_string("town")));
  if (name == nullptr || town == nullptr) return context.need_input();
  return ToolResult::text(field(*name, "name") + " of " + field(*town, "town"));
}

Task<Outcome<ToolResult>> late_job(Context& context) {
  const json::Value* name = context.ask("name", elicit_form("Your name?", one_string("name")));
  if (name == nullptr) co_return context.need_input();
  const std::string told = field(*name, "name");
  context.become_task();
  co_await context.sleep(100ms);
  co_return ToolResult::text("for " + told);
}

}  // namespace

void add_task_tools(Registry& registry) {
  constexpr std::string_view kMs = R"({"type":"object","properties":{"ms":{"type":"integer"}}})";
  registry.tool("job").input(kMs).tasks(TaskSupport::optional).handle(job);
  registry.tool("job_only").input(kMs).tasks(TaskSupport::required).handle(job);
  registry.tool("job_asking").tasks(TaskSupport::optional).handle(asking_job);
  registry.tool("job_late").tasks(TaskSupport::optional).handle(late_job);
  registry.tool("job_hang")
      .tasks(TaskSupport::optional)
      .handle([](Context& context) -> Task<ToolResult> {
        context.become_task();
        co_await context.wait_forever();
        co_return ToolResult();
      });
  registry.tool("job_error").tasks(TaskSupport::optional).handle([](Context& context) {
    context.become_task();
    return ToolResult::error("boom");
  });
  registry.tool("job_refused").tasks(TaskSupport::optional).handle([](Context& context) {
    context.become_task();
    return Outcome<ToolResult>(ProtocolError(1001, "not today", json::Value("tomorrow")));
  });
  registry.tool("job_undeclared").handle([](Context& context) {
    return ToolResult::text(context.become_task() ? "a task" : "no task");
  });
}

Registry fixture_registry() {
  mcp::Implementation info;
  info.name = "fixture";
  info.version = "1.2.3";
  info.title = "Fixture";
  Registry registry(info);
  registry.instructions("Be nice.");
  add_plain_tools(registry);
  add_lively_tools(registry);
  add_resources(registry);
  add_prompts(registry);
  return registry;
}

}  // namespace squall::server::test
