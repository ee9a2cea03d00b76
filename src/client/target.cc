#include "squall/client/target.h"

#include <algorithm>

#include "squall/base/text.h"
#include "squall/json/strict.h"

namespace squall::client {

namespace {

using json::StrictNode;
using json::StrictObject;
using Pairs = Target::Pairs;

Pairs read_pairs(const StrictNode& node) {
  Pairs out;
  const StrictObject object(node);
  for (const json::Member& member : node.value().members()) {
    if (member.value.is_string()) {
      out.emplace_back(member.name(), member.value.string());
    } else {
      node.complain("its values must be texts");
    }
  }
  return out;
}

void read_stdio(StrictObject& object, std::string_view env_from_key, Target& out) {
  out.transport = Target::Transport::stdio;
  out.command = {object.text("command")};
  if (const auto args = object.find("args")) {
    for (const StrictNode& arg : args->elements()) out.command.push_back(arg.text(0));
  }
  if (const auto cwd = object.find("cwd")) out.directory = cwd->text();
  if (const auto env = object.find("env")) out.environment = read_pairs(*env);
  if (const auto from = object.find(env_from_key)) out.environment_from = read_pairs(*from);
}

void read_http(StrictObject& object, std::string_view header_from_key, Target& out) {
  out.transport = Target::Transport::http;
  out.url = object.text("url");
  if (const auto headers = object.find("headers")) out.headers = read_pairs(*headers);
  if (const auto from = object.find(header_from_key)) out.headers_from = read_pairs(*from);
}

/// `target` of our form, `config` of the failure lab's: they differ in the spelling of two keys.
void read_server(const StrictNode& node, std::string_view env_from_key,
                 std::string_view header_from_key, Target& out) {
  StrictObject object(node);
  const auto transport = object.need("transport");
  if (transport && transport->choice({"stdio", "http"}) == 1) {
    read_http(object, header_from_key, out);
  } else if (transport) {
    read_stdio(object, env_from_key, out);
  }
  object.finish();
}

std::string no_server(const std::string& file, const StrictNode& servers, std::string_view name) {
  std::vector<std::string> known;
  for (const json::Member& member : servers.value().members()) known.emplace_back(member.name());
  std::string message = file + " has no server \"" + base::show_name(name, 60) + "\"";
  const auto near = base::nearest(name, known);
  if (near) message += "; did you mean \"" + base::show_name(*near, 60) + "\"?";
  return message;
}

}  // namespace

std::string Target::describe() const {
  if (transport == Transport::http) return "http " + url;
  return "stdio " + (command.empty() ? std::string() : command.front());
}

Result<Target> read_target(std::string file, std::string text) {
  SQUALL_TRY(auto strict,
             json::StrictFile::parse(std::move(file), std::move(text), json::Quoting::never));
  Target out;
  out.guarded = true;
  StrictObject object(strict.root());
  if (object.has("adapter")) {
    if (const auto adapter = object.find("adapter")) static_cast<void>(adapter->choice({"mcp"}));
    if (const auto config = object.need("config")) {
      read_server(*config, "envFrom", "headerEnv", out);
    }
  } else {
    if (const auto version = object.need("squall"); version && version->integer(1) != 1) {
      version->complain("this squall reads version 1");
    }
    if (const auto target = object.need("target")) {
      read_server(*target, "env_from", "header_env", out);
    }
    if (const auto protocol = object.find("protocol")) {
      constexpr Negotiation kWays[] = {Negotiation::automatic, Negotiation::legacy,
                                       Negotiation::modern};
      out.negotiation = kWays[protocol->choice({"auto", "2025-11-25", "2026-07-28"})];
    }
  }
  object.finish();
  SQUALL_CHECK(strict.verdict());
  return out;
}

Result<Target> read_client_config(std::string file, std::string text, std::string_view name) {
  SQUALL_TRY(auto strict,
             json::StrictFile::parse(std::move(file), std::move(text), json::Quoting::never));
  StrictObject root(strict.root());
  Target out;
  out.expand = true;
  if (const auto servers = root.need("mcpServers")) {
    StrictObject entries(*servers);
    const auto entry = entries.find(name);
    if (!entry) return fail(ErrorKind::not_found, no_server(strict.name(), *servers, name));
    StrictObject server(*entry);
    if (server.has("url")) {
      read_http(server, "", out);
    } else if (server.has("command")) {
      read_stdio(server, "", out);
    } else {
      entry->complain("has neither a command nor a url");
    }
  }
  SQUALL_CHECK(strict.verdict());
  return out;
}

namespace {

constexpr std::size_t kSecretBytesMin = 4;  // shorter ones stand everywhere

/// What stands for a secret of this name; who mixes up name and value has named it by itself.
std::string instead_of(const std::string& name, const Pairs& secrets) {
  constexpr std::size_t kTelling = 6;  // bytes of a name that a secret holds by no chance
  const bool shows_one = std::any_of(secrets.begin(), secrets.end(), [&name](const auto& secret) {
    const std::string& value = secret.first;
    return (value.size() >= kSecretBytesMin && name.find(value) != std::string::npos) ||
           (name.size() >= kTelling && value.find(name) != std::string::npos);
  });
  return "[redacted:" + (shows_one ? "secret" : name) + "]";
}

}  // namespace

std::string show_variable(std::string_view name) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  const bool is_name = !name.empty() && name.find_first_not_of(kLetters) == std::string_view::npos;
  return "environment variable " +
         (is_name ? std::string(name) : "(not shown: it doesn't look like a variable's name)");
}

std::string redact(std::string text, const Pairs& secrets) {
  // Longest first: a secret may be part of another.
  Pairs ordered = secrets;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  for (const auto& [value, name] : ordered) {
    if (value.size() < kSecretBytesMin) continue;
    const std::string instead = instead_of(name, secrets);
    for (std::size_t at = 0; (at = text.find(value, at)) != std::string::npos;
         at += instead.size()) {
      text.replace(at, value.size(), instead);
    }
  }
  return text;
}

}  // namespace squall::client
