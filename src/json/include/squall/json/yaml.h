#pragma once

#include <string_view>

#include "squall/json/parse.h"

namespace squall::json {

/// Reads one YAML 1.2 document (core schema: `010` is ten, `no` is a string) into the same value
/// with the same errors as JSON. Aliases, anchors, merges, tags other than the core ones, several
/// documents, duplicate keys (whatever the options say), and keys that aren't strings are refused,
/// and so is a byte order mark; depth is capped at 64 and the text at 1 MiB
/// unless the limits say less.
///
/// Plain numbers become exact decimals (`+12`, `.5`, `1.`, `0o17`, `0x1F` included); `.inf` and
/// `.nan` are refused, and so are octals and hexadecimals of more than 256 digits. Quoted scalars
/// are strings.
[[nodiscard]] std::expected<Value, ParseError> parse_yaml(std::string_view text,
                                                          const ParseOptions& options = {});

}  // namespace squall::json
