#include "squall/lab/library.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include <fnmatch.h>
#include <glob.h>

#include "squall/json/parse.h"
#include "squall/json/yaml.h"

namespace squall::lab {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFileBytesMax = std::size_t{1} << 20;
constexpr std::size_t kFilesMax = 100'000;

bool may_be_scenario(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".json" || extension == ".yaml" || extension == ".yml";
}

/// What we have recorded, and what is hidden.
bool holds_no_scenarios(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with('.') || name.ends_with(".case");
}

/// Files of other formats that stand beside scenarios, told by a key that no scenario has on top.
bool is_other_format(const std::string& file, const std::string& text) {
  constexpr std::array<const char*, 5> kKeys = {"adapter", "mcpServers", "rules", "subject",
                                                "$schema"};
  auto parsed = file.ends_with(".json") ? json::parse(text) : json::parse_yaml(text);
  if (!parsed || !parsed->is_object()) return false;
  if (parsed->contains("steps") || parsed->contains("call")) return false;
  const json::Value* const target = parsed->find("target");
  if (target != nullptr && target->is_object()) return true;
  return std::any_of(kKeys.begin(), kKeys.end(),
                     [&](const char* key) { return parsed->contains(key); });
}

Result<void> add_folder(const std::string& folder, std::vector<std::string>& out) {
  std::error_code trouble;
  std::vector<std::string> found;
  fs::recursive_directory_iterator at(folder, trouble);
  for (; !trouble && at != fs::recursive_directory_iterator(); at.increment(trouble)) {
    if (at->is_directory() && holds_no_scenarios(at->path())) at.disable_recursion_pending();
    if (at->is_regular_file() && may_be_scenario(at->path())) {
      found.push_back(at->path().string());
    }
    if (found.size() > kFilesMax) return fail(ErrorKind::limit, folder + " holds too many files");
  }
  if (trouble) return fail(ErrorKind::unavailable, folder + ": " + trouble.message());
  std::sort(found.begin(), found.end());
  for (std::string& file : found) {
    SQUALL_TRY(const std::string text, read_file(file));
    if (!is_other_format(file, text)) out.push_back(std::move(file));
  }
  return {};
}

Result<void> add_pattern(const std::string& pattern, std::vector<std::string>& out) {
  glob_t found{};
  const int status = ::glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> paths(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (status != 0) return fail(ErrorKind::not_found, "no file fits " + pattern);
  for (std::string& path : paths) {
    if (fs::is_directory(path)) {
      SQUALL_CHECK(add_folder(path, out));
    } else {
      out.push_back(std::move(path));
    }
  }
  return {};
}

bool fits(const std::string& filter, const std::string& text) {
  if (text.find(filter) != std::string::npos) return true;
  return ::fnmatch(filter.c_str(), text.c_str(), 0) == 0;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text(kFileBytesMax + 1, '\0');
  if (stream) stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream && !stream.eof()) {
    return fail(ErrorKind::not_found, path + ": " + std::strerror(errno));
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kFileBytesMax) return fail(ErrorKind::limit, path + ": larger than 1 MiB");
  return text;
}

Result<std::vector<std::string>> find_files(std::span<const std::string> words) {
  std::vector<std::string> all;
  for (const std::string& word : words) {
    std::error_code nothing;
    if (fs::is_directory(word, nothing)) {
      SQUALL_CHECK(add_folder(word, all));
    } else if (!fs::exists(word, nothing) && word.find_first_of("*?[") != std::string::npos) {
      SQUALL_CHECK(add_pattern(word, all));
    } else {
      all.push_back(word);
    }
  }
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (std::string& file : all) {
    if (seen.insert(file).second) out.push_back(std::move(file));
  }
  return out;
}

Result<std::vector<Scenario>> load_scenarios(std::span<const std::string> words) {
  SQUALL_TRY(const auto files, find_files(words));
  std::vector<Scenario> out;
  std::string mistakes;
  for (const std::string& file : files) {
    auto text = read_file(file);
    auto scenario = text ? read_scenario(file, *std::move(text))
                         : Result<Scenario>(std::unexpected(std::move(text).error()));
    if (scenario) {
      out.push_back(*std::move(scenario));
    } else {
      mistakes += (mistakes.empty() ? "" : "\n") + scenario.error().message;
    }
  }
  if (!mistakes.empty()) return fail(ErrorKind::invalid, std::move(mistakes));
  return out;
}

bool Selection::wants(const Scenario& scenario) const {
  if (!filter.empty() && !fits(filter, scenario.name) && !fits(filter, scenario.file)) return false;
  if (tags.empty()) return true;
  return std::any_of(tags.begin(), tags.end(), [&](const std::string& tag) {
    return std::find(scenario.tags.begin(), scenario.tags.end(), tag) != scenario.tags.end();
  });
}

}  // namespace squall::lab
