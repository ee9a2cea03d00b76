#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "squall/base/result.h"
#include "squall/recording/event.h"
#include "squall/recording/header.h"

namespace squall::recording {

struct ReadLimits {
  std::uint64_t events_max = 1'010'000;
  std::uint64_t bytes_max = std::uint64_t{72} << 20;  ///< of events.jsonl
  std::uint64_t blob_bytes_max = std::uint64_t{64} << 20;
};

/// A case, read.
struct Case {
  std::filesystem::path folder;
  Header header;
  std::string id;
  std::string run_id;
  std::vector<Event> events;
  std::string ended_early;  ///< why the case isn't complete, or ""
  std::string run_hash;
};

/// Reads `NAME.case`, which may have been written by anybody: nothing outside the folder is read,
/// and no link is followed. A last line that was cut off is no error: the case ended early.
[[nodiscard]] Result<Case> read_case(const std::filesystem::path& folder, ReadLimits limits = {});

/// The same from the texts of the two files; `folder` is only noted.
[[nodiscard]] Result<Case> parse_case(std::string_view header, std::string_view events,
                                      ReadLimits limits = {});

/// The bytes of a payload of that case, from its file when they stand in one; compared with the
/// SHA-256 that names it.
[[nodiscard]] Result<std::string> bytes_of(const Case& from, const Payload& payload,
                                           ReadLimits limits = {});

}  // namespace squall::recording
