#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "squall/base/result.h"
#include "squall/json/value.h"

/// @file What a run was made of: a case's case.json.

namespace squall::recording {

/// The version of the format that this library writes. Older ones are migrated on reading.
inline constexpr std::uint32_t kFormatVersion = 1;

struct Header {
  std::string tool;      ///< "squall 0.1.0"
  std::string scheme;    ///< of the decisions: "squall-draw-1"
  std::string started;   ///< UTC, "2026-01-01T00:00:00.000Z"
  std::string platform;  ///< "linux x86_64"

  // The inputs. These make the case id.
  std::optional<std::uint64_t> seed;
  json::Value profile;   ///< complete, in canonical form; null: no faults
  std::string scope;     ///< of the counters: "run" ...
  json::Value schedule;  ///< pinned strikes, or null
  json::Value scenario;  ///< as loaded, or null
  std::string protocol;  ///< "2026-07-28", or "" when none was negotiated or asked for
  json::Value target;    ///< without secrets; null: the built-in server

  std::string name;           ///< the scenario's, or what the run is for
  std::string scenario_file;  ///< where it came from, or ""
  std::string seed_source;    ///< "--seed", "SQUALL_SEED", "scenario", "profile", "random" or ""
  json::Value counters;       ///< what the run's counters began with, or null
  json::Value server;         ///< the serverInfo, once known
  std::string tools_sha256;   ///< of the canonical tools/list, once known; or ""
  std::string repeat;         ///< the command that repeats the run, or ""
  std::uint32_t run = 1;      ///< tells runs of equal inputs apart

  friend bool operator==(const Header&, const Header&) = default;
};

/// 12 characters that equal inputs share: the first 60 bits, in lower-case base32, of the SHA-256
/// over their canonical JSON. Fails on inputs without a canonical form.
[[nodiscard]] Result<std::string> case_id(const Header& header);

/// "k3v5hmc2xq7a", and "-2" behind it for the second run of these inputs.
[[nodiscard]] Result<std::string> run_id(const Header& header);

/// The text of case.json, ids, seed in hexadecimal and the profile's SHA-256 included.
[[nodiscard]] Result<std::string> to_text(const Header& header);

/// Strict; migrates older versions, and refuses a newer one with the version that it needs. What
/// the file derives from its inputs must agree with them.
[[nodiscard]] Result<Header> parse_header(std::string_view text);

}  // namespace squall::recording
