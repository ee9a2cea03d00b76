#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "squall/base/result.h"
#include "squall/client/options.h"
#include "squall/client/target.h"

/// @file Which server a command is about.

namespace squall::cli {

using Variables = std::map<std::string, std::string, std::less<>>;

/// What the command line says of the server, and of how to speak to it.
struct TargetWords {
  std::string name;                  ///< a URL or a target file; with `config_file` an entry's name
  std::vector<std::string> command;  ///< what stands behind "--"
  std::string config_file;
  std::vector<std::string> headers;    ///< "Name: value"
  std::vector<std::string> variables;  ///< "NAME=value"
  std::string ca_file;
  bool insecure = false;
  std::string protocol;  ///< "": what the target file says, or "auto"
  std::chrono::milliseconds timeout{60'000};
};

/// A server, and all that it takes to connect to it.
struct ChosenTarget {
  client::Target server;
  client::ChildOptions child;
  client::HttpLinkOptions http;
  client::Negotiation negotiation = client::Negotiation::automatic;
  client::Target::Pairs secrets;  ///< of the command line and SQUALL_TOKEN: value, name
  [[nodiscard]] bool is_http() const { return server.transport == client::Target::Transport::http; }
  /// Whether an Authorization header is sent anyway.
  [[nodiscard]] bool has_authorization() const;
};

/// Turns words into a target; `variables` give SQUALL_TOKEN (sent as a bearer token), proxies and
/// SSL_CERT_FILE. Reads no file but a target's or a configuration. No error quotes a value.
[[nodiscard]] Result<ChosenTarget> find_target(const TargetWords& words,
                                               const Variables& variables);

/// A look-up in `variables`, which outlives it.
[[nodiscard]] client::Environment look_up(const Variables& variables);

}  // namespace squall::cli
