#include "input.h"

#include <charconv>

#include "squall/json/canonical.h"
#include "squall/mcp/names.h"

#include "engine_state.h"
#include "observe/call_watch.h"
#include "task_calls.h"

namespace squall::server {

namespace {

/// What a state was made for, so that it opens for nothing else: method, target, who asked and the
/// arguments.
std::string binding_of(const ServedRequest& request, std::string_view target) {
  std::string out(request.method());
  out += '\n';
  out += target;
  out += '\n';
  json::write_string(out, request.principal);
  out += '\n';
  const json::Value* arguments = request.params().find("arguments");
  if (arguments != nullptr && arguments->size() != 0) {
    const base::Sha256 digest = base::sha256(json::canonical(*arguments).value_or(""));
    out.append(reinterpret_cast<const char*>(digest.data()), digest.size());
  }
  return out;
}

std::int64_t seconds_now(const ServedRequest& request) {
  return std::chrono::duration_cast<std::chrono::seconds>(
             request.loop().wall_time().time_since_epoch())
      .count();
}

std::string seal_state(ServedRequest& request, std::string_view target) {
  Engine::State& engine = request.engine().state();
  std::string plain;
  json::Writer writer(plain);
  writer.begin_object();
  writer.key("until").number(seconds_now(request) + engine.options.state_ttl.count());
  writer.key("round").number(static_cast<std::int64_t>(request.round + 1));
  writer.key("state").string(request.new_state.value_or(request.state));
  writer.key("answers").begin_object();
  for (const auto& [key, answer] : request.answers) writer.key(key).value(answer);
  writer.end_object().end_object();
  return engine.sealer.seal(plain, binding_of(request, target));
}

Result<void> open_state(ServedRequest& request, const json::Value& sealed,
                        std::string_view target) {
  const auto refuse = [] { return fail(ErrorKind::invalid, "invalid or expired requestState"); };
  if (!sealed.is_string()) return refuse();
  const std::optional<std::string> plain =
      request.engine().state().sealer.open(sealed.string(), binding_of(request, target));
  if (!plain) return refuse();
  const auto content = json::parse(*plain);
  SQUALL_ASSERT(content.has_value());  // only we can have sealed it
  if (content->find("until")->as_int64().value_or(0) < seconds_now(request)) return refuse();
  request.round = static_cast<std::size_t>(content->find("round")->as_int64().value_or(0));
  request.resumed = true;
  request.state = content->find("state")->string();
  for (const json::Member& member : content->find("answers")->members()) {
    request.answers.insert_or_assign(std::string(member.name()), member.value);
  }
  return {};
}

bool is_usable_form(const json::Value& params, const json::Value& answer, FormSchemas& forms) {
  const json::Value* content = answer.find("content");
  if (content == nullptr || !content->is_object()) return false;
  const json::Value* schema = params.find("requestedSchema");
  const auto compiled = forms.of(*schema);
  return compiled && compiled->validate(*content) == schema::Verdict::valid;
}

}  // namespace

InputRequest elicit_form(std::string_view message, json::Value schema) {
  return {InputRequest::Kind::form,
          json::Value::object(
              {{"mode", "form"}, {"message", message}, {"requestedSchema", std::move(schema)}})};
}

InputRequest elicit_url(std::string_view message, std::string_view url) {
  return {InputRequest::Kind::url,
          json::Value::object({{"mode", "url"}, {"message", message}, {"url", url}})};
}

InputRequest sample(std::string_view user_text, int max_tokens, json::Value more) {
  json::Value content = json::Value::object({{"type", "text"}, {"text", user_text}});
  json::Value message = json::Value::object({{"role", "user"}, {"content", std::move(content)}});
  json::Value params = json::Value::object(
      {{"messages", json::Value::array({std::move(message)})}, {"maxTokens", max_tokens}});
  for (const json::Member& member : more.members()) params.set(member.name(), member.value);
  return {InputRequest::Kind::sampling, std::move(params)};
}

InputRequest list_roots() { return {InputRequest::Kind::roots, json::Value::object()}; }

std::string_view method_of(const InputRequest& question) noexcept {
  switch (question.kind) {
    case InputRequest::Kind::sampling:
      return mcp::method::kSample;
    case InputRequest::Kind::roots:
      return mcp::method::kRootsList;
    case InputRequest::Kind::form:
    case InputRequest::Kind::url:
      break;
  }
  return mcp::method::kElicit;
}

bool is_usable_answer(const InputRequest& question, const json::Value& answer, FormSchemas& forms) {
  if (!answer.is_object()) return false;
  switch (question.kind) {
    case InputRequest::Kind::form:
    case InputRequest::Kind::url: {
      const std::string_view action = answer.find_string("action").value_or("");
      if (action == "decline" || action == "cancel") return true;
      if (action != "accept") return false;
      return question.kind == InputRequest::Kind::url ||
             is_usable_form(question.params, answer, forms);
    }
    case InputRequest::Kind::sampling: {
      const json::Value* content = answer.find("content");
      return answer.find_string("role").has_value() && answer.find_string("model").has_value() &&
             content != nullptr && (content->is_object() || content->is_array());
    }
    case InputRequest::Kind::roots: {
      const json::Value* roots = answer.find("roots");
      return roots != nullptr && roots->is_array();
    }
  }
  return false;
}

json::Value missing_capability(const InputRequest& question,
                               const mcp::ClientCapabilities& client) {
  const auto nested = [](const char* outer, const char* inner) {
    return json::Value::object({{outer, json::Value::object({{inner, json::Value::object()}})}});
  };
  switch (question.kind) {
    case InputRequest::Kind::form:
      return client.elicitation_form ? json::Value() : nested("elicitation", "form");
    case InputRequest::Kind::url:
      return client.elicitation_url ? json::Value() : nested("elicitation", "url");
    case InputRequest::Kind::sampling:
      if (!client.sampling) return json::Value::object({{"sampling", json::Value::object()}});
      return question.params.contains("tools") && !client.sampling_tools
                 ? nested("sampling", "tools")
                 : json::Value();
    case InputRequest::Kind::roots:
      return client.roots ? json::Value() : json::Value::object({{"roots", json::Value::object()}});
  }
  return {};
}

Result<void> take_input(ServedRequest& request, std::string_view target) {
  if (!request.supports(mcp::Feature::input_required)) return {};
  if (const json::Value* state = request.params().find("requestState")) {
    SQUALL_CHECK(open_state(request, *state, target));
  }
  const json::Value* responses = request.params().find("inputResponses");
  if (responses == nullptr) return {};
  if (!responses->is_object()) return fail(ErrorKind::invalid, "inputResponses must be an object");
  for (const json::Member& member : responses->members()) {
    request.answers.insert_or_assign(std::string(member.name()), member.value);
  }
  // A first round without a state comes back without one; it was a round all the same.
  if (request.round == 0) request.round = 1;
  return {};
}

void respond_input_required(ServedRequest& request, std::string_view target) {
  for (const auto& [key, question] : request.questions) {
    const json::Value missing = missing_capability(question, request.client);
    if (missing.is_null()) continue;
    const json::Value data = json::Value::object({{"requiredCapabilities", missing}});
    return request.respond_error(
        mcp::code::kMissingCapability,
        "input \"" + key + "\" (" + std::string(method_of(question)) +
            ") needs a client capability that this request doesn't declare",
        &data, 400);
  }
  if (request.round + 1 > kRoundsMax) {
    return request.respond_error(jsonrpc::code::kInternalError, "too many rounds of input");
  }
  const bool has_state = request.keeps_state || request.new_state || !request.state.empty() ||
                         !request.answers.empty();
  if (request.questions.empty() && !has_state) {
    return request.respond_error(jsonrpc::code::kInternalError, "the handler asked for nothing");
  }
  if (request.watch) request.watch->note_ending(Ending::asks);
  std::string response = request.begin_response();
  json::Writer writer(response);
  writer.key("resultType").string("input_required");
  if (!request.questions.empty()) {
    writer.key("inputRequests").begin_object();
    for (const auto& [key, question] : request.questions) {
      writer.key(key).begin_object();
      writer.key("method").string(method_of(question)).key("params").value(question.params);
      writer.end_object();
    }
    writer.end_object();
  }
  if (has_state) writer.key("requestState").string(seal_state(request, target));
  writer.key("_meta").begin_object();
  response += request.pipeline().server_info_meta;
  writer.end_object();
  request.respond(std::move(response));
}

Result<void> send_questions(ServedRequest& request) {
  if (++request.round > kRoundsMax) return fail(ErrorKind::limit, "too many rounds of input");
  if (request.questions.empty()) return fail(ErrorKind::internal, "the handler asked for nothing");
  if (!request.is_task() &&
      (request.session() == nullptr || !request.outlet().carries_requests())) {
    return fail(ErrorKind::unavailable, "input from the client needs a session");
  }
  for (const auto& [key, question] : request.questions) {
    if (!missing_capability(question, request.client).is_null()) {
      return fail(ErrorKind::unavailable, "the client does not support " +
                                              std::string(method_of(question)) + " as needed here");
    }
  }
  request.state = request.new_state.value_or(request.state);
  if (request.is_task()) {
    request.answers_due = ask_in_task(request);
    request.questions.clear();
    return {};
  }
  request.answers_due = request.questions.size();
  for (auto& [key, question] : request.questions) {
    const std::int64_t number = request.session()->ask(request.shared_from_this(), key);
    request.asked_ids.push_back(number);
    // Revisions with the handshake name the elicitation, so that its end can be told.
    if (question.kind == InputRequest::Kind::url) {
      question.params.set("elicitationId", base::random_uuid());
    }
    std::string frame;
    jsonrpc::write_call(frame, jsonrpc::Id(number), method_of(question),
                        json::to_string(question.params));
    request.send(frame, false);
  }
  request.questions.clear();
  return {};
}

}  // namespace squall::server
