#include "faults.h"

#include <algorithm>
#include <array>

#include "kinds/kinds.h"

namespace squall::inject {

namespace {

// One line a kind, in the order of the catalogue.
constexpr std::array kFaults = {
    &error_kind,
    &error_unflagged_kind,
    &empty_kind,
    &phantom_kind,
    &truncate_kind,
    &corrupt_kind,
    &rows_kind,
    &stale_kind,
    &crossed_kind,
    &contradict_kind,
    &rate_limited_kind,
    &schema_kind,
    &oversize_kind,
    &media_kind,
    &inject_kind,
    &latency_kind,
    &hang_kind,
    &lost_kind,
    &drop_kind,
    &late_kind,
    &duplicate_kind,
    &unsolicited_kind,
    &wrong_id_kind,
    &rpc_error_kind,
    &reorder_kind,
    &malformed_kind,
    &numbers_kind,
    &nest_kind,
    &strings_kind,
    &encoding_kind,
    &shape_kind,
    &notifications_kind,
    &progress_kind,
    &server_requests_kind,
    &handshake_kind,
    &http_status_kind,
    &http_headers_kind,
    &redirect_kind,
    &header_mismatch_kind,
    &slow_body_kind,
    &bad_chunk_kind,
    &stream_cut_kind,
    &stream_silent_kind,
    &stream_format_kind,
    &stream_ids_kind,
    &stream_retry_kind,
    &stream_misroute_kind,
    &stream_unanswered_kind,
    &subscription_kind,
    &wrong_framing_kind,
    &refuse_kind,
    &reset_kind,
    &half_open_kind,
    &slow_close_kind,
    &throttle_kind,
    &stdout_noise_kind,
    &stdout_split_kind,
    &line_ending_kind,
    &long_line_kind,
    &stderr_flood_kind,
    &stdin_stall_kind,
    &crash_kind,
    &ignore_term_kind,
    &slow_start_kind,
    &pause_kind,
    &expire_kind,
    &session_id_kind,
    &unauthorized_kind,
    &forbidden_kind,
    &token_expired_kind,
    &hide_tool_kind,
    &extra_tool_kind,
    &rename_tool_kind,
    &list_order_kind,
    &rug_pull_kind,
    &poison_kind,
    &schema_drift_kind,
    &annotations_lie_kind,
    &page_kind,
    &resource_kind,
};

}  // namespace

std::span<const Fault* const> all_faults() { return kFaults; }

const Fault* find_fault(std::string_view kind) {
  const auto at = std::ranges::find(kFaults, kind, [](const Fault* one) { return one->kind; });
  return at == kFaults.end() ? nullptr : *at;
}

}  // namespace squall::inject
