#include "run_memory.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/lab/library.h"

namespace squall::cli {
namespace {

std::filesystem::path note_in(const std::string& folder) {
  return std::filesystem::path(folder) / "not-passed.state";
}

}  // namespace

std::set<std::string> read_not_passed(const std::string& folder) {
  std::set<std::string> out;
  const auto text = lab::read_file(note_in(folder).string());
  const auto list = text ? json::parse(*text) : json::parse("[]");
  if (!list || !list->is_array()) return out;
  for (const json::Value& file : list->items()) out.emplace(file.string());
  return out;
}

void note_not_passed(const std::string& folder, std::span<const lab::Played> played) {
  std::set<std::string> files = read_not_passed(folder);
  const std::set<std::string> before = files;
  for (const lab::Played& each : played) {
    if (each.result.judgement == lab::Judgement::skipped) continue;
    if (each.result.judgement == lab::Judgement::passed) {
      files.erase(each.scenario->file);
    } else {
      files.insert(each.scenario->file);
    }
  }
  if (files == before) return;
  json::Value list = json::Value::array();
  for (const std::string& file : files) list.push_back(json::Value(file));
  // A note that can't be written costs a later --only-failed, and no verdict of this run.
  std::error_code nothing;
  std::filesystem::create_directories(folder, nothing);
  std::ofstream(note_in(folder)) << json::to_pretty_string(list) << "\n";
}

}  // namespace squall::cli
