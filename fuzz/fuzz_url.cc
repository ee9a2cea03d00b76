#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/transport/proxy.h"
#include "squall/transport/url.h"

/// @file URLs, what references mean on them, and proxies from the environment. Lines: a URL, a
/// reference, a proxy, a `no_proxy`.

namespace {

using namespace squall;
using transport::Url;

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// A URL that was read is written so that it is read as the same.
void check_url(const Url& url) {
  SQUALL_ASSERT(url.scheme == "http" || url.scheme == "https");
  SQUALL_ASSERT(!url.host.empty() && url.port != 0 && url.target.starts_with('/'));
  for (const char byte : url.host + url.target) {
    SQUALL_ASSERT(byte > 0x20 && byte < 0x7F);  // nothing can end a header line
  }
  const auto again = Url::parse(url.origin() + url.target);
  SQUALL_ASSERT(again.has_value() && *again == url);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto url = Url::parse(take_line(text));
  if (url) {
    check_url(*url);
    const auto resolved = url->resolve(take_line(text));
    if (resolved) check_url(*resolved);
  }
  const std::string_view secret = "Hunter2-is-secret";
  std::string proxy(take_line(text));
  // A password in front of whatever follows.
  const bool has_password = proxy.starts_with('~');
  if (has_password) proxy = "http://user:" + std::string(secret) + proxy.substr(1);
  const std::string direct(take_line(text));
  const auto settings = transport::ProxySettings::from_environment(
      {{"http_proxy", proxy}, {"https_proxy", proxy}, {"no_proxy", direct}});
  if (!settings) {
    SQUALL_ASSERT(settings.error().message.find(secret) == std::string::npos);
    return 0;
  }
  if (!url) return 0;
  const transport::Proxy* const chosen = settings->choose(*url);
  SQUALL_ASSERT(chosen == nullptr || !chosen->address.host.empty());
  return 0;
}
