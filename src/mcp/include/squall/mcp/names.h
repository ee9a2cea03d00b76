#pragma once

#include <string_view>

/// @file Names and codes of MCP as they stand on the wire.

namespace squall::mcp {

namespace code {
inline constexpr int kTransport = -32000;        ///< what the official SDKs answer before dispatch
inline constexpr int kSessionNotFound = -32001;  ///< legacy HTTP, status 404
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;
inline constexpr int kUrlElicitationRequired = -32042;  ///< 2025-11-25 alone
}  // namespace code

namespace method {
inline constexpr std::string_view kInitialize = "initialize";
inline constexpr std::string_view kPing = "ping";
inline constexpr std::string_view kDiscover = "server/discover";
inline constexpr std::string_view kToolsList = "tools/list";
inline constexpr std::string_view kToolsCall = "tools/call";
inline constexpr std::string_view kResourcesList = "resources/list";
inline constexpr std::string_view kResourceTemplatesList = "resources/templates/list";
inline constexpr std::string_view kResourcesRead = "resources/read";
inline constexpr std::string_view kResourcesSubscribe = "resources/subscribe";
inline constexpr std::string_view kResourcesUnsubscribe = "resources/unsubscribe";
inline constexpr std::string_view kPromptsList = "prompts/list";
inline constexpr std::string_view kPromptsGet = "prompts/get";
inline constexpr std::string_view kComplete = "completion/complete";
inline constexpr std::string_view kSetLevel = "logging/setLevel";
inline constexpr std::string_view kListen = "subscriptions/listen";
inline constexpr std::string_view kTasksGet = "tasks/get";
inline constexpr std::string_view kTasksUpdate = "tasks/update";
inline constexpr std::string_view kTasksCancel = "tasks/cancel";
inline constexpr std::string_view kElicit = "elicitation/create";
inline constexpr std::string_view kSample = "sampling/createMessage";
inline constexpr std::string_view kRootsList = "roots/list";
}  // namespace method

namespace notification {
inline constexpr std::string_view kInitialized = "notifications/initialized";
inline constexpr std::string_view kCancelled = "notifications/cancelled";
inline constexpr std::string_view kProgress = "notifications/progress";
inline constexpr std::string_view kMessage = "notifications/message";
inline constexpr std::string_view kToolsChanged = "notifications/tools/list_changed";
inline constexpr std::string_view kPromptsChanged = "notifications/prompts/list_changed";
inline constexpr std::string_view kResourcesChanged = "notifications/resources/list_changed";
inline constexpr std::string_view kResourceUpdated = "notifications/resources/updated";
inline constexpr std::string_view kAcknowledged = "notifications/subscriptions/acknowledged";
inline constexpr std::string_view kTask = "notifications/tasks";
inline constexpr std::string_view kElicited = "notifications/elicitation/complete";
}  // namespace notification

namespace meta {
inline constexpr std::string_view kProtocolVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kClientCapabilities =
    "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kClientInfo = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view kLogLevel = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view kServerInfo = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kSubscriptionId = "io.modelcontextprotocol/subscriptionId";
inline constexpr std::string_view kProgressToken = "progressToken";
}  // namespace meta

namespace extension {
inline constexpr std::string_view kTasks = "io.modelcontextprotocol/tasks";
}  // namespace extension

namespace header {
inline constexpr std::string_view kProtocolVersion = "MCP-Protocol-Version";
inline constexpr std::string_view kMethod = "Mcp-Method";
inline constexpr std::string_view kName = "Mcp-Name";
inline constexpr std::string_view kParamPrefix = "Mcp-Param-";
inline constexpr std::string_view kSessionId = "Mcp-Session-Id";
inline constexpr std::string_view kLastEventId = "Last-Event-ID";
}  // namespace header

}  // namespace squall::mcp
