#include "code_answer.h"

#include "squall/base/text.h"

namespace squall::auth {

namespace {

std::unexpected<Refusal> refuse(const char* message) {
  return std::unexpected(Refusal{Error{ErrorKind::invalid, message}, ""});
}

Refusal refusal_of(const Parameters& parameters, const std::string& code) {
  std::string message = "the authorization server refused: " + base::show_name(code, 100);
  const std::string* description = find(parameters, "error_description");
  if (description != nullptr) message += " (" + base::show_name(*description) + ")";
  return {{ErrorKind::invalid, std::move(message)}, code};
}

/// base::show_name takes well-formed text only.
bool is_text(const Parameters& parameters) {
  for (const auto& [name, value] : parameters) {
    if (base::find_invalid_utf8(name) != std::string_view::npos) return false;
    if (base::find_invalid_utf8(value) != std::string_view::npos) return false;
  }
  return true;
}

}  // namespace

std::expected<Secret, Refusal> read_answer(std::string_view url, const Secret& state,
                                           const ServerMetadata& server) {
  const std::size_t mark = url.find('?');
  const std::string_view query = mark == std::string_view::npos ? "" : url.substr(mark + 1);
  const auto parameters = parse_query(query);
  if (!parameters) return std::unexpected(Refusal{parameters.error(), ""});
  if (!is_text(*parameters)) return refuse("the authorization's answer is not UTF-8");
  const std::string* given_state = find(*parameters, "state");
  if (given_state == nullptr || !state.equals(*given_state)) {
    return refuse("the authorization's answer has a wrong state");
  }
  const std::string* issuer = find(*parameters, "iss");
  if (issuer == nullptr && server.sends_issuer) {
    return refuse("the authorization's answer names no issuer, though the server promised to");
  }
  if (issuer != nullptr && *issuer != server.issuer) {
    return refuse("the authorization's answer comes from another issuer");
  }
  if (const std::string* error = find(*parameters, "error")) {
    return std::unexpected(refusal_of(*parameters, *error));
  }
  const std::string* code = find(*parameters, "code");
  if (code == nullptr || code->empty()) return refuse("the authorization's answer has no code");
  return Secret(*code);
}

}  // namespace squall::auth
