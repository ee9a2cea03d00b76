#include "squall/client/target.h"
#include "squall/transport/http_client.h"

/// @file Targets with their secrets put in place, and opened.

namespace squall::client {

namespace {

using Pairs = Target::Pairs;

/// The place of `${NAME}` in `text` from `at` on.
struct Reference {
  std::size_t begin;
  std::size_t end;
  std::string_view name;
};
std::optional<Reference> find_reference(std::string_view text, std::size_t at) {
  const std::size_t begin = text.find("${", at);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t close = text.find('}', begin);
  if (close == std::string_view::npos) return std::nullopt;
  return Reference{begin, close + 1, text.substr(begin + 2, close - begin - 2)};
}

/// Puts a target's secrets in place, remembering them.
class Resolver {
 public:
  Resolver(const Target& target, const Environment& environment)
      : target_(target), environment_(environment) {}

  Result<std::string> expand(const std::string& text) {
    if (!target_.expand) return text;
    std::string out;
    std::size_t at = 0;
    while (const auto reference = find_reference(text, at)) {
      SQUALL_TRY(const std::string value, variable(reference->name));
      out.append(text, at, reference->begin - at).append(value);
      at = reference->end;
    }
    return out.append(text, at);
  }

  /// `given` as it is, and `from` looked up, which wins.
  Result<Pairs> resolve(const Pairs& given, const Pairs& from) {
    Pairs out;
    for (const auto& [name, value] : given) {
      SQUALL_TRY(std::string expanded, expand(value));
      keep_secret(expanded, name);
      out.emplace_back(name, std::move(expanded));
    }
    for (const auto& [name, source] : from) {
      SQUALL_TRY(std::string value, variable(source));
      std::erase_if(out, [&](const auto& pair) { return pair.first == name; });
      out.emplace_back(name, std::move(value));
    }
    return out;
  }

  [[nodiscard]] Pairs secrets() && { return std::move(secrets_); }

 private:
  Result<std::string> variable(std::string_view name) {
    auto value = environment_(name);
    if (!value) {
      return fail(ErrorKind::not_found,
                  "the " + show_variable(name) + " is not set");
    }
    keep_secret(*value, name);
    return std::move(*value);
  }
  void keep_secret(const std::string& value, std::string_view name) {
    secrets_.emplace_back(value, name);
    // "Bearer x": the token alone must not be shown either.
    const std::size_t blank = value.find(' ');
    if (blank != std::string::npos) secrets_.emplace_back(value.substr(blank + 1), name);
  }

  const Target& target_;
  const Environment& environment_;
  Pairs secrets_;
};

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

Result<void> check_guard(const std::string& url, const Pairs& headers) {
  SQUALL_TRY(const auto parsed, transport::Url::parse(url));
  if (parsed.scheme != "https" && !is_loopback(parsed.host)) {
    return fail(ErrorKind::invalid, "plain http goes to loopback addresses alone; use https");
  }
  if (parsed.scheme != "https" && !headers.empty()) {
    return fail(ErrorKind::invalid, "headers of a target travel over https alone");
  }
  return {};
}

}  // namespace

Result<OpenTarget> open_target(runtime::SystemLoop& loop, const Target& target,
                               const Environment& environment, ChildOptions child,
                               HttpLinkOptions http) {
  Resolver resolver(target, environment);
  OpenTarget out;
  if (target.transport == Target::Transport::http) {
    SQUALL_TRY(const std::string url, resolver.expand(target.url));
    SQUALL_TRY(const Pairs headers, resolver.resolve(target.headers, target.headers_from));
    if (target.guarded) SQUALL_CHECK(check_guard(url, headers));
    http.headers.insert(http.headers.begin(), headers.begin(), headers.end());
    SQUALL_TRY(out.link, over_http(loop, url, std::move(http)));
  } else {
    for (const std::string& word : target.command) {
      SQUALL_TRY(std::string expanded, resolver.expand(word));
      child.process.command.push_back(std::move(expanded));
    }
    SQUALL_TRY(child.process.directory, resolver.expand(target.directory));
    SQUALL_TRY(const Pairs environment_of_it,
               resolver.resolve(target.environment, target.environment_from));
    auto& variables = child.process.environment;
    variables.insert(variables.begin(), environment_of_it.begin(), environment_of_it.end());
    SQUALL_TRY(out.link, over_child(loop, std::move(child)));
  }
  out.secrets = std::move(resolver).secrets();
  return out;
}

Result<std::string> url_of(const Target& target, const Environment& environment) {
  return Resolver(target, environment).expand(target.url);
}

}  // namespace squall::client
