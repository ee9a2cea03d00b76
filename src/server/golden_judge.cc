#include "golden_judge.h"

#include <fstream>
#include <iterator>

#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/mcp/names.h"
#include "squall/schema/schema.h"

namespace squall::server::golden {

namespace {

using mcp::Revision;

const std::map<std::string_view, std::string_view> kResults{
    {"initialize", "InitializeResult"},
    {"ping", "EmptyResult"},
    {"logging/setLevel", "EmptyResult"},
    {"resources/subscribe", "EmptyResult"},
    {"resources/unsubscribe", "EmptyResult"},
    {"server/discover", "DiscoverResult"},
    {"subscriptions/listen", "SubscriptionsListenResult"},
    {"tools/list", "ListToolsResult"},
    {"tools/call", "CallToolResult"},
    {"resources/list", "ListResourcesResult"},
    {"resources/templates/list", "ListResourceTemplatesResult"},
    {"resources/read", "ReadResourceResult"},
    {"prompts/list", "ListPromptsResult"},
    {"prompts/get", "GetPromptResult"},
    {"completion/complete", "CompleteResult"},
    // The schema knows nothing of the tasks extension but that its results are results.
    {"tasks/get", "Result"},
    {"tasks/update", "Result"},
    {"tasks/cancel", "Result"}};

const std::map<std::string_view, std::string_view> kCalls{
    {"notifications/cancelled", "CancelledNotification"},
    {"notifications/progress", "ProgressNotification"},
    {"notifications/message", "LoggingMessageNotification"},
    {"notifications/tools/list_changed", "ToolListChangedNotification"},
    {"notifications/prompts/list_changed", "PromptListChangedNotification"},
    {"notifications/resources/list_changed", "ResourceListChangedNotification"},
    {"notifications/resources/updated", "ResourceUpdatedNotification"},
    {"notifications/tasks", "JSONRPCNotification"},
    {"notifications/subscriptions/acknowledged", "SubscriptionsAcknowledgedNotification"},
    {"elicitation/create", "ElicitRequest"},
    {"sampling/createMessage", "CreateMessageRequest"},
    {"roots/list", "ListRootsRequest"}};

/// Errors that have a type of their own.
const std::map<std::int64_t, std::string_view> kErrors{
    {mcp::code::kHeaderMismatch, "HeaderMismatchError"},
    {mcp::code::kMissingCapability, "MissingRequiredClientCapabilityError"},
    {mcp::code::kUnsupportedVersion, "UnsupportedProtocolVersionError"}};

bool is_old_dialect(Revision revision) { return revision < Revision::r2025_11_25; }

const json::Value& document_of(Revision revision) {
  static std::map<Revision, json::Value> documents;
  auto [it, fresh] = documents.try_emplace(revision);
  if (fresh) {
    std::ifstream file(std::string(SQUALL_SOURCE_DIR) + "/tests/data/mcp-schema/" +
                       std::string(mcp::to_text(revision)) + ".json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    it->second = json::parse(text).value_or(json::Value());
  }
  return it->second;
}

/// Appends how `value` breaks the definition `name` of `revision`.
void check(Revision revision, std::string_view name, const json::Value& value,
           std::vector<std::string>& faults) {
  static std::map<std::pair<Revision, std::string>, Result<schema::Schema>> compiled;
  const std::string table = is_old_dialect(revision) ? "definitions" : "$defs";
  auto it = compiled.find({revision, std::string(name)});
  if (it == compiled.end()) {
    const json::Value& document = document_of(revision);
    const json::Value* definitions = document.find(table);
    if (definitions == nullptr || !definitions->contains(name)) {
      faults.push_back(std::string(mcp::to_text(revision)) + " has no " + std::string(name));
      return;
    }
    json::Value root = json::Value::object({{"$schema", *document.find("$schema")},
                                            {"$ref", "#/" + table + "/" + std::string(name)},
                                            {table, *definitions}});
    it = compiled.emplace(std::pair(revision, std::string(name)), schema::Schema::compile(root))
             .first;
  }
  if (!it->second) {
    faults.push_back(std::string(name) + ": " + it->second.error().message);
    return;
  }
  std::vector<schema::Violation> violations;
  if (it->second->validate(value, violations) == schema::Verdict::valid) return;
  for (const schema::Violation& one : violations) {
    faults.push_back(std::string(mcp::to_text(revision)) + " " + std::string(name) + " at \"" +
                     one.instance + "\": " + one.message);
  }
  if (violations.empty()) faults.push_back(std::string(name) + ": no verdict");
}

const json::Value* at(const json::Value& value, std::string_view first, std::string_view second) {
  const json::Value* inner = value.find(first);
  return inner != nullptr ? inner->find(second) : nullptr;
}

/// JSON-RPC answers what has no readable id with null, which the schemas don't know: they have no
/// id then, and before 2025-11-25 nothing at all to say.
json::Value without_null_id(const json::Value& message, Revision revision) {
  json::Value out = message;
  if (const json::Value* id = out.find("id"); id != nullptr && id->is_null()) {
    if (is_old_dialect(revision)) {
      out.set("id", 0);
    } else {
      out.erase("id");
    }
  }
  return out;
}

}  // namespace

std::optional<Revision> Judge::revision(const std::string& lane) const {
  const auto it = spoken_.find(lane);
  return it == spoken_.end() ? std::nullopt : std::optional(it->second);
}

void Judge::said(const std::string& lane, std::string_view text) {
  const auto value = json::parse(text);
  if (!value) return;
  if (!value->is_array()) return note(lane, *value);
  for (const json::Value& one : value->items()) note(lane, one);
}

void Judge::note(const std::string& lane, const json::Value& message) {
  Revision revision = spoken_.try_emplace(lane, mcp::kLatestLegacy).first->second;
  if (const json::Value* meta = at(message, "params", "_meta")) {
    if (meta->contains(mcp::meta::kProtocolVersion)) revision = mcp::kLatestModern;
  }
  used_.insert(revision);
  const json::Value* id = message.find("id");
  if (id == nullptr) return;
  const Asked asked{std::string(message.find_string("method").value_or("")), revision};
  requests_[lane + " " + json::to_string(*id)].push_back(asked);
  requests_[json::to_string(*id)].push_back(asked);
}

std::vector<Judge::Asked> Judge::asked(const std::string& lane, const json::Value& message) const {
  const json::Value* id = message.find("id");
  const std::string key = id != nullptr ? json::to_string(*id) : std::string();
  for (const std::string& name : {lane + " " + key, key}) {
    if (const auto it = requests_.find(name); it != requests_.end()) return it->second;
  }
  return {{"", revision(lane).value_or(mcp::kLatestLegacy)}};
}

std::vector<std::string> Judge::heard(const std::string& lane, std::string_view text) {
  std::vector<std::string> faults;
  const auto value = json::parse(text);
  if (!value) return {"not JSON: " + value.error().text()};
  if (!value->is_array()) {
    judge(lane, *value, faults);
    return faults;
  }
  json::Value batch = json::Value::array();
  for (const json::Value& one : value->items()) {
    batch.push_back(without_null_id(one, Revision::r2025_03_26));
  }
  check(Revision::r2025_03_26, "JSONRPCMessage", batch, faults);
  for (const json::Value& one : value->items()) judge(lane, one, faults);
  return faults;
}

void Judge::judge(const std::string& lane, const json::Value& message,
                  std::vector<std::string>& faults) {
  if (const auto method = message.find_string("method")) {
    const auto call = kCalls.find(*method);
    if (call == kCalls.end()) return faults.push_back("sent " + std::string(*method));
    // Where both eras share a connection, nothing tells whose a log message is.
    std::vector<std::string> all;
    for (const Revision revision : used_) {
      std::vector<std::string> now;
      check(revision, "JSONRPCMessage", message, now);
      check(revision, call->second, message, now);
      if (now.empty()) return;
      all.insert(all.end(), now.begin(), now.end());
    }
    faults.insert(faults.end(), all.begin(), all.end());
    return;
  }
  std::vector<std::string> all;
  for (const Asked& request : asked(lane, message)) {
    std::vector<std::string> now;
    judge_response(request, lane, message, now);
    if (now.empty()) return;
    all.insert(all.end(), now.begin(), now.end());
  }
  faults.insert(faults.end(), all.begin(), all.end());
}

void Judge::judge_response(const Asked& request, const std::string& lane,
                           const json::Value& message, std::vector<std::string>& faults) {
  const json::Value plain = without_null_id(message, request.revision);
  check(request.revision, "JSONRPCMessage", plain, faults);
  if (const json::Value* result = message.find("result")) {
    const auto type = kResults.find(request.method);
    if (type == kResults.end()) return faults.push_back("a result to " + request.method);
    const std::string_view kind = result->find_string("resultType").value_or("");
    Revision revision = request.revision;
    if (request.method == "initialize") {
      const auto named = mcp::revision_from(result->find_string("protocolVersion").value_or(""));
      if (!named) return faults.push_back("initialize was answered without a version");
      set_revision(lane, revision = *named);
      used_.insert(revision);
    }
    const std::string_view name = kind == "input_required" ? "InputRequiredResult"
                                  : kind == "task"         ? "Result"
                                                           : type->second;
    check(revision, name, *result, faults);
  } else {
    check(request.revision,
          is_old_dialect(request.revision) ? "JSONRPCError" : "JSONRPCErrorResponse", plain,
          faults);
    const json::Value* code = at(message, "error", "code");
    const auto error = kErrors.find(code != nullptr ? code->as_int64().value_or(0) : 0);
    if (error != kErrors.end()) check(mcp::kLatestModern, error->second, plain, faults);
  }
}

}  // namespace squall::server::golden
