#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/client/link.h"
#include "squall/client/options.h"

/// @file Which server a command is about.

namespace squall::cli {

using Environment = std::map<std::string, std::string, std::less<>>;

/// What the command line says of the server, and of how to speak to it.
struct TargetWords {
  std::string name;                  ///< a URL, or with `config_file` an entry's name
  std::vector<std::string> command;  ///< what stands behind "--"
  std::string config_file;
  std::vector<std::string> headers;    ///< "Name: value"
  std::vector<std::string> variables;  ///< "NAME=value"
  std::string ca_file;
  bool insecure = false;
  std::string protocol = "auto";
  std::chrono::milliseconds timeout{60'000};
};

/// A text that must not be shown, and the name to show in its place.
struct Secret {
  std::string name;
  std::string text;
};

/// A server that can be connected to.
struct Target {
  std::string url;  ///< "": a child
  client::HttpLinkOptions http;
  client::ChildOptions child;
  client::Negotiation negotiation = client::Negotiation::automatic;
  std::vector<Secret> secrets;  ///< values of headers and variables
};

/// Turns words into a target; `environment` gives SQUALL_TOKEN (sent as a bearer token), proxies,
/// SSL_CERT_FILE and what "${NAME}" in a configuration means. Reads no file but the configuration.
/// No error has a header's or variable's value in it.
[[nodiscard]] Result<Target> find_target(const TargetWords& words, const Environment& environment);

/// `text` with each secret replaced by "[redacted:NAME]".
[[nodiscard]] std::string redact(std::string_view text, const std::vector<Secret>& secrets);

}  // namespace squall::cli
