#include "squall/auth/dpop.h"

#include <algorithm>

#include "squall/auth/address.h"

namespace squall::auth {

namespace {

// RFC 9449 section 8.1: the characters of NQCHAR.
bool is_nonce(std::string_view text) {
  return !text.empty() && text.size() <= Dpop::kNonceBytesMax &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return c > 0x20 && c < 0x7F && c != '"' && c != '\\'; });
}

}  // namespace

std::string Dpop::proof(std::string_view method, std::string_view url, const Secret& access_token,
                        std::chrono::system_clock::time_point now) const {
  const json::Value header =
      json::Value::object({{"typ", "dpop+jwt"}, {"jwk", key_->public_jwk()}});
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  json::Value claims = json::Value::object({{"jti", random_text()},
                                            {"htm", method},
                                            {"htu", url.substr(0, url.find_first_of("?#"))},
                                            {"iat", std::int64_t{seconds}}});
  if (!access_token.empty()) claims.set("ath", sha256_text(access_token.reveal()));
  const std::string origin = origin_of(url).value_or("");
  for (const auto& [server, nonce] : nonces_) {
    if (server == origin) claims.set("nonce", nonce);
  }
  return key_->sign(header, claims);
}

bool Dpop::learn(std::string_view url, const Headers& headers) {
  const std::string* nonce = find_header(headers, "DPoP-Nonce");
  const auto origin = origin_of(url);
  if (nonce == nullptr || !origin || !is_nonce(*nonce)) return false;
  const auto known = std::find_if(nonces_.begin(), nonces_.end(),
                                  [&](const auto& entry) { return entry.first == *origin; });
  if (known != nonces_.end()) {
    if (known->second == *nonce) return false;
    nonces_.erase(known);
  } else if (nonces_.size() == kOriginsMax) {
    nonces_.pop_front();
  }
  nonces_.emplace_back(*origin, *nonce);
  return true;
}

}  // namespace squall::auth
