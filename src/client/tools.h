#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "squall/client/client.h"
#include "squall/mcp/param_header.h"
#include "squall/schema/schema.h"

#include "core.h"

namespace squall::client {

/// What calls need to know of a tool.
struct Tool {
  std::vector<mcp::ParamHeader> headers;
  std::optional<schema::Schema> output;
  bool repeatable = false;  ///< annotated as read-only or idempotent
};

/// The tools of the last listing.
class Tools {
 public:
  explicit Tools(Core& core) : core_(core) {}

  /// Learns from `entries`, and takes out those that can't be used.
  void learn(Listing& listing);
  [[nodiscard]] const Tool* find(const std::string& name) const;
  [[nodiscard]] bool known() const noexcept { return known_; }
  void forget() noexcept { known_ = false; }

  /// The Mcp-Param-* headers of a call.
  [[nodiscard]] HttpHeaders headers(const Tool& tool, const json::Value& arguments) const;
  /// Why the result breaks the tool's promise, if it does.
  [[nodiscard]] std::optional<Failure> check(const Tool& tool, const std::string& name,
                                             const ToolResult& result) const;

 private:
  [[nodiscard]] Result<Tool> read(const json::Value& entry) const;
  Core& core_;
  std::map<std::string, Tool> tools_;
  bool known_ = false;
};

}  // namespace squall::client
