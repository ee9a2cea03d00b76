#pragma once

#include <optional>
#include <string_view>

#include "squall/mcp/revision.h"
#include "squall/transport/http.h"

/// @file What the headers of a request must say over HTTP. Checks give the reply that refuses.

namespace squall::server {

/// Whether a client takes `type` ("application/json"), by what Accept says of it: the most specific
/// range counts, and one of weight zero refuses (RFC 9110, section 12.5.1). Nothing is accepted
/// where there is no Accept: MCP wants one.
[[nodiscard]] bool accepts(const transport::HttpRequest& request, std::string_view type);

/// Refuses a body that isn't JSON, or is encoded in a way that we don't undo.
[[nodiscard]] std::optional<transport::HttpReply> bad_content(const transport::HttpRequest& head);

/// Refuses protocol versions that no legacy client can have.
[[nodiscard]] std::optional<transport::HttpReply> bad_version(
    const transport::HttpRequest& request);
/// Refuses a version other than the one that the request's session has negotiated.
[[nodiscard]] std::optional<transport::HttpReply> other_version(
    const transport::HttpRequest& request, mcp::Revision negotiated);
/// Without a session the version header decides; without one of those, the oldest that had HTTP.
[[nodiscard]] mcp::Revision stateless_revision(const transport::HttpRequest& request);

}  // namespace squall::server
