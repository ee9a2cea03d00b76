#include "target.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "squall/base/text.h"
#include "squall/client/target.h"
#include "squall/json/parse.h"

#include "text.h"

namespace squall::cli {
namespace {

constexpr std::size_t kConfigBytesMax = 4 << 20;

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

/// Replaces each "${NAME}".
Result<std::string> expand(std::string_view text, const Environment& environment) {
  std::string out;
  while (true) {
    const std::size_t from = text.find("${");
    out += text.substr(0, from);
    if (from == std::string_view::npos) return out;
    const std::size_t end = text.find('}', from);
    if (end == std::string_view::npos) return refuse("a '${' is never closed");
    const std::string_view name = text.substr(from + 2, end - from - 2);
    const auto found = environment.find(name);
    if (found == environment.end()) return refuse("the environment has no " + quote(name));
    out += found->second;
    text.remove_prefix(end + 1);
  }
}

Result<std::string> read_config(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return fail(ErrorKind::not_found, "cannot read the file " + quote(file));
  std::string text(kConfigBytesMax + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kConfigBytesMax) return fail(ErrorKind::limit, quote(file) + " is too large");
  return text;
}

/// The strings of an object, expanded: of `env` and `headers`.
Result<std::vector<std::pair<std::string, std::string>>> pairs_of(const json::Value& entry,
                                                                  std::string_view member,
                                                                  const Environment& environment) {
  std::vector<std::pair<std::string, std::string>> out;
  const json::Value* const found = entry.find(member);
  if (found == nullptr) return out;
  for (const json::Member& pair : found->members()) {
    SQUALL_TRY(std::string value, expand(pair.value.string(), environment));
    out.emplace_back(pair.name(), std::move(value));
  }
  return out;
}

void add_secret(Target& target, const std::string& name, const std::string& text) {
  target.secrets.push_back({name, text});
  // "Bearer x": the token alone must not be shown either.
  const std::size_t blank = text.find(' ');
  if (blank != std::string::npos) target.secrets.push_back({name, text.substr(blank + 1)});
}

void add_header(Target& target, std::string name, std::string value) {
  add_secret(target, name, value);
  target.http.headers.emplace_back(std::move(name), std::move(value));
}

void add_variable(Target& target, std::string name, std::string value) {
  add_secret(target, name, value);
  target.child.process.environment.emplace_back(std::move(name), std::move(value));
}

Result<void> read_entry(const json::Value& entry, const Environment& environment, Target& target) {
  if (const auto url = entry.find_string("url")) {
    SQUALL_TRY(target.url, expand(*url, environment));
    SQUALL_TRY(auto headers, pairs_of(entry, "headers", environment));
    for (auto& [name, value] : headers) add_header(target, std::move(name), std::move(value));
    return {};
  }
  const auto command = entry.find_string("command");
  if (!command) return refuse("the entry has neither a command nor a url");
  SQUALL_TRY(std::string program, expand(*command, environment));
  target.child.process.command.push_back(std::move(program));
  if (const json::Value* const words = entry.find("args")) {
    for (const json::Value& word : words->items()) {
      SQUALL_TRY(std::string expanded, expand(word.string(), environment));
      target.child.process.command.push_back(std::move(expanded));
    }
  }
  SQUALL_TRY(auto variables, pairs_of(entry, "env", environment));
  for (auto& [name, value] : variables) add_variable(target, std::move(name), std::move(value));
  if (const auto directory = entry.find_string("cwd")) {
    SQUALL_TRY(target.child.process.directory, expand(*directory, environment));
  }
  return {};
}

Result<void> read_config_entry(const TargetWords& words, const Environment& environment,
                               Target& target) {
  SQUALL_TRY(const std::string text, read_config(words.config_file));
  const auto parsed = json::parse(text);
  if (!parsed) return refuse(quote(words.config_file) + ", " + parsed.error().text());
  const json::Value* const servers = parsed->find("mcpServers");
  if (servers == nullptr || !servers->is_object()) {
    return refuse(quote(words.config_file) + " has no mcpServers");
  }
  const json::Value* const entry = servers->find(words.name);
  if (entry == nullptr) {
    std::vector<std::string> known;
    for (const json::Member& member : servers->members()) known.emplace_back(member.name());
    const auto near = base::nearest(words.name, known);
    std::string message = quote(words.config_file) + " has no server " + quote(words.name);
    if (near) message += "; did you mean " + quote(*near) + "?";
    return fail(ErrorKind::not_found, std::move(message));
  }
  auto read = read_entry(*entry, environment, target);
  if (!read) return refuse("server " + quote(words.name) + ": " + read.error().message);
  return {};
}

Result<void> choose(const TargetWords& words, const Environment& environment, Target& target) {
  if (!words.config_file.empty()) return read_config_entry(words, environment, target);
  if (!words.command.empty()) {
    target.child.process.command = words.command;
    return {};
  }
  SQUALL_TRY(const transport::Url url, transport::Url::parse(words.name));
  static_cast<void>(url);
  target.url = words.name;
  return {};
}

Result<void> add_http(const TargetWords& words, const Environment& environment, Target& target) {
  const auto token = environment.find("SQUALL_TOKEN");
  if (token != environment.end() && !token->second.empty()) {
    add_header(target, "Authorization", "Bearer " + token->second);
    target.secrets.push_back({"SQUALL_TOKEN", token->second});
  }
  for (const std::string& text : words.headers) {
    SQUALL_TRY(auto header, split(text, ':', "--header"));
    add_header(target, std::move(header.first), std::move(header.second));
  }
  target.http.trust = transport::TlsTrust::from_environment(environment);
  if (!words.ca_file.empty()) {
    target.http.trust = {};
    target.http.trust.ca_file = words.ca_file;
  }
  target.http.trust.accept_any_certificate = words.insecure;
  SQUALL_TRY(target.http.proxies, transport::ProxySettings::from_environment(environment));
  return {};
}

}  // namespace

Result<Target> find_target(const TargetWords& words, const Environment& environment) {
  Target target;
  SQUALL_CHECK(choose(words, environment, target));
  if (target.url.empty()) {
    if (!words.headers.empty()) return refuse("--header is for servers behind a URL");
    for (const std::string& text : words.variables) {
      SQUALL_TRY(auto variable, split(text, '=', "--env"));
      add_variable(target, std::move(variable.first), std::move(variable.second));
    }
  } else {
    if (!words.variables.empty()) return refuse("--env is for servers that are commands");
    SQUALL_CHECK(add_http(words, environment, target));
  }
  using client::Negotiation;
  target.negotiation = words.protocol == "2026-07-28"   ? Negotiation::modern
                       : words.protocol == "2025-11-25" ? Negotiation::legacy
                                                        : Negotiation::automatic;
  std::stable_sort(target.secrets.begin(), target.secrets.end(),
                   [](const Secret& a, const Secret& b) { return a.text.size() > b.text.size(); });
  return target;
}

std::string redact(std::string_view text, const std::vector<Secret>& secrets) {
  client::Target::Pairs pairs;
  for (const auto& [name, secret] : secrets) pairs.emplace_back(secret, name);
  return client::redact(std::string(text), pairs);
}

}  // namespace squall::cli
