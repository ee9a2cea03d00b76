#include "test_support.h"

namespace squall::inject {

namespace {

std::string response(const json::Value& request, std::string_view result) {
  return R"({"jsonrpc":"2.0","id":)" + json::to_string(*request.find("id")) + R"(,"result":)" +
         std::string(result) + "}";
}

/// A result that has a number, a date, a unit, rows, and says the same in text and structure.
std::string account(const json::Value& params) {
  const json::Value* arguments = params.find("arguments");
  const std::string id(arguments == nullptr ? "" : arguments->find_string("id").value_or("A-1"));
  const json::Value told = json::Value::object(
      {{"account", id},
       {"balance_minor",
        123'456 + static_cast<int>(id.size()) * 1000 + (id.empty() ? 0 : id.back())},
       {"currency", "EUR"},
       {"weight", "12.5 kg"},
       {"as_of", "2026-08-14T09:12:04Z"},
       {"rows", json::Value::array({json::Value::object({{"n", 1}, {"name", "first"}}),
                                    json::Value::object({{"n", 2}, {"name", "second"}}),
                                    json::Value::object({{"n", 3}, {"name", "third \u00e9"}})})}});
  const json::Value block =
      json::Value::object({{"type", "text"}, {"text", json::to_string(told)}});
  const json::Value result =
      json::Value::object({{"content", json::Value::array({block})}, {"structuredContent", told}});
  return json::to_string(result);
}

constexpr std::string_view kTools =
    R"({"tools":[{"name":"get_account","description":"Reads an account.","inputSchema":{"type":)"
    R"("object","properties":{"id":{"type":"string"},"form":{"enum":["short","long"]}}},)"
    R"("outputSchema":{"type":"object","required":["balance_minor"]}},)"
    R"({"name":"search","description":"Searches.","inputSchema":{"type":"object"}}],)"
    R"("nextCursor":"2"})";

}  // namespace

std::vector<std::string> MiniRelay::answer_as_usual(const json::Value& request) {
  const std::string_view method = request.find_string("method").value_or("");
  const json::Value none = json::Value::object();
  const json::Value& params = request.contains("params") ? *request.find("params") : none;
  const bool modern = params.contains("_meta") && params.find("_meta")->contains("modern");
  if (method == "tools/call") {
    std::vector<std::string> out;
    const json::Value* meta = params.find("_meta");
    if (meta != nullptr && meta->contains("progressToken")) {
      out.emplace_back(
          R"({"jsonrpc":"2.0","method":"notifications/progress",)"
          R"("params":{"progressToken":"p","progress":1}})");
    }
    std::string result = account(params);
    if (modern) result.insert(1, R"("resultType":"complete",)");
    out.push_back(response(request, result));
    return out;
  }
  if (method == "tools/list") return {response(request, kTools)};
  if (method == "resources/list") {
    return {response(request, R"({"resources":[{"uri":"file:///a.txt","name":"a"}]})")};
  }
  if (method == "resources/read") {
    return {response(request, R"({"contents":[{"uri":"file:///a.txt","text":"42 apples"}]})")};
  }
  if (method == "initialize") {
    return {response(request, R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                              R"("serverInfo":{"name":"usual","version":"1"}})")};
  }
  if (method == "subscriptions/listen") {
    return {
        R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged",)"
        R"("params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}})",
        R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed",)"
        R"("params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}})"};
  }
  return {response(request, "{}")};
}

}  // namespace squall::inject
