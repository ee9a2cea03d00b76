#pragma once

#include <string>
#include <string_view>

#include "squall/base/result.h"

namespace squall::schema {

/// An ECMA-262 regular expression (with the `u` flag: unknown escapes are errors) as a PCRE2 one
/// of the same meaning, for PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF.
///
/// Fails on everything the grammar of ECMA-262 refuses, so nothing PCRE2 adds to it (recursion,
/// verbs, possessive repeats, callouts) gets through. Works in one pass and without recursion.
[[nodiscard]] Result<std::string> translate_ecma_regex(std::string_view pattern);

}  // namespace squall::schema
