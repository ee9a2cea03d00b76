#include "squall/lab/scenario.h"

#include "scenario_forms.h"

namespace squall::lab {

std::string_view to_text(Protocol protocol) noexcept {
  switch (protocol) {
    case Protocol::legacy:
      return "2025-11-25";
    case Protocol::modern:
      return "2026-07-28";
    case Protocol::automatic:
      break;
  }
  return "auto";
}

Result<Scenario> read_scenario(std::string file, std::string text) {
  SQUALL_TRY(auto strict, json::StrictFile::parse(file, std::move(text)));
  const bool simple = strict.root().value().contains("call");
  Scenario out = simple ? read_simple_scenario(strict) : read_full_scenario(strict);
  SQUALL_CHECK(strict.verdict());
  out.source = strict.root().value();
  out.file = std::move(file);
  return out;
}

}  // namespace squall::lab
