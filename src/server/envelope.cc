#include "envelope.h"

#include "squall/json/write.h"
#include "squall/mcp/names.h"

namespace squall::server {

namespace {

[[gnu::cold]] Refusal mismatch(std::string_view header, std::string text) {
  json::Value details = json::Value::object({{"header", header}, {"body", text}});
  json::Value data = json::Value::object({{"mismatch", std::move(details)}});
  return {400, mcp::code::kHeaderMismatch, "headers and body disagree: " + text, std::move(data)};
}

[[gnu::cold]] Refusal bad_envelope(std::string_view key, std::string_view problem) {
  json::Value details = json::Value::object({{"key", key}, {"problem", problem}});
  return {400, jsonrpc::code::kInvalidParams,
          "invalid _meta: " + std::string(key) + ": " + std::string(problem),
          json::Value::object({{"envelope", std::move(details)}})};
}

const json::Value* meta_of(const jsonrpc::Message& message) noexcept {
  return message.params != nullptr ? message.params->find("_meta") : nullptr;
}

/// What `Mcp-Name` mirrors for this method, or null.
const json::Value* named_by(const jsonrpc::Message& message) noexcept {
  if (message.method == mcp::method::kToolsCall || message.method == mcp::method::kPromptsGet) {
    return message.params->find("name");
  }
  if (message.method == mcp::method::kResourcesRead) return message.params->find("uri");
  if (message.method == mcp::method::kTasksGet || message.method == mcp::method::kTasksUpdate ||
      message.method == mcp::method::kTasksCancel) {
    return message.params->find("taskId");
  }
  return nullptr;
}

/// The revision of that name, if requests of it carry an envelope.
std::optional<mcp::Revision> enveloped_revision(std::string_view version) {
  const auto revision = mcp::revision_from(version);
  const bool enveloped = revision && mcp::supports(*revision, mcp::Feature::per_request_envelope);
  return enveloped ? revision : std::nullopt;
}

std::optional<Refusal> check_meta(const json::Value& meta, Envelope& out) {
  const json::Value* version = meta.find(mcp::meta::kProtocolVersion);
  if (version == nullptr || !version->is_string()) {
    return bad_envelope(mcp::meta::kProtocolVersion, version == nullptr ? "missing" : "no string");
  }
  const json::Value* capabilities = meta.find(mcp::meta::kClientCapabilities);
  if (capabilities == nullptr) return bad_envelope(mcp::meta::kClientCapabilities, "missing");
  const auto client = mcp::ClientCapabilities::from(*capabilities);
  if (!client) {
    return bad_envelope(mcp::meta::kClientCapabilities, "it and what it declares must be objects");
  }
  out.client = *client;
  if (const json::Value* info = meta.find(mcp::meta::kClientInfo); info && !info->is_object()) {
    return bad_envelope(mcp::meta::kClientInfo, "no object");
  }
  const json::Value* token = meta.find(mcp::meta::kProgressToken);
  if (token != nullptr && !token->is_string() && !token->is_integer()) {
    return bad_envelope(mcp::meta::kProgressToken, "neither a string nor an integer");
  }
  if (const json::Value* level = meta.find(mcp::meta::kLogLevel)) {
    out.log_level = mcp::log_level_from(level->string());
    if (!out.log_level) return bad_envelope(mcp::meta::kLogLevel, "no level of RFC 5424");
  }
  return std::nullopt;
}

std::optional<Refusal> check_params(const jsonrpc::Message& message, const ToolEntry& tool,
                                    const HeaderSource& headers) {
  const json::Value* arguments = message.params->find("arguments");
  if (arguments == nullptr) return std::nullopt;
  for (const mcp::ParamHeader& parameter : tool.headers) {
    const json::Value* argument = mcp::argument_of(*arguments, parameter);
    if (argument == nullptr) continue;
    const std::optional<std::string_view> value = headers.header(parameter.header);
    const std::string& argument_name = parameter.path.back();
    if (!value) {
      return mismatch("(missing)", "the body has " + argument_name + " but the header " +
                                       parameter.header + " is absent");
    }
    const std::optional<std::string> decoded = mcp::decode_header_value(*value);
    if (!decoded) return mismatch(*value, parameter.header + " is not valid base64");
    if (!mcp::header_matches(*argument, *decoded)) {
      return mismatch(*value,
                      "the body's " + argument_name + " is not what " + parameter.header + " says");
    }
  }
  return std::nullopt;
}

std::optional<Refusal> check_name(const jsonrpc::Message& message, const HeaderSource& headers) {
  const json::Value* name = named_by(message);
  if (name == nullptr || !name->is_string()) return std::nullopt;  // dispatch says what is wrong
  const std::optional<std::string_view> header = headers.header(mcp::header::kName);
  if (!header) return mismatch("(missing)", "the required Mcp-Name header is absent");
  const std::optional<std::string> decoded = mcp::decode_header_value(*header);
  if (!decoded) return mismatch(*header, "Mcp-Name is not valid base64");
  if (*decoded != name->string()) {
    return mismatch(*header, "the body is about \"" + std::string(name->string()) +
                                 "\" but the Mcp-Name header names another");
  }
  return std::nullopt;
}

std::optional<Refusal> check_headers(const jsonrpc::Message& message, std::string_view version,
                                     const Pipeline& pipeline, const HeaderSource& headers) {
  const std::optional<std::string_view> named_version =
      headers.header(mcp::header::kProtocolVersion);
  const std::optional<std::string_view> named_method = headers.header(mcp::header::kMethod);
  if (named_version && *named_version != version) {
    return mismatch(*named_version, "the body names protocol version " + std::string(version));
  }
  if (named_method && *named_method != message.method) {
    return mismatch(*named_method, "the body names method " + std::string(message.method));
  }
  if (!enveloped_revision(version)) return unsupported_version(version);
  if (!named_version) {
    return mismatch("(missing)", "the required MCP-Protocol-Version header is absent");
  }
  if (!named_method) return mismatch("(missing)", "the required Mcp-Method header is absent");
  if (auto refusal = check_name(message, headers)) return refusal;
  if (message.method == mcp::method::kToolsCall) {
    const ToolEntry* tool = pipeline.find_tool(message.params->find_string("name").value_or(""));
    if (tool != nullptr && !tool->headers.empty()) return check_params(message, *tool, headers);
  }
  return std::nullopt;
}

}  // namespace

bool claims_modern(const jsonrpc::Message& message) noexcept {
  const json::Value* meta = meta_of(message);
  return meta != nullptr && meta->contains(mcp::meta::kProtocolVersion);
}

Refusal unsupported_version(std::string_view requested) {
  json::Value supported = json::Value::array();
  for (const mcp::Revision revision : mcp::all_revisions()) {
    if (mcp::supports(revision, mcp::Feature::per_request_envelope)) {
      supported.push_back(mcp::to_text(revision));
    }
  }
  return {400, mcp::code::kUnsupportedVersion,
          "unsupported protocol version: " + std::string(requested),
          json::Value::object({{"supported", std::move(supported)}, {"requested", requested}})};
}

std::expected<Envelope, Refusal> check_modern(const jsonrpc::Message& message,
                                              const Pipeline& pipeline,
                                              const HeaderSource* headers) {
  Envelope out;
  const json::Value& meta = *meta_of(message);
  const json::Value& named = *meta.find(mcp::meta::kProtocolVersion);
  const std::string_view version = named.string();
  const auto revision = enveloped_revision(version);
  if (auto refusal = check_meta(meta, out)) {
    // What the envelope of a revision we don't know holds isn't for us to say.
    if (named.is_string() && !revision) return std::unexpected(unsupported_version(version));
    return std::unexpected(std::move(*refusal));
  }
  if (headers != nullptr) {
    if (auto refusal = check_headers(message, version, pipeline, *headers)) {
      return std::unexpected(std::move(*refusal));
    }
  }
  if (!revision) return std::unexpected(unsupported_version(version));
  out.revision = *revision;
  return out;
}

std::optional<Refusal> check_claimless(const jsonrpc::Message& message,
                                       const HeaderSource& headers) {
  const std::optional<std::string_view> version = headers.header(mcp::header::kProtocolVersion);
  if (!version || !mcp::is_modern_text(*version)) return std::nullopt;
  if (message.method == mcp::method::kInitialize) {
    return mismatch(*version, "initialize belongs to revisions before 2026-07-28");
  }
  // A word that merely sorts behind the dates names no revision; the envelope is what's missing.
  json::Value missing = json::Value::array(
      {meta_of(message) == nullptr ? std::string_view("_meta") : mcp::meta::kProtocolVersion});
  json::Value details = json::Value::object({{"missing", std::move(missing)}});
  return Refusal{400, jsonrpc::code::kInvalidParams,
                 "the MCP-Protocol-Version header names " + std::string(*version) +
                     ", whose requests carry their envelope in params._meta",
                 json::Value::object({{"envelope", std::move(details)}})};
}

}  // namespace squall::server
