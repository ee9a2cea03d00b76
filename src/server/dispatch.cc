#include "dispatch.h"

#include <algorithm>

#include "squall/base/text.h"
#include "squall/mcp/names.h"

#include "calls.h"
#include "engine_state.h"
#include "logging.h"
#include "task_calls.h"

namespace squall::server {

namespace {

using mcp::Feature;

/// Of a URI that is subscribed to, and so held.
constexpr std::size_t kUriBytesMax = 8 << 10;

void method_not_found(ServedRequest& request) {
  const bool modern = request.supports(Feature::per_request_envelope);
  request.respond_error(jsonrpc::code::kMethodNotFound, "method not found", nullptr,
                        modern ? 404 : 200);
}

void invalid_params(ServedRequest& request, std::string_view message,
                    const json::Value* data = nullptr) {
  request.respond_error(jsonrpc::code::kInvalidParams, message, data);
}

void respond_empty(ServedRequest& request) {
  const bool modern = request.supports(Feature::result_type);
  // The suffix begins with the comma that members before it would need.
  const std::string& suffix = request.pipeline().complete_suffix;
  std::string response = request.begin_response();
  if (modern) response.append(suffix, 1);
  request.respond(std::move(response));
}

void discover(ServedRequest& request) {
  const Pipeline& pipeline = request.pipeline();
  std::string response = request.begin_response();
  response += "\"supportedVersions\":[";
  bool first = true;
  for (const mcp::Revision revision : mcp::all_revisions()) {
    if (!mcp::supports(revision, Feature::per_request_envelope)) continue;
    if (!std::exchange(first, false)) response += ',';
    response += '"';
    response += mcp::to_text(revision);
    response += '"';
  }
  response += "],\"capabilities\":" + pipeline.modern_capabilities;
  if (!pipeline.instructions.empty()) response += ",\"instructions\":" + pipeline.instructions;
  response += "," + pipeline.cache_members + pipeline.complete_suffix;
  request.respond(std::move(response));
}

void list(ServedRequest& request, const ListPages& pages) {
  const bool modern = request.supports(Feature::cache_hints);
  const bool stateless = !modern && request.session() == nullptr && !pages.stateless.empty();
  const std::vector<std::string>& legacy = pages.legacy.empty() ? pages.modern : pages.legacy;
  const std::vector<std::string>& texts =
      modern ? pages.modern : (stateless ? pages.stateless : legacy);
  std::size_t page = 0;
  if (const json::Value* cursor = request.params().find("cursor")) {
    const std::optional<std::size_t> read =
        cursor->is_string() ? read_cursor(cursor->string()) : std::nullopt;
    if (!read || *read >= texts.size()) return invalid_params(request, "invalid cursor");
    page = *read;
  }
  const Pipeline& pipeline = request.pipeline();
  std::string response = request.begin_response(texts[page].size());
  response += texts[page];
  if (modern) {
    response += ',';
    response += pages.cache_members;
    response += pipeline.complete_suffix;
  }
  request.respond(std::move(response));
}

void set_level(ServedRequest& request) {
  const auto level = mcp::log_level_from(request.params().find_string("level").value_or(""));
  if (!level) return invalid_params(request, "level must be one of the eight of RFC 5424");
  if (request.session() != nullptr) request.session()->log_level = *level;
  respond_empty(request);
}

void subscribe(ServedRequest& request, bool on) {
  const std::optional<std::string_view> uri = request.params().find_string("uri");
  if (!uri || uri->size() > kUriBytesMax) {
    return invalid_params(request, "uri must be a string of at most 8 KiB");
  }
  if (Session* session = request.session()) {
    if (on && !session->subscribe(*uri, request.engine().options().subscriptions_max)) {
      return request.respond_error(jsonrpc::code::kInternalError, "subscription limit reached");
    }
    if (!on) session->unsubscribe(*uri);
  }
  respond_empty(request);
}

const CompleterEntry* find_completer(const std::vector<CompleterEntry>& entries,
                                     std::string_view argument) {
  for (const CompleterEntry& entry : entries) {
    if (entry.argument == argument) return &entry;
  }
  return nullptr;
}

void write_completion(ServedRequest& request, const CompletionResult& found) {
  constexpr std::size_t kValuesMax = 100;
  std::string response = request.begin_response();
  json::Writer writer(response);
  writer.key("completion").begin_object().key("values").begin_array();
  const std::size_t count = std::min(found.values.size(), kValuesMax);
  for (std::size_t i = 0; i < count; ++i) writer.string(found.values[i]);
  writer.end_array();
  if (found.total) writer.key("total").number(*found.total);
  if (found.has_more || count < found.values.size()) {
    writer.key("hasMore").boolean(found.has_more.value_or(false) || count < found.values.size());
  }
  writer.end_object();
  if (request.supports(Feature::result_type)) {
    response += request.pipeline().complete_suffix;
  }
  request.respond(std::move(response));
}

void complete(ServedRequest& request) {
  const Pipeline& pipeline = request.pipeline();
  const json::Value* reference = request.params().find("ref");
  const json::Value* argument = request.params().find("argument");
  if (reference == nullptr || argument == nullptr || !argument->find_string("name") ||
      !argument->find_string("value")) {
    return invalid_params(request, "ref and argument {name, value} are required");
  }
  const std::string_view type = reference->find_string("type").value_or("");
  const std::string_view argument_name = *argument->find_string("name");
  const CompleterEntry* completer = nullptr;
  if (type == "ref/prompt") {
    const std::string_view name = reference->find_string("name").value_or("");
    const PromptEntry* prompt = pipeline.find_prompt(name);
    if (prompt == nullptr)
      return invalid_params(request, "unknown prompt: " + base::show_name(name));
    completer = find_completer(prompt->completers, argument_name);
  } else if (type == "ref/resource") {
    const std::string_view uri = reference->find_string("uri").value_or("");
    const ResourceEntry* entry = pipeline.find_template(uri);
    if (entry == nullptr && pipeline.find_resource(uri) == nullptr) {
      return invalid_params(request, "unknown resource: " + base::show_name(uri));
    }
    if (entry != nullptr) completer = find_completer(entry->completers, argument_name);
  } else {
    return invalid_params(request, "ref.type must be ref/prompt or ref/resource");
  }
  CompletionResult found;
  if (completer != nullptr) {
    static const json::Value kNothing = json::Value::object();
    const json::Value* context = request.params().find("context");
    const json::Value* filled = context != nullptr ? context->find("arguments") : nullptr;
    try {
      found = completer->completer(*argument->find_string("value"),
                                   filled != nullptr ? *filled : kNothing);
    } catch (...) {  // the completer is the user's code
      return request.respond_error(jsonrpc::code::kInternalError, "internal error");
    }
  }
  write_completion(request, found);
}

bool is_list_of_texts(const json::Value& value) {
  return value.is_array() && std::all_of(value.items().begin(), value.items().end(),
                                         [](const json::Value& item) { return item.is_string(); });
}

/// What of a listen's filter has a wrong type, or "".
std::string_view wrong_in_filter(const json::Value& wanted) {
  for (const std::string_view name :
       {"toolsListChanged", "promptsListChanged", "resourcesListChanged"}) {
    const json::Value* flag = wanted.find(name);
    if (flag != nullptr && !flag->is_bool()) return name;
  }
  const json::Value* uris = wanted.find("resourceSubscriptions");
  return uris == nullptr || is_list_of_texts(*uris) ? "" : "resourceSubscriptions";
}

/// Those of the tasks that the caller may follow.
void honour_tasks(const ServedRequest& request, const json::Value& wanted, Listen& listen,
                  json::Value& out) {
  const json::Value* ids = wanted.find("taskIds");
  if (ids == nullptr || !ids->is_array() || !knows_tasks(request)) return;
  TaskStore& tasks = request.engine().state().tasks;
  const TaskTime time = time_of(request.loop());
  json::Value kept = json::Value::array();
  for (const json::Value& id : ids->items()) {
    if (!id.is_string() || !tasks.describe(id.string(), owner_of(request), false, time)) continue;
    if (listen.tasks.emplace(id.string()).second) kept.push_back(id);
  }
  if (kept.size() != 0) out.set("taskIds", std::move(kept));
}

/// The honoured part of what a listen asks for, and the filter that comes of it.
json::Value honoured(const ServedRequest& request, const json::Value& wanted, Listen& listen) {
  const Pipeline& pipeline = request.pipeline();
  json::Value out = json::Value::object();
  const auto flag = [&](std::string_view name, bool offered, bool& target) {
    const json::Value* value = wanted.find(name);
    if (value == nullptr || !value->boolean() || !offered) return;
    target = true;
    out.set(name, true);
  };
  flag("toolsListChanged", pipeline.list_changed && !pipeline.tools.empty(), listen.tools);
  flag("promptsListChanged", pipeline.list_changed && !pipeline.prompts.empty(), listen.prompts);
  flag("resourcesListChanged", pipeline.list_changed && pipeline.has_resources, listen.resources);
  const json::Value* uris = wanted.find("resourceSubscriptions");
  if (uris != nullptr && pipeline.subscribe) {
    json::Value kept = json::Value::array();
    for (const json::Value& uri : uris->items()) {
      if (uri.size() > kUriBytesMax) continue;
      if (listen.uris.emplace(uri.string()).second) kept.push_back(uri);
    }
    if (kept.size() != 0) out.set("resourceSubscriptions", std::move(kept));
  }
  honour_tasks(request, wanted, listen, out);
  return out;
}

void listen(const std::shared_ptr<ServedRequest>& request) {
  const json::Value* wanted = request->params().find("notifications");
  if (wanted == nullptr || !wanted->is_object()) {
    return invalid_params(*request, "notifications must be an object");
  }
  if (const std::string_view wrong = wrong_in_filter(*wanted); !wrong.empty()) {
    return invalid_params(
        *request,
        "notifications." + std::string(wrong) +
            (wrong.ends_with("Changed") ? " must be a boolean" : " must be an array of strings"));
  }
  Listen entry;
  entry.request = request;
  entry.loop = &request->loop();
  entry.subscription_id = request->id().json();
  const json::Value filter = honoured(*request, *wanted, entry);
  Engine::State& engine = request->engine().state();
  std::uint64_t number = 0;
  const std::size_t subscriptions = entry.uris.size() + entry.tasks.size();
  if (subscriptions <= engine.options.subscriptions_max) number = engine.add_listen(entry);
  if (number == 0) {
    return request->respond_error(jsonrpc::code::kInternalError, "subscription limit reached");
  }
  request->on_over = [&engine, number] { engine.remove_listen(number); };
  request->waits_forever = true;
  request->listens = true;
  std::string params;
  json::Writer writer(params);
  writer.begin_object().key("notifications").value(filter).key("_meta").begin_object();
  writer.key(mcp::meta::kSubscriptionId).raw(entry.subscription_id).end_object().end_object();
  std::string frame;
  jsonrpc::write_call(frame, {}, mcp::notification::kAcknowledged, params);
  request->send(frame, false);
  request->forget_message();  // a stream may be open for days, and there are many
  request->park();
}

/// Methods that one era has and the other lacks.
bool dispatch_by_era(const std::shared_ptr<ServedRequest>& request) {
  const std::string_view method = request->method();
  if (method == mcp::method::kDiscover && request->supports(Feature::per_request_envelope)) {
    discover(*request);
  } else if (method == mcp::method::kListen && request->supports(Feature::listen)) {
    listen(request);
  } else if (method == mcp::method::kPing && request->supports(Feature::ping)) {
    respond_empty(*request);
  } else if (method == mcp::method::kSetLevel && request->supports(Feature::set_level) &&
             request->pipeline().logging) {
    set_level(*request);
  } else if ((method == mcp::method::kResourcesSubscribe ||
              method == mcp::method::kResourcesUnsubscribe) &&
             request->supports(Feature::resource_subscribe) && request->pipeline().subscribe) {
    subscribe(*request, method == mcp::method::kResourcesSubscribe);
  } else if (request->supports(Feature::extensions) && request->pipeline().tasks) {
    return dispatch_task_method(*request);
  } else {
    return false;
  }
  return true;
}

}  // namespace

void end_listen(ServedRequest& request) {
  std::string response = request.begin_response();
  response += "\"resultType\":\"complete\",\"_meta\":{\"";
  response += mcp::meta::kSubscriptionId;
  response += "\":";
  response += request.id().json();
  response += "," + request.pipeline().server_info_meta + "}";
  request.respond(std::move(response));
}

void dispatch(const std::shared_ptr<ServedRequest>& request) {
  log_request(*request);
  if (request->has_bad_progress_token) {
    return invalid_params(*request, "_meta.progressToken must be a string or an integer");
  }
  const Pipeline& pipeline = request->pipeline();
  const std::string_view method = request->method();
  if (method == mcp::method::kToolsCall && !pipeline.tools.empty()) return call_tool(request);
  if (method == mcp::method::kToolsList && !pipeline.tools.empty()) {
    return list(*request, pipeline.tool_pages);
  }
  if (pipeline.has_resources) {
    if (method == mcp::method::kResourcesRead) return read_resource(request);
    if (method == mcp::method::kResourcesList) return list(*request, pipeline.resource_pages);
    if (method == mcp::method::kResourceTemplatesList) {
      return list(*request, pipeline.template_pages);
    }
  }
  if (!pipeline.prompts.empty()) {
    if (method == mcp::method::kPromptsGet) return get_prompt(request);
    if (method == mcp::method::kPromptsList) return list(*request, pipeline.prompt_pages);
  }
  if (method == mcp::method::kComplete && pipeline.completions) return complete(*request);
  if (!dispatch_by_era(request)) method_not_found(*request);
}

}  // namespace squall::server
