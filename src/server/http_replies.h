#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/jsonrpc/message.h"
#include "squall/transport/http.h"

#include "envelope.h"

/// @file The replies of the HTTP endpoint that aren't a request's own response.

namespace squall::server {

[[nodiscard]] transport::HttpReply json_reply(int status, std::string body);
[[nodiscard]] transport::HttpReply error_reply(int status, int code, std::string_view message,
                                               const jsonrpc::Id& id = {},
                                               const json::Value* data = nullptr);
[[nodiscard]] transport::HttpReply to_reply(const Refusal& refusal, const jsonrpc::Id& id);
/// What a notification gets.
[[nodiscard]] transport::HttpReply accepted();
/// `sessions`: whether GET and DELETE are of any use here, as they are to legacy sessions alone.
[[nodiscard]] transport::HttpReply method_not_allowed(bool sessions);
/// The answer to a browser that asks what it may send.
[[nodiscard]] transport::HttpReply cors_reply(const transport::HttpRequest& head);
/// What lets a page of an allowed origin read a reply.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> origin_headers(
    std::string_view origin);

}  // namespace squall::server
