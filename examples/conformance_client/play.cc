#include "play.h"

#include <utility>
#include <vector>

namespace conformance {

using namespace squall;
using namespace squall::client;

namespace {

using Done = Outcome<void>;

struct Call {
  std::string tool;
  json::Value arguments;
};

/// Something that a property's schema takes.
json::Value example_of(const json::Value& schema) {
  if (const json::Value* value = schema.find("default")) return *value;
  const std::string_view type = schema.find_string("type").value_or("string");
  if (type == "number" || type == "integer") return 1;
  if (type == "boolean") return true;
  if (type == "object") return json::Value::object();
  if (type == "array") return json::Value::array();
  return "us-west1";
}

/// The arguments that a tool demands, and no others.
json::Value example_arguments(const json::Value& tool) {
  json::Value arguments = json::Value::object();
  const json::Value* schema = tool.find("inputSchema");
  const json::Value* required = schema == nullptr ? nullptr : schema->find("required");
  const json::Value* properties = schema == nullptr ? nullptr : schema->find("properties");
  if (required == nullptr || properties == nullptr) return arguments;
  for (const json::Value& name : required->items()) {
    const json::Value* property = properties->find(name.string());
    if (property != nullptr) arguments.set(name.string(), example_of(*property));
  }
  return arguments;
}

/// The tool that has its sibling's schema sent back to it, to show that nothing of it is lost.
constexpr std::string_view kEcho = "json_schema_echo";

std::vector<Call> calls_for(const Listing& tools, const json::Value& context) {
  std::vector<Call> calls;
  if (const json::Value* wanted = context.find("toolCalls")) {
    for (const json::Value& call : wanted->items()) {
      const json::Value* arguments = call.find("arguments");
      calls.push_back({std::string(call.find_string("name").value_or("")),
                       arguments == nullptr ? json::Value() : *arguments});
    }
    return calls;
  }
  const json::Value* schema = nullptr;
  for (const json::Value& tool : tools.entries) {
    const std::string name(tool.find_string("name").value_or(""));
    json::Value arguments = example_arguments(tool);
    if (name == kEcho && schema != nullptr) arguments.set("schema", *schema);
    calls.push_back({name, std::move(arguments)});
    schema = tool.find("inputSchema");
  }
  return calls;
}

Task<Done> use_tools(Client& client, const json::Value& context) {
  const Outcome<Listing> tools = co_await client.list_tools();
  if (!tools) co_return std::unexpected(tools.error());
  for (Call& call : calls_for(*tools, context)) {
    const auto result = co_await client.call_tool(call.tool, std::move(call.arguments));
    if (!result) co_return std::unexpected(result.error());
  }
  co_return Done();
}

Task<Done> use_resources(Client& client) {
  const Outcome<Listing> resources = co_await client.list_resources();
  if (!resources) co_return std::unexpected(resources.error());
  for (const json::Value& resource : resources->entries) {
    const std::string uri(resource.find_string("uri").value_or(""));
    const auto content = co_await client.read_resource(uri);
    if (!content) co_return std::unexpected(content.error());
  }
  co_return Done();
}

Task<Done> use_prompts(Client& client) {
  const Outcome<Listing> prompts = co_await client.list_prompts();
  if (!prompts) co_return std::unexpected(prompts.error());
  for (const json::Value& prompt : prompts->entries) {
    const std::string name(prompt.find_string("name").value_or(""));
    json::Value arguments = json::Value::object();
    if (const json::Value* list = prompt.find("arguments")) {
      for (const json::Value& one : list->items()) {
        arguments.set(one.find_string("name").value_or(""), "test");
      }
    }
    const auto got = co_await client.get_prompt(name, std::move(arguments));
    if (!got) co_return std::unexpected(got.error());
  }
  co_return Done();
}

}  // namespace

Task<Outcome<void>> play(Client& client, const json::Value& context) {
  const Outcome<Server> server = co_await client.connect();
  if (!server) co_return std::unexpected(server.error());
  if (server->has("tools")) {
    const Done done = co_await use_tools(client, context);
    if (!done) co_return done;
  }
  if (server->has("resources")) {
    const Done done = co_await use_resources(client);
    if (!done) co_return done;
  }
  if (server->has("prompts")) {
    const Done done = co_await use_prompts(client);
    if (!done) co_return done;
  }
  co_await client.close();
  co_return Done();
}

Task<ElicitAnswer> Obliging::elicit(const Elicitation&) {
  ElicitAnswer answer;
  answer.action = ElicitAnswer::Action::accept;
  answer.content = json::Value::object();
  co_return answer;
}

Task<HandlerResult> Obliging::sample(const json::Value&) {
  json::Value text = json::Value::object({{"type", "text"}, {"text", "Paris"}});
  co_return json::Value::object(
      {{"role", "assistant"}, {"content", std::move(text)}, {"model", "none"}});
}

Task<std::vector<Root>> Obliging::roots() {
  co_return std::vector<Root>{Root{"file:///tmp", "temporary"}};
}

}  // namespace conformance
