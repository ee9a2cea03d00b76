#include <cstddef>
#include <cstdint>
#include <string_view>

#include "squall/auth/metadata.h"
#include "squall/auth/registration.h"
#include "squall/base/assert.h"

// The first byte chooses what the rest is: the metadata of a resource, of an authorization server,
// a registration's answer, or the query of a redirect.
namespace {

using namespace squall;

void check_resource(std::string_view text) {
  for (const std::string_view server : {"https://h.example/mcp", "http://localhost:1/mcp"}) {
    const auto metadata = auth::parse_resource_metadata(text, server);
    if (!metadata) continue;
    SQUALL_ASSERT(auth::covers(metadata->resource, server));
    for (const std::string& issuer : metadata->authorization_servers) {
      SQUALL_ASSERT(auth::check_url(issuer, auth::reach_of(server), "it").has_value());
      SQUALL_ASSERT(auth::server_metadata_urls(issuer).has_value());
    }
  }
}

void check_server(std::string_view text) {
  const auto metadata = auth::parse_server_metadata(text, "https://as.example", auth::Reach::https);
  if (!metadata) return;
  SQUALL_ASSERT(metadata->issuer == "https://as.example");
  SQUALL_ASSERT(metadata->token_endpoint.starts_with("https://") ||
                metadata->token_endpoint.starts_with("HTTPS://") ||
                auth::check_url(metadata->token_endpoint, auth::Reach::https, "it").has_value());
}

void check_query(std::string_view text) {
  const auto parameters = auth::parse_query(text);
  if (!parameters) return;
  auth::Form form;
  for (const auto& [name, value] : *parameters) form.add(name, value);
  if (form.text().size() > auth::kQueryBytesMax) return;
  const auto again = auth::parse_query(form.text());
  SQUALL_ASSERT(again.has_value() && *again == *parameters);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0:
      check_resource(text);
      break;
    case 1:
      check_server(text);
      break;
    case 2:
      static_cast<void>(
          auth::parse_registration({201, {}, std::string(text)}, "http://127.0.0.1/"));
      break;
    default:
      check_query(text);
  }
  return 0;
}
