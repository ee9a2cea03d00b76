#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"

namespace squall::mcp {

/// A URI template (RFC 6570) used backwards: to recognise the URIs it can make.
///
/// Knows literals, `{name}` (one segment: no '/', '?' or '#') and `{+name}` (anything). Matching
/// takes time linear in the URI for each variable.
class UriTemplate {
 public:
  using Variables = std::vector<std::pair<std::string, std::string>>;

  /// Fails on unbalanced braces, other operators, an empty or repeated name, and two variables
  /// without a literal between them (which could be read in several ways).
  [[nodiscard]] static Result<UriTemplate> parse(std::string_view text);
  /// The values of the variables, percent-decoded, when `uri` fits; nothing otherwise.
  [[nodiscard]] std::optional<Variables> match(std::string_view uri) const;
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  struct Part {
    std::string text;  // a literal, or the name of a variable
    bool variable = false;
    bool reserved = false;  // {+name}
  };
  std::string text_;
  std::vector<Part> parts_;
};

}  // namespace squall::mcp
