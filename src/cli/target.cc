#include "target.h"

#include <algorithm>
#include <utility>

#include "squall/base/text.h"

#include "profile_file.h"
#include "text.h"

namespace squall::cli {
namespace {

using Transport = client::Target::Transport;

/// Clients keep much else in their configurations.
constexpr std::size_t kConfigMebibytesMax = 16;

std::unexpected<Error> refuse(std::string message) {
  return fail(ErrorKind::invalid, std::move(message));
}

/// "left<mark>right", both trimmed; the left one isn't empty.
Result<std::pair<std::string, std::string>> split(const std::string& text, char mark,
                                                  std::string_view option) {
  const std::size_t at = text.find(mark);
  if (at == std::string::npos || base::trim(text.substr(0, at)).empty()) {
    // Not quoted: what went wrong may be the secret.
    return refuse(std::string(option) + " wants NAME" + mark + "VALUE");
  }
  const std::string_view all = text;
  return std::pair(std::string(base::trim(all.substr(0, at))),
                   std::string(base::trim(all.substr(at + 1))));
}

void keep_secret(ChosenTarget& target, const std::string& name, const std::string& text) {
  target.secrets.emplace_back(text, name);
  // "Bearer x": the token alone must not be shown either.
  const std::size_t blank = text.find(' ');
  if (blank != std::string::npos) target.secrets.emplace_back(text.substr(blank + 1), name);
}

Result<client::Target> choose(const TargetWords& words) {
  if (!words.config_file.empty()) {
    SQUALL_TRY(std::string text, read_text_file(words.config_file, kConfigMebibytesMax));
    return client::read_client_config(words.config_file, std::move(text), words.name);
  }
  client::Target target;
  if (!words.command.empty()) {
    target.command = words.command;
    return target;
  }
  if (words.name.find("://") == std::string::npos) {
    auto text = read_text_file(words.name);
    if (!text) {
      return fail(text.error().kind,
                  "the server is no URL, and as a target file: " + text.error().message);
    }
    return client::read_target(words.name, *std::move(text));
  }
  SQUALL_TRY(const transport::Url url, transport::Url::parse(words.name));
  static_cast<void>(url);
  target.transport = Transport::http;
  target.url = words.name;
  return target;
}

Result<void> add_http(const TargetWords& words, const Variables& variables, ChosenTarget& target) {
  for (const std::string& text : words.headers) {
    SQUALL_TRY(auto header, split(text, ':', "--header"));
    keep_secret(target, header.first, header.second);
    target.http.headers.push_back(std::move(header));
  }
  const auto token = variables.find("SQUALL_TOKEN");
  if (token != variables.end() && !token->second.empty() && !target.has_authorization()) {
    keep_secret(target, "SQUALL_TOKEN", token->second);
    target.http.headers.emplace_back("Authorization", "Bearer " + token->second);
  }
  target.http.trust = transport::TlsTrust::from_environment(variables);
  if (!words.ca_file.empty()) {
    target.http.trust = {};
    target.http.trust.ca_file = words.ca_file;
  }
  target.http.trust.accept_any_certificate = words.insecure;
  SQUALL_TRY(target.http.proxies, transport::ProxySettings::from_environment(variables));
  return {};
}

Result<void> add_child(const TargetWords& words, ChosenTarget& target) {
  for (const std::string& text : words.variables) {
    SQUALL_TRY(auto variable, split(text, '=', "--env"));
    keep_secret(target, variable.first, variable.second);
    target.child.process.environment.push_back(std::move(variable));
  }
  return {};
}

bool has_authorization(const client::Target::Pairs& headers) {
  return std::any_of(headers.begin(), headers.end(), [](const auto& header) {
    return base::equals_ignoring_case(header.first, "Authorization");
  });
}

}  // namespace

bool ChosenTarget::has_authorization() const {
  return cli::has_authorization(http.headers) || cli::has_authorization(server.headers) ||
         cli::has_authorization(server.headers_from);
}

Result<ChosenTarget> find_target(const TargetWords& words, const Variables& variables) {
  using client::Negotiation;
  ChosenTarget target;
  SQUALL_TRY(target.server, choose(words));
  if (target.is_http()) {
    if (!words.variables.empty()) return refuse("--env is for servers that are commands");
    SQUALL_CHECK(add_http(words, variables, target));
  } else {
    if (!words.headers.empty()) return refuse("--header is for servers behind a URL");
    SQUALL_CHECK(add_child(words, target));
  }
  target.negotiation = target.server.negotiation.value_or(Negotiation::automatic);
  if (words.protocol == "auto") target.negotiation = Negotiation::automatic;
  if (words.protocol == "2026-07-28") target.negotiation = Negotiation::modern;
  if (words.protocol == "2025-11-25") target.negotiation = Negotiation::legacy;
  return target;
}

client::Environment look_up(const Variables& variables) {
  return [&variables](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

}  // namespace squall::cli
