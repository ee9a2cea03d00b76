#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"

/// @file A golden conversation as text: what a peer does, and what it hears.

namespace squall::server::golden {

/// One thing that happens, with the lines it is written as.
struct Step {
  enum class Kind {
    note,     ///< a comment or blank line
    message,  ///< `>>> {...}`: a line on a channel
    request,  ///< `>>> POST /mcp | Header: value`, and the body on a second such line
    command,  ///< `--- wait 50ms`
  };
  Kind kind = Kind::note;
  std::string lane;  ///< the connection's name, written before `>>>`; "" is one too
  std::vector<std::string> lines;
  std::string text;  ///< the message, the request's head, or the command
  std::string body;  ///< of a request
};

/// A file under golden/. Its head is prose (`#`), options (`option: page-size=2`) and
/// abbreviations (`let NAME = text`, then `${NAME}`); what was heard (`<<<`, `===`) is left out.
struct Script {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  std::vector<std::string> head;
  Pairs options;
  Pairs lets;
  std::vector<Step> steps;
};

[[nodiscard]] Result<Script> read_script(std::string_view text);
[[nodiscard]] std::vector<std::string> split_lines(std::string_view text);
/// Replaces every `from` in `text`.
void replace_all(std::string& text, std::string_view from, std::string_view to);

}  // namespace squall::server::golden
