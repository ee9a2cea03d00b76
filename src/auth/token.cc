#include "squall/auth/token.h"

#include <array>
#include <utility>

namespace squall::auth {

namespace {

constexpr std::array<std::pair<ClientAuth, std::string_view>, 4> kNames{
    {{ClientAuth::none, "none"},
     {ClientAuth::client_secret_basic, "client_secret_basic"},
     {ClientAuth::client_secret_post, "client_secret_post"},
     {ClientAuth::private_key_jwt, "private_key_jwt"}}};

}  // namespace

std::string_view name_of(ClientAuth method) {
  for (const auto& [known, name] : kNames) {
    if (known == method) return name;
  }
  return "none";
}

std::optional<ClientAuth> client_auth_from(std::string_view name) {
  for (const auto& [method, known] : kNames) {
    if (known == name) return method;
  }
  return std::nullopt;
}

}  // namespace squall::auth
