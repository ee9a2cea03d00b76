#include "squall/auth/store.h"

#include <algorithm>
#include <utility>

namespace squall::auth {

namespace {

std::int64_t to_seconds(WallTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::string text_of(const json::Value& value, std::string_view name) {
  return std::string(value.find_string(name).value_or(""));
}

void set_text(json::Value& object, std::string_view name, std::string_view text) {
  if (!text.empty()) object.set(name, text);
}

void set_time(json::Value& object, std::string_view name, const std::optional<WallTime>& time) {
  if (time) object.set(name, to_seconds(*time));
}

std::optional<WallTime> time_of(const json::Value& value, std::string_view name) {
  constexpr std::int64_t kSecondsMax = 5'000'000'000;  // the year 2128, within the clock's range
  const json::Value* member = value.find(name);
  const auto seconds = member == nullptr ? std::nullopt : member->as_int64();
  if (!seconds || *seconds < 0) return std::nullopt;
  return WallTime(std::chrono::seconds(std::min(*seconds, kSecondsMax)));
}

template <typename T>
std::optional<T> look_up(const std::map<std::string, T>& entries, const std::string& name) {
  const auto entry = entries.find(name);
  return entry == entries.end() ? std::nullopt : std::optional(entry->second);
}

template <typename T>
void replace(std::map<std::string, T>& entries, const std::string& name,
             const std::optional<T>& entry) {
  if (entry) {
    entries.insert_or_assign(name, *entry);
  } else {
    entries.erase(name);
  }
}

}  // namespace

Result<std::optional<StoredClient>> MemoryStore::client(const std::string& issuer) {
  return look_up(clients_, issuer);
}

Result<std::optional<StoredToken>> MemoryStore::token(const std::string& server) {
  return look_up(tokens_, server);
}

Result<void> MemoryStore::keep_client(const std::string& issuer,
                                      const std::optional<StoredClient>& client) {
  replace(clients_, issuer, client);
  return {};
}

Result<void> MemoryStore::keep_token(const std::string& server,
                                     const std::optional<StoredToken>& token) {
  replace(tokens_, server, token);
  return {};
}

json::Value to_json(const StoredClient& client) {
  json::Value object = json::Value::object({{"id", client.id}});
  set_text(object, "secret", client.secret.reveal());
  if (client.method) object.set("method", name_of(*client.method));
  set_text(object, "redirect_uri", client.redirect_uri);
  set_time(object, "expires", client.expires);
  return object;
}

json::Value to_json(const StoredToken& stored) {
  const Token& token = stored.token;
  json::Value object = json::Value::object({{"issuer", stored.issuer},
                                            {"resource", stored.resource},
                                            {"client_id", token.client_id},
                                            {"access_token", token.access_token.reveal()},
                                            {"type", token.dpop ? "DPoP" : "Bearer"}});
  set_text(object, "refresh_token", token.refresh_token.reveal());
  set_time(object, "expires", token.expires);
  set_text(object, "scope", join_scopes(token.scopes));
  set_text(object, "requested_scope", join_scopes(stored.requested));
  set_text(object, "dpop_key", stored.dpop_key.reveal());
  return object;
}

Result<StoredClient> client_from_json(const json::Value& value) {
  StoredClient client;
  client.id = text_of(value, "id");
  if (client.id.empty()) return fail(ErrorKind::invalid, "a stored client has no id");
  client.secret = Secret(text_of(value, "secret"));
  client.method = client_auth_from(text_of(value, "method"));
  client.redirect_uri = text_of(value, "redirect_uri");
  client.expires = time_of(value, "expires");
  return client;
}

Result<StoredToken> token_from_json(const json::Value& value) {
  StoredToken stored;
  stored.issuer = text_of(value, "issuer");
  stored.resource = text_of(value, "resource");
  stored.token.client_id = text_of(value, "client_id");
  stored.requested = parse_scopes(text_of(value, "requested_scope"));
  stored.dpop_key = Secret(text_of(value, "dpop_key"));
  stored.token.access_token = Secret(text_of(value, "access_token"));
  stored.token.refresh_token = Secret(text_of(value, "refresh_token"));
  stored.token.dpop = text_of(value, "type") == "DPoP";
  stored.token.expires = time_of(value, "expires");
  stored.token.scopes = parse_scopes(text_of(value, "scope"));
  if (stored.issuer.empty() || stored.token.access_token.empty()) {
    return fail(ErrorKind::invalid, "a stored token has no issuer or is empty");
  }
  return stored;
}

}  // namespace squall::auth
