#include "squall/jsonrpc/message.h"

namespace squall::jsonrpc {

namespace {

std::unexpected<BadMessage> bad(std::string message, Id id = {}) {
  return std::unexpected(BadMessage{code::kInvalidRequest, std::move(message), std::move(id)});
}

/// The members that mean something, gathered in one walk; of two with one name the last.
struct Members {
  const json::Value* version = nullptr;
  const json::Value* id = nullptr;
  const json::Value* method = nullptr;
  const json::Value* params = nullptr;
  const json::Value* result = nullptr;
  const json::Value* error = nullptr;

  explicit Members(const json::Value& object) {
    for (const json::Member& member : object.members()) {
      const std::string_view name = member.name();
      if (name == "id") {
        id = &member.value;
      } else if (name == "jsonrpc") {
        version = &member.value;
      } else if (name == "method") {
        method = &member.value;
      } else if (name == "params") {
        params = &member.value;
      } else if (name == "result") {
        result = &member.value;
      } else if (name == "error") {
        error = &member.value;
      }
    }
  }
};

std::expected<Message, BadMessage> read_call(const Members& members, Id id) {
  if (!members.method->is_string()) return bad("method must be a string", std::move(id));
  if (members.id != nullptr && id.empty())
    return bad("id must be a string or an integer, of at most 16 KiB");
  const json::Value* params = members.params;
  if (params != nullptr && !params->is_object()) {
    return bad("params must be an object", std::move(id));
  }
  Message message;
  message.kind = members.id != nullptr ? MessageKind::request : MessageKind::notification;
  message.id = std::move(id);
  message.method = members.method->string();
  message.params = params;
  return message;
}

std::expected<Message, BadMessage> read_response(const Members& members, Id id) {
  const json::Value* const result = members.result;
  const json::Value* const error = members.error;
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
  const bool id_unknown = members.id == nullptr || members.id->is_null();
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
  const Members members(value);
  Id id = members.id != nullptr ? Id::from(*members.id) : Id();
  if (members.version == nullptr || members.version->string() != "2.0") {
    return bad("jsonrpc must be \"2.0\"", std::move(id));
  }
  if (members.method == nullptr) return read_response(members, std::move(id));
  if (members.result != nullptr || members.error != nullptr) {
    return bad("both method and a response", std::move(id));
  }
  return read_call(members, std::move(id));
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
