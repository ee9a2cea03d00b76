#pragma once

#include <string>
#include <vector>

#include "squall/client/client.h"
#include "squall/json/value.h"

/// @file What a server said, for a person. Foreign text comes out without control characters.

namespace squall::cli {

/// What `inspect` found.
struct Survey {
  client::Server server;
  std::vector<json::Value> tools;
  std::vector<json::Value> resources;
  std::vector<json::Value> templates;
  std::vector<json::Value> prompts;
};
[[nodiscard]] std::string to_text(const Survey& survey);
[[nodiscard]] json::Value to_json(const Survey& survey);

/// The content blocks of a tool's result, a prompt's messages, or a resource's contents.
[[nodiscard]] std::string content_text(const json::Value& result);

/// `text` with control characters but tabs and line feeds as "\u{1b}".
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace squall::cli
