#include "squall/mcp/revision.h"

#include <array>

namespace squall::mcp {

namespace {

constexpr std::array kRevisions = {Revision::r2024_11_05, Revision::r2025_03_26,
                                   Revision::r2025_06_18, Revision::r2025_11_25,
                                   Revision::r2026_07_28};

constexpr std::array<std::string_view, 5> kTexts = {"2024-11-05", "2025-03-26", "2025-06-18",
                                                    "2025-11-25", "2026-07-28"};

/// One row a feature: does each revision, oldest first, have it?
constexpr bool has(Feature feature, std::size_t revision) noexcept {
  constexpr bool kTable[][5] = {
      /* per_request_envelope  */ {false, false, false, false, true},
      /* handshake             */ {true, true, true, true, false},
      /* ping                  */ {true, true, true, true, false},
      /* server_requests       */ {true, true, true, true, false},
      /* input_required        */ {false, false, false, false, true},
      /* listen                */ {false, false, false, false, true},
      /* resource_subscribe    */ {true, true, true, true, false},
      /* set_level             */ {true, true, true, true, false},
      /* batches               */ {false, true, false, false, false},
      /* resumable_streams     */ {false, true, true, true, false},
      /* priming_events        */ {false, false, false, true, false},
      /* any_structured_output */ {false, false, false, false, true},
      /* result_type           */ {false, false, false, false, true},
      /* cache_hints           */ {false, false, false, false, true},
      /* extensions            */ {false, false, false, false, true},
      /* url_elicitation       */ {false, false, false, true, true},
      /* audio_content         */ {false, true, true, true, true},
      /* resource_links        */ {false, false, true, true, true},
  };
  return kTable[static_cast<std::size_t>(feature)][revision];
}

}  // namespace

bool supports(Revision revision, Feature feature) noexcept {
  return has(feature, static_cast<std::size_t>(revision));
}

std::string_view to_text(Revision revision) noexcept {
  return kTexts[static_cast<std::size_t>(revision)];
}

std::optional<Revision> revision_from(std::string_view text) noexcept {
  for (std::size_t i = kTexts.size(); i-- > 0;) {
    if (kTexts[i] == text) return kRevisions[i];
  }
  return std::nullopt;
}

std::span<const Revision> all_revisions() noexcept { return kRevisions; }

bool is_modern_text(std::string_view text) noexcept {
  constexpr std::string_view kShape = "dddd-dd-dd";
  if (text.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (digit != (kShape[i] == 'd') || (!digit && text[i] != '-')) return false;
  }
  return text >= kTexts.back();
}

}  // namespace squall::mcp
