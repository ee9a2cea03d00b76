#pragma once

#include <string>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"

namespace squall::cli {

/// The tool of that name among what a server lists; the error names the nearest.
[[nodiscard]] Result<const json::Value*> find_tool(const std::vector<json::Value>& tools,
                                                   const std::string& name);

/// A tool's arguments from "key=value" words, each value of the type that its schema gives it:
/// numbers and booleans as such, arrays and objects as JSON, everything else as a string.
/// `args` is JSON that is taken first ("" for none). Checked against the schema, in whose words the
/// error speaks; an unknown name is answered with the nearest.
[[nodiscard]] Result<json::Value> read_arguments(const json::Value& schema,
                                                 const std::vector<std::string>& words,
                                                 const std::string& args);

}  // namespace squall::cli
