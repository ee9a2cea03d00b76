#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "squall/json/value.h"
#include "squall/jsonrpc/message.h"
#include "squall/mcp/revision.h"
#include "squall/mcp/types.h"

#include "pipeline.h"

/// @file Which era a message belongs to, and whether its envelope and headers hold up; in the
/// order in which the specification has the faults answered.

namespace squall::server {

/// Why a request is refused before its method is looked at.
struct Refusal {
  int status = 400;
  int code = jsonrpc::code::kInvalidParams;
  std::string message;
  json::Value data;  ///< null: none
};

/// What the envelope of a modern request says.
struct Envelope {
  mcp::Revision revision = mcp::kLatestModern;
  mcp::ClientCapabilities client;
  std::optional<mcp::LogLevel> log_level;
};

/// The claim test: whether `params._meta` names a protocol version, of whatever type.
[[nodiscard]] bool claims_modern(const jsonrpc::Message& message) noexcept;

/// The headers of an HTTP request that MCP looks at. Absent ones are nothing.
class HeaderSource {
 public:
  virtual std::optional<std::string_view> header(std::string_view name) const = 0;

 protected:
  ~HeaderSource() = default;
};

/// Checks a request that claims the modern era. `headers` is null where there are none (stdio).
[[nodiscard]] std::expected<Envelope, Refusal> check_modern(const jsonrpc::Message& message,
                                                            const Pipeline& pipeline,
                                                            const HeaderSource* headers);

/// Checks a claimless request against its version header: `initialize` under a modern header, and
/// anything under a modern header, are refused. Nothing when it is legacy traffic.
[[nodiscard]] std::optional<Refusal> check_claimless(const jsonrpc::Message& message,
                                                     const HeaderSource& headers);

[[nodiscard, gnu::cold]] Refusal unsupported_version(std::string_view requested);

}  // namespace squall::server
