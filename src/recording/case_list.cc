#include "squall/recording/case_list.h"

#include <algorithm>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "squall/recording/header.h"

#include "case_files.h"

namespace squall::recording {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kListedMax = 100'000;
constexpr std::size_t kFilesMax = 100'000;  // in one case
constexpr std::uint64_t kHeaderBytesMax = std::uint64_t{16} << 20;

std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::size_t files = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end;
       !error && entry != end && files < kFilesMax; entry.increment(error), ++files) {
    std::error_code ignored;
    if (entry->is_symlink(ignored) || !entry->is_regular_file(ignored)) continue;
    const auto size = entry->file_size(ignored);
    if (!ignored) bytes += size;
  }
  return bytes;
}

CaseFolder look_at(const fs::path& path) {
  CaseFolder out{.path = path, .started = {}, .bytes = bytes_in(path), .trouble = {}};
  const auto read = [&path]() -> Result<Header> {
    SQUALL_TRY(const Descriptor directory, open_folder(path));
    SQUALL_TRY(const std::string text, read_file_in(directory.get(), kHeaderFile, kHeaderBytesMax));
    return parse_header(text);
  };
  const auto header = read();
  if (header) {
    out.started = header->started;
  } else {
    out.trouble = header.error().message;
  }
  return out;
}

bool is_blob_name(const std::string& name) {
  const std::string bare = name.ends_with(".part") ? name.substr(0, name.size() - 5) : name;
  return bare.size() == 64 && bare.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Whether a case may hold `entry` of its folder or, when `in_blobs`, of its blobs.
bool belongs(const fs::directory_entry& entry, bool in_blobs) {
  const std::string name = entry.path().filename();
  std::error_code ignored;
  if (entry.is_symlink(ignored)) return false;
  if (in_blobs) return entry.is_regular_file(ignored) && is_blob_name(name);
  if (name == kBlobsFolder) return entry.is_directory(ignored);
  return entry.is_regular_file(ignored) &&
         (name == kHeaderFile || name == kEventsFile || name == std::string(kHeaderFile) + ".part");
}

Result<void> check_contents(const fs::path& folder, bool in_blobs) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!belongs(*entry, in_blobs)) {
      return fail(ErrorKind::invalid, entry->path().string() + ": belongs to no case; not removed");
    }
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return fail(ErrorKind::unavailable, folder.string() + ": " + error.message());
  }
  return {};
}

}  // namespace

Result<std::vector<CaseFolder>> list_cases(const fs::path& cases) {
  std::vector<CaseFolder> out;
  std::error_code error;
  for (fs::directory_iterator entry(cases, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (entry->path().extension() != kCaseSuffix || !entry->is_directory(ignored)) continue;
    if (out.size() >= kListedMax) {
      return fail(ErrorKind::limit, cases.string() + ": holds too many cases");
    }
    out.push_back(look_at(entry->path()));
  }
  if (error) {
    return fail(error == std::errc::no_such_file_or_directory ? ErrorKind::not_found
                                                              : ErrorKind::unavailable,
                cases.string() + ": cannot read: " + error.message());
  }
  std::ranges::sort(out, {}, [](const CaseFolder& folder) {
    return std::pair(folder.started, folder.path.string());
  });
  return out;
}

std::vector<CaseFolder> pick_to_prune(std::vector<CaseFolder> oldest_first, PruneRule rule) {
  std::size_t kept = 0;
  std::uint64_t bytes = 0;
  while (kept < oldest_first.size() && kept < rule.keep) {
    bytes += oldest_first[oldest_first.size() - 1 - kept].bytes;
    if (rule.bytes_max != 0 && bytes > rule.bytes_max) break;
    ++kept;
  }
  oldest_first.resize(oldest_first.size() - kept);
  return oldest_first;
}

Result<void> remove_case(const fs::path& folder) {
  std::error_code error;
  if (folder.extension() != kCaseSuffix || fs::is_symlink(folder, error)) {
    return fail(ErrorKind::invalid, folder.string() + ": is no case");
  }
  SQUALL_CHECK(check_contents(folder, false));
  SQUALL_CHECK(check_contents(folder / kBlobsFolder, true));
  fs::remove_all(folder, error);
  if (error) {
    return fail(ErrorKind::unavailable, folder.string() + ": cannot remove: " + error.message());
  }
  return {};
}

}  // namespace squall::recording
