#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "squall/json/value.h"
#include "squall/schema/schema.h"

/// @file What the tests of this library share.

namespace squall::schema {

/// The path of something under tests/data.
[[nodiscard]] std::filesystem::path data_path(std::string_view below);
/// The file's value; a test failure and null when it cannot be read or parsed.
[[nodiscard]] json::Value read_json(const std::filesystem::path& file);
/// The value of a JSON text in a test; a test failure and null when it is none.
[[nodiscard]] json::Value parse_json(std::string_view text);
/// The JSON files of a folder, sorted.
[[nodiscard]] std::vector<std::filesystem::path> list_json(const std::filesystem::path& folder);
/// The compiled schema of a JSON text; a test failure when it does not compile.
[[nodiscard]] Schema compile_json(std::string_view text, const CompileOptions& options = {});

}  // namespace squall::schema
