#pragma once

#include <expected>
#include <string>

#include "squall/jsonrpc/message.h"
#include "squall/mcp/revision.h"
#include "squall/mcp/types.h"

#include "pipeline.h"
#include "session.h"

/// @file The legacy handshake, and the messages of a session that nobody answers.

namespace squall::server {

struct Hello {
  mcp::Revision revision;  ///< the one asked for when we speak it, else our latest legacy one
  mcp::ClientCapabilities client;
};
[[nodiscard]] std::expected<Hello, jsonrpc::BadMessage> read_initialize(
    const jsonrpc::Message& message);

/// The members of the result of `initialize`.
[[nodiscard]] std::string initialize_members(const Pipeline& pipeline, mcp::Revision revision);

/// Takes a notification or a response within a session.
void take_one_way(Session& session, const jsonrpc::Message& message);

}  // namespace squall::server
