#include "squall/client/observer.h"

namespace squall::client {

std::string_view to_text(Report::Kind kind) noexcept {
  using enum Report::Kind;
  switch (kind) {
    case malformed:
      return "malformed";
    case oversize:
      return "oversize";
    case late_response:
      return "late_response";
    case duplicate_response:
      return "duplicate_response";
    case unknown_response:
      return "unknown_response";
    case wrong_id_type:
      return "wrong_id_type";
    case error_without_id:
      return "error_without_id";
    case stray_progress:
      return "stray_progress";
    case stray_request:
      return "stray_request";
    case stray_notification:
      return "stray_notification";
    case bad_cursor:
      return "bad_cursor";
    case dropped_entry:
      return "dropped_entry";
    case bad_schema:
      return "bad_schema";
    case bad_answer:
      return "bad_answer";
    case bad_result:
      return "bad_result";
    case era:
      return "era";
    case reconnecting:
      return "reconnecting";
    case stream_refused:
      return "stream_refused";
    case session_lost:
      return "session_lost";
    case retrying:
      return "retrying";
  }
  return "";
}

}  // namespace squall::client
