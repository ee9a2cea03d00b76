#include "squall/jsonrpc/message.h"

namespace squall::jsonrpc {

namespace {

std::unexpected<BadMessage> bad(std::string message, Id id = {}) {
  return std::unexpected(BadMessage{code::kInvalidRequest, std::move(message), std::move(id)});
}

std::expected<Message, BadMessage> read_call(const json::Value& value, const json::Value* id_value,
                                             const json::Value& method, Id id) {
  if (!method.is_string()) return bad("method must be a string", std::move(id));
  if (id_value != nullptr && id.empty())
    return bad("id must be a string or an integer, of at most 16 KiB");
  const json::Value* params = value.find("params");
  if (params != nullptr && !params->is_object()) {
    return bad("params must be an object", std::move(id));
  }
  Message message;
  message.kind = id_value != nullptr ? MessageKind::request : MessageKind::notification;
  message.id = std::move(id);
  message.method = method.string();
  message.params = params;
  return message;
}

std::expected<Message, BadMessage> read_response(const json::Value* id_value,
                                                 const json::Value* result,
                                                 const json::Value* error, Id id) {
  // A response's id is one of ours: in an answer it would pass for one of the peer's.
  if (result != nullptr && error != nullptr) return bad("both result and error");
  if (result == nullptr && error == nullptr) {
    return bad("neither method, result nor error", std::move(id));
  }
  Message message;
  message.kind = result != nullptr ? MessageKind::result : MessageKind::error;
  message.outcome = result != nullptr ? result : error;
  if (!message.outcome->is_object()) {
    return bad("result and error must be objects");
  }
  // Only an error may come without an id: of a request whose id its receiver could not read.
  const bool id_unknown = id_value == nullptr || id_value->is_null();
  if (id.empty() && !(error != nullptr && id_unknown)) {
    return bad("id must be a string or an integer");
  }
  message.id = std::move(id);
  return message;
}

}  // namespace

Id Id::from(const json::Value& value) {
  Id id;
  const std::size_t size = value.is_string() ? value.size() : value.number_text().size();
  if (size > kIdBytesMax) return id;
  if (value.is_string() || (value.is_number() && value.is_integer())) json::write(id.text_, value);
  return id;
}

Id Id::string(std::string_view text) {
  Id id;
  json::write_string(id.text_, text);
  return id;
}

std::expected<Message, BadMessage> read_message(const json::Value& value) {
  if (!value.is_object()) return bad("a message must be an object");
  const json::Value* id_value = value.find("id");
  Id id = id_value != nullptr ? Id::from(*id_value) : Id();
  const json::Value* version = value.find("jsonrpc");
  if (version == nullptr || version->string() != "2.0") {
    return bad("jsonrpc must be \"2.0\"", std::move(id));
  }
  const json::Value* result = value.find("result");
  const json::Value* error = value.find("error");
  if (const json::Value* method = value.find("method")) {
    if (result != nullptr || error != nullptr) {
      return bad("both method and a response", std::move(id));
    }
    return read_call(value, id_value, *method, std::move(id));
  }
  return read_response(id_value, result, error, std::move(id));
}

void write_error(std::string& out, const Id& id, int code, std::string_view message,
                 const json::Value* data) {
  out += R"({"jsonrpc":"2.0","id":)";
  out += id.json();
  out += R"(,"error":{"code":)";
  out += std::to_string(code);
  out += R"(,"message":)";
  json::write_string(out, message);
  if (data != nullptr) {
    out += R"(,"data":)";
    json::write(out, *data);
  }
  out += "}}";
}

void write_result(std::string& out, const Id& id, std::string_view members) {
  begin_result(out, id);
  out += members;
  end_result(out);
}

void begin_result(std::string& out, const Id& id) {
  out += R"({"jsonrpc":"2.0","id":)";
  out += id.json();
  out += R"(,"result":{)";
}

void end_result(std::string& out) { out += "}}"; }

std::string_view outcome_member(std::string_view response, const Id& id) {
  constexpr std::string_view kBefore = R"({"jsonrpc":"2.0","id":)";
  const std::size_t from = kBefore.size() + id.json().size() + 1;
  if (!response.starts_with(kBefore) || response.size() <= from) return {};
  return response.substr(from, response.size() - from - 1);
}

void write_call(std::string& out, const Id& id, std::string_view method, std::string_view params) {
  out += R"({"jsonrpc":"2.0",)";
  if (!id.empty()) {
    out += R"("id":)";
    out += id.json();
    out += ',';
  }
  out += R"("method":)";
  json::write_string(out, method);
  if (!params.empty()) {
    out += R"(,"params":)";
    out += params;
  }
  out += '}';
}

}  // namespace squall::jsonrpc
