#pragma once

#include "../faults.h"
#include "../reply.h"

/// @file Every kind of the catalogue, as it is delivered; a file each beside this one.

namespace squall::inject {

extern const Fault error_kind;
extern const Fault error_unflagged_kind;
extern const Fault empty_kind;
extern const Fault phantom_kind;
extern const Fault truncate_kind;
extern const Fault corrupt_kind;
extern const Fault rows_kind;
extern const Fault stale_kind;
extern const Fault crossed_kind;
extern const Fault contradict_kind;
extern const Fault rate_limited_kind;
extern const Fault schema_kind;
extern const Fault oversize_kind;
extern const Fault media_kind;
extern const Fault inject_kind;
extern const Fault latency_kind;
extern const Fault hang_kind;
extern const Fault lost_kind;
extern const Fault drop_kind;
extern const Fault late_kind;
extern const Fault duplicate_kind;
extern const Fault unsolicited_kind;
extern const Fault wrong_id_kind;
extern const Fault rpc_error_kind;
extern const Fault reorder_kind;
extern const Fault malformed_kind;
extern const Fault numbers_kind;
extern const Fault nest_kind;
extern const Fault strings_kind;
extern const Fault encoding_kind;
extern const Fault shape_kind;
extern const Fault notifications_kind;
extern const Fault progress_kind;
extern const Fault server_requests_kind;
extern const Fault handshake_kind;
extern const Fault http_status_kind;
extern const Fault http_headers_kind;
extern const Fault redirect_kind;
extern const Fault header_mismatch_kind;
extern const Fault slow_body_kind;
extern const Fault bad_chunk_kind;
extern const Fault stream_cut_kind;
extern const Fault stream_silent_kind;
extern const Fault stream_format_kind;
extern const Fault stream_ids_kind;
extern const Fault stream_retry_kind;
extern const Fault stream_misroute_kind;
extern const Fault stream_unanswered_kind;
extern const Fault subscription_kind;
extern const Fault wrong_framing_kind;
extern const Fault refuse_kind;
extern const Fault reset_kind;
extern const Fault half_open_kind;
extern const Fault slow_close_kind;
extern const Fault throttle_kind;
extern const Fault stdout_noise_kind;
extern const Fault stdout_split_kind;
extern const Fault line_ending_kind;
extern const Fault long_line_kind;
extern const Fault stderr_flood_kind;
extern const Fault stdin_stall_kind;
extern const Fault crash_kind;
extern const Fault ignore_term_kind;
extern const Fault slow_start_kind;
extern const Fault pause_kind;
extern const Fault expire_kind;
extern const Fault session_id_kind;
extern const Fault unauthorized_kind;
extern const Fault forbidden_kind;
extern const Fault token_expired_kind;
extern const Fault hide_tool_kind;
extern const Fault extra_tool_kind;
extern const Fault rename_tool_kind;
extern const Fault list_order_kind;
extern const Fault rug_pull_kind;
extern const Fault poison_kind;
extern const Fault schema_drift_kind;
extern const Fault annotations_lie_kind;
extern const Fault page_kind;
extern const Fault resource_kind;

}  // namespace squall::inject
