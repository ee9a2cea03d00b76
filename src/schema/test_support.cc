#include "test_support.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "squall/json/parse.h"

namespace squall::schema {

std::filesystem::path data_path(std::string_view below) {
  return std::filesystem::path(SQUALL_SOURCE_DIR) / "tests" / "data" / below;
}

json::Value read_json(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    ADD_FAILURE() << "cannot read " << file;
    return {};
  }
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return parse_json(text);
}

json::Value parse_json(std::string_view text) {
  auto value = json::parse(text);
  if (value) return *std::move(value);
  ADD_FAILURE() << value.error().text();
  return {};
}

std::vector<std::filesystem::path> list_json(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

Schema compile_json(std::string_view text, const CompileOptions& options) {
  auto schema = Schema::compile(parse_json(text), options);
  if (schema) return *std::move(schema);
  ADD_FAILURE() << schema.error().message;
  return *Schema::compile(json::Value(true));
}

}  // namespace squall::schema
