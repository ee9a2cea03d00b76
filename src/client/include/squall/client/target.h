#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/client/link.h"
#include "squall/client/options.h"

/// @file Servers to reach, as files name them.

namespace squall::client {

/// Gives a variable of our environment, or nothing.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;

/// A server, and how to get to it. Secrets stay where they are until it is opened.
struct Target {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  enum class Transport : std::uint8_t { stdio, http };
  Transport transport = Transport::stdio;
  std::vector<std::string> command{};  ///< stdio: program and arguments
  std::string directory{};             ///< stdio: where it runs; "" is here
  Pairs environment{};                 ///< stdio: added to what a child gets anyway
  Pairs environment_from{};            ///< stdio: the child's variable, and ours it comes from
  std::string url{};                   ///< http
  Pairs headers{};                     ///< http
  Pairs headers_from{};                ///< http: a header, and our variable its value comes from
  /// Whether `${NAME}` in texts stands for our variable, as in client configurations.
  bool expand = false;
  /// Whether clear text is kept from the network: plain http goes to loopback addresses alone, and
  /// never with headers of the target. So for target files.
  bool guarded = false;
  std::optional<Negotiation> negotiation{};  ///< what the file says of the revision
  /// "stdio node" or "http https://host/mcp": what may be shown of it.
  [[nodiscard]] std::string describe() const;
};

/// Reads a target file: `squall: 1` with `target` and `protocol`, or `{adapter, config}` with the
/// adapter "mcp". No message quotes the file.
[[nodiscard]] Result<Target> read_target(std::string file, std::string text);
/// Reads the entry `name` of the `mcpServers` in a client's configuration file; keys that we don't
/// know are the client's own business.
[[nodiscard]] Result<Target> read_client_config(std::string file, std::string text,
                                                std::string_view name);

/// A target with its secrets in place.
struct OpenTarget {
  std::unique_ptr<Link> link;
  /// What must not be shown: a value, and the name to show instead.
  Target::Pairs secrets;
};
/// `child` and `http` say the rest; variables and headers in them come last, and are the caller's
/// to keep secret. Fails when a variable is missing, when a guarded target isn't safe to reach, or
/// when the child can't be started.
[[nodiscard]] Result<OpenTarget> open_target(runtime::SystemLoop& loop, const Target& target,
                                             const Environment& environment,
                                             ChildOptions child = {}, HttpLinkOptions http = {});

/// The URL of an http target with the variables in it in place.
[[nodiscard]] Result<std::string> url_of(const Target& target, const Environment& environment);

/// "environment variable NAME", for messages; what doesn't look like a name (capitals, digits, '_')
/// isn't shown, because it may be the secret itself, put where its variable belongs.
[[nodiscard]] std::string show_variable(std::string_view name);

/// `text` with each secret value of at least 4 bytes replaced by `[redacted:NAME]`.
[[nodiscard]] std::string redact(std::string text, const Target::Pairs& secrets);

}  // namespace squall::client
