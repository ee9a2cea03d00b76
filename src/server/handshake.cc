#include "handshake.h"

#include "squall/mcp/names.h"

namespace squall::server {

std::expected<Hello, jsonrpc::BadMessage> read_initialize(const jsonrpc::Message& message) {
  const auto refuse = [&](std::string why) {
    return std::unexpected(
        jsonrpc::BadMessage{jsonrpc::code::kInvalidParams, std::move(why), message.id});
  };
  const std::optional<std::string_view> version =
      message.params != nullptr ? message.params->find_string("protocolVersion") : std::nullopt;
  if (!version) return refuse("protocolVersion must be a string");
  const json::Value* capabilities = message.params->find("capabilities");
  const auto client = capabilities != nullptr ? mcp::ClientCapabilities::from(*capabilities)
                                              : mcp::ClientCapabilities();
  if (!client) return refuse("capabilities and what it declares must be objects");
  const json::Value* info = message.params->find("clientInfo");
  if (info != nullptr && !info->is_object()) return refuse("clientInfo must be an object");
  const auto revision = mcp::revision_from(*version);
  const bool known = revision && mcp::supports(*revision, mcp::Feature::handshake);
  return Hello{known ? *revision : mcp::kLatestLegacy, *client};
}

std::string initialize_members(const Pipeline& pipeline, mcp::Revision revision) {
  std::string members = "\"protocolVersion\":\"";
  members += mcp::to_text(revision);
  members += "\",\"capabilities\":" + pipeline.capabilities;
  members += ",\"serverInfo\":" + pipeline.server_info;
  if (!pipeline.instructions.empty()) members += ",\"instructions\":" + pipeline.instructions;
  return members;
}

void take_one_way(Session& session, const jsonrpc::Message& message) {
  if (message.kind != jsonrpc::MessageKind::notification) {
    session.deliver(message);  // one that nobody waits for is late or wrong, and of no use
    return;
  }
  if (message.method == mcp::notification::kInitialized) {
    session.initialized = true;
  } else if (message.method == mcp::notification::kCancelled && message.params != nullptr) {
    const json::Value* id = message.params->find("requestId");
    if (id != nullptr) session.cancel(jsonrpc::Id::from(*id));
  }
}

}  // namespace squall::server
