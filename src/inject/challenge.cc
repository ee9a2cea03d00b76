#include "challenge.h"

#include "squall/base/crypto.h"
#include "squall/base/text.h"

namespace squall::inject {

void challenge(Scene& scene, unsigned status, std::string header, std::string how) {
  std::vector<std::pair<std::string, std::string>> headers;
  if (!header.empty()) headers.emplace_back("WWW-Authenticate", std::move(header));
  scene.answer_http(status, std::move(headers), {}, std::move(how));
}

std::string token_of(const Scene& scene) {
  if (scene.request == nullptr) return {};
  for (const auto& [name, value] : scene.request->headers) {
    if (!base::equals_ignoring_case(name, "authorization")) continue;
    const base::Sha256 hash = base::sha256(value);
    return base::hex_encode({reinterpret_cast<const char*>(hash.data()), 16});
  }
  return {};
}

}  // namespace squall::inject
