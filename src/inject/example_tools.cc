#include "squall/inject/example_tools.h"

#include <algorithm>
#include <array>
#include <string>

#include "squall/base/crypto.h"
#include "squall/json/write.h"

#include "reply.h"

namespace squall::inject {

namespace {

/// A number that belongs to `text`, in [0, below).
std::uint32_t number_of(std::string_view text, std::uint32_t below) {
  const base::Sha256 hash = base::sha256(text);
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 4; ++i) out = out << 8U | hash[i];
  return out % below;
}

std::string two_digits(std::uint32_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

json::Value both(const json::Value& told) {
  json::Value out = text_result(json::to_string(told), false);
  return out.set("structuredContent", told);
}

json::Value balance(const json::Value& arguments) {
  const std::string id(arguments.find_string("account_id").value_or(""));
  constexpr std::array<std::string_view, 3> kCurrencies = {"EUR", "USD", "PLN"};
  const std::string day = two_digits(1 + number_of(id + " day", 28));
  return both(json::Value::object({{"account_id", id},
                                   {"currency", kCurrencies[number_of(id + " currency", 3)]},
                                   {"balance_minor", 10'000 + number_of(id + " balance", 990'000)},
                                   {"as_of", "2026-08-" + day}}));
}

json::Value search(const json::Value& arguments) {
  const std::string query(arguments.find_string("query").value_or(""));
  const json::Value* asked = arguments.find("limit");
  const std::int64_t limit =
      std::clamp<std::int64_t>(asked == nullptr ? 3 : asked->as_int64().value_or(3), 1, 10);
  json::Value results = json::Value::array();
  for (std::int64_t rank = 1; rank <= limit; ++rank) {
    const std::string key = query + " " + std::to_string(rank);
    const std::string number = std::to_string(1000 + number_of(key, 9000));
    results.push_back(
        json::Value::object({{"rank", rank},
                             {"title", query + ", part " + number},
                             {"url", "https://docs.example/" + number},
                             {"snippet", "Section " + std::to_string(1 + number_of(key + "s", 40)) +
                                             " treats " + query},
                             {"score", 1000 - rank * 37 - number_of(key + "c", 30)}}));
  }
  return both(json::Value::object({{"query", query}, {"count", limit}, {"results", results}}));
}

json::Value read_file(const json::Value& arguments) {
  const std::string path(arguments.find_string("path").value_or(""));
  return text_result("# " + path + "\n\nRevision " + std::to_string(1 + number_of(path, 40)) +
                         " of 2026-07-" + two_digits(1 + number_of(path + "d", 28)) +
                         ". Retries: 3. Timeout: 30 s.\n",
                     false);
}

server::ToolResult as_tool_result(const json::Value& result) {
  server::ToolResult out;
  for (const json::Value& block : result.find("content")->items()) {
    out.content.push_back(server::Content::text(block.find_string("text").value_or("")));
  }
  if (const json::Value* structured = result.find("structuredContent")) {
    out.structured = *structured;
  }
  return out;
}

}  // namespace

json::Value call_example_tool(std::string_view tool, const json::Value& arguments) {
  if (tool == "get_account_balance") return balance(arguments);
  if (tool == "search") return search(arguments);
  if (tool == "read_file") return read_file(arguments);
  return text_result("unknown tool", true);
}

void add_example_tools(server::Registry& registry) {
  registry.tool("get_account_balance")
      .describe("Returns the balance of an account in minor units.")
      .input(R"({"type": "object", "properties": {"account_id": {"type": "string", "minLength": 1}},
                 "required": ["account_id"]})")
      .output(R"({"type": "object",
                  "properties": {"account_id": {"type": "string"}, "currency": {"type": "string"},
                                 "balance_minor": {"type": "integer"}, "as_of": {"type": "string"}},
                  "required": ["account_id", "currency", "balance_minor", "as_of"]})")
      .handle([](server::Context& context) {
        return as_tool_result(call_example_tool("get_account_balance", context.arguments()));
      });
  registry.tool("search")
      .describe("Searches a collection of documents.")
      .input(R"({"type": "object",
                 "properties": {"query": {"type": "string"},
                                "limit": {"type": "integer", "minimum": 1, "maximum": 10}},
                 "required": ["query"]})")
      .output(R"({"type": "object",
                  "properties": {"query": {"type": "string"}, "count": {"type": "integer"},
                                 "results": {"type": "array"}},
                  "required": ["query", "count", "results"]})")
      .handle([](server::Context& context) {
        return as_tool_result(call_example_tool("search", context.arguments()));
      });
  registry.tool("read_file")
      .describe("Reads a note.")
      .input(R"({"type": "object", "properties": {"path": {"type": "string"}},
                 "required": ["path"]})")
      .handle([](server::Context& context) {
        return as_tool_result(call_example_tool("read_file", context.arguments()));
      });
}

}  // namespace squall::inject
