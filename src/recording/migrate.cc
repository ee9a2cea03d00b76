#include "squall/recording/migrate.h"

#include <string>
#include <utility>

#include "squall/recording/header.h"

namespace squall::recording {

std::span<const Migration> migrations() { return {}; }

Result<json::Value> migrate(json::Value value, Part part, std::uint32_t version,
                            std::span<const Migration> steps) {
  if (version > kFormatVersion) {
    return fail(ErrorKind::invalid, "the case has format version " + std::to_string(version) +
                                        "; this program reads up to version " +
                                        std::to_string(kFormatVersion));
  }
  for (const Migration& step : steps) {
    if (step.from != version) continue;
    const auto convert = part == Part::header ? step.header : step.event;
    if (convert != nullptr) {
      SQUALL_TRY(value, convert(std::move(value)));
    }
    ++version;
  }
  if (version == kFormatVersion) return value;
  return fail(ErrorKind::invalid,
              "format version " + std::to_string(version) + " of cases is not known");
}

}  // namespace squall::recording
