#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/mcp/param_header.h"

#include "squall/server/host_policy.h"

// The first byte chooses what the rest is the value of: Host and Origin, an Mcp-* header, or the
// schema and arguments behind Mcp-Param-* headers.
namespace {

using namespace squall;

void check_hosts(std::string_view text) {
  const server::HostPolicy closed({}, {});
  const server::HostPolicy open({"a.example", "[::2]:8080"}, {"https://a.example"});
  const auto authority = server::Authority::parse(text);
  SQUALL_ASSERT(closed.allows_host(text) == (authority && authority->is_loopback()));
  SQUALL_ASSERT(!closed.allows_host(text) || open.allows_host(text));
  SQUALL_ASSERT(!closed.allows_origin(text) || open.allows_origin(text));
  SQUALL_ASSERT(!closed.allows_origin(text) || text.find("://") != std::string_view::npos);
  if (!authority) return;
  // What has been normalised stays as it is.
  const bool bare = authority->host.find(':') == std::string::npos;
  const auto again = server::Authority::parse(bare ? authority->host : "[" + authority->host + "]");
  SQUALL_ASSERT(again && again->host == authority->host);
  SQUALL_ASSERT(base::to_lower(authority->host) == authority->host);
}

void check_value(std::string_view text) {
  static_cast<void>(mcp::decode_header_value(text));
  if (base::find_invalid_utf8(text) != std::string_view::npos) return;
  const std::string encoded = mcp::encode_header_value(text);
  for (const char c : encoded) SQUALL_ASSERT(c >= ' ' && c <= '~');
  SQUALL_ASSERT(mcp::decode_header_value(encoded) == text);
}

void check_parameters(std::string_view text) {
  const auto schema = json::parse(text);
  if (!schema) return;
  const auto headers = mcp::param_headers(*schema);
  if (!headers) return;
  for (const mcp::ParamHeader& one : *headers) {
    const json::Value* argument = mcp::argument_of(*schema, one);
    if (argument != nullptr) static_cast<void>(mcp::header_matches(*argument, text));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      check_hosts(text);
      break;
    case 1:
      check_value(text);
      break;
    default:
      check_parameters(text);
  }
  return 0;
}
