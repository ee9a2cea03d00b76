#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/auth/secret.h"
#include "squall/base/result.h"

namespace squall::auth {

/// All but the unreserved characters of RFC 3986 as %XX, so a blank is never a plus.
[[nodiscard]] std::string percent_encode(std::string_view text);

/// The parameters of a request, as text for a query or an application/x-www-form-urlencoded body.
class Form {
 public:
  Form& add(std::string_view name, std::string_view value);
  /// Left out when it is empty.
  Form& add_unless_empty(std::string_view name, std::string_view value);
  Form& add_secret(std::string_view name, const Secret& value);
  [[nodiscard]] const std::string& text() const { return text_.reveal(); }
  /// Whether `text` holds one of the secrets: servers echo what they refuse.
  [[nodiscard]] bool leaks_into(std::string_view text) const;

 private:
  Secret text_;
  std::vector<Secret> secrets_;
};

using Parameters = std::vector<std::pair<std::string, std::string>>;

inline constexpr std::size_t kQueryBytesMax = 32 << 10;
inline constexpr std::size_t kQueryParametersMax = 64;

/// The parameters of a query, decoded, in order. Refuses a name that stands twice (RFC 6749
/// section 3.1), malformed escapes, and what is beyond the limits.
[[nodiscard]] Result<Parameters> parse_query(std::string_view query);
[[nodiscard]] const std::string* find(const Parameters& parameters, std::string_view name);

/// Scopes are words with blanks between them; each word once, in order, at most `kScopesMax`.
inline constexpr std::size_t kScopesMax = 256;
using Scopes = std::vector<std::string>;
[[nodiscard]] Scopes parse_scopes(std::string_view text);
[[nodiscard]] std::string join_scopes(const Scopes& scopes);
[[nodiscard]] bool contains(const Scopes& scopes, std::string_view scope);
[[nodiscard]] Scopes merge_scopes(Scopes first, const Scopes& second);

}  // namespace squall::auth
