#include <utility>

#include "squall/client/target.h"

#include "adapters.h"
#include "client_subject.h"

/// @file The adapter "mcp": servers that speak MCP over stdio or HTTP, with our client.

namespace squall::lab {

namespace {

/// What of a target must not be shown.
Result<std::vector<recording::Secret>> secrets_of(const client::Target& target,
                                                  const Environment& environment) {
  std::vector<recording::Secret> out;
  for (const auto* pairs : {&target.environment, &target.headers}) {
    for (const auto& [name, value] : *pairs) {
      out.push_back({name, value});
      // "Bearer x": the token alone must not be shown either.
      const std::size_t blank = value.find(' ');
      if (blank != std::string::npos) out.push_back({name, value.substr(blank + 1)});
    }
  }
  const auto look_up = [&](const client::Target::Pairs& pairs, const char* what) -> Result<void> {
    for (const auto& [name, variable] : pairs) {
      const auto value = environment(variable);
      if (!value) {
        const std::string whose = name == variable ? "" : " " + name;
        return fail(ErrorKind::not_found,
                    client::show_variable(variable) + " is required for " + what + whose);
      }
      out.push_back({variable, *value});
      const std::size_t blank = value->find(' ');
      if (blank != std::string::npos) out.push_back({variable, value->substr(blank + 1)});
    }
    return {};
  };
  SQUALL_CHECK(look_up(target.environment_from, "stdio variable"));
  SQUALL_CHECK(look_up(target.headers_from, "header"));
  return out;
}

class McpPath final : public Path {
 public:
  McpPath(const Place& place, const client::Target& target) : place_(place), target_(target) {}

  std::unique_ptr<Subject> connect(Wire& wire) override {
    const bool http = target_.transport == client::Target::Transport::http;
    ClientSubjectOptions options;
    options.transport = http ? "http" : "stdio";
    options.peer = http ? target_.url : target_.command.front();
    options.client.negotiation = negotiation_of(place_.protocol);
    options.make_link = [this]() -> Result<std::unique_ptr<client::Link>> {
      SQUALL_TRY(auto opened, client::open_target(*place_.machine, target_, place_.environment));
      if (place_.wrap) return place_.wrap(std::move(opened.link));
      return std::move(opened.link);
    };
    return make_client_subject(*place_.loop, wire, std::move(options));
  }

 private:
  Place place_;
  const client::Target& target_;
};

class McpTarget final : public Target {
 public:
  explicit McpTarget(client::Target target) : target_(std::move(target)) {}

  [[nodiscard]] std::string_view adapter() const override { return "mcp"; }
  [[nodiscard]] bool external() const override { return true; }
  [[nodiscard]] std::string describe() const override { return target_.describe(); }
  [[nodiscard]] json::Value to_json() const override {
    if (target_.transport == client::Target::Transport::http) {
      return json::Value::object({{"transport", "http"}, {"url", target_.url}});
    }
    json::Value args = json::Value::array();
    for (std::size_t i = 1; i < target_.command.size(); ++i) args.push_back(target_.command[i]);
    return json::Value::object(
        {{"transport", "stdio"}, {"command", target_.command.front()}, {"args", std::move(args)}});
  }
  [[nodiscard]] std::optional<Protocol> protocol() const override {
    if (!target_.negotiation) return std::nullopt;
    switch (*target_.negotiation) {
      case client::Negotiation::modern:
        return Protocol::modern;
      case client::Negotiation::legacy:
        return Protocol::legacy;
      case client::Negotiation::automatic:
        break;
    }
    return Protocol::automatic;
  }

  Result<std::shared_ptr<const recording::Redactor>> redactor(
      const Environment& environment) const override {
    SQUALL_TRY(const auto secrets, secrets_of(target_, environment));
    return std::make_shared<const recording::Redactor>(secrets);
  }

  Result<std::unique_ptr<Path>> open(const Place& place) override {
    SQUALL_CHECK(secrets_of(target_, place.environment));
    return std::make_unique<McpPath>(place, target_);
  }

 private:
  const client::Target target_;
};

}  // namespace

Result<std::unique_ptr<Target>> read_mcp_target(const std::string& file, const std::string& text) {
  SQUALL_TRY(client::Target target, client::read_target(file, text));
  return std::make_unique<McpTarget>(std::move(target));
}

}  // namespace squall::lab
