#include "squall/server/observe/observe.h"

#include <array>

namespace squall::server {

namespace {

constexpr std::size_t kStateBytesMax = 512;

/// The value of lower-case hexadecimal digits that aren't all zero; nothing for other text.
bool is_id(std::string_view text, std::size_t digits) {
  return text.size() == digits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         text.find_first_not_of('0') != std::string_view::npos;
}

unsigned digit(char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); }

}  // namespace

std::string_view to_text(Ending ending) noexcept {
  constexpr std::array<std::string_view, 5> kTexts{"ok", "tool_error", "protocol_error", "asks",
                                                   "cancelled"};
  return kTexts[static_cast<std::size_t>(ending)];
}

TraceContext read_trace_context(const json::Value& meta) {
  // 00-<trace id>-<parent id>-<flags>; a later version may have more behind that.
  const std::string_view parent = meta.find_string("traceparent").value_or("");
  constexpr std::size_t kBytes = 55;
  TraceContext out;
  if (parent.size() < kBytes || parent[2] != '-' || parent[35] != '-' || parent[52] != '-') {
    return out;
  }
  const std::string_view version = parent.substr(0, 2);
  const std::string_view flags = parent.substr(53, 2);
  constexpr std::string_view kHex = "0123456789abcdef";
  if (version.find_first_not_of(kHex) != std::string_view::npos || version == "ff" ||
      flags.find_first_not_of(kHex) != std::string_view::npos ||
      (version == "00" && parent.size() != kBytes) ||
      (parent.size() > kBytes && parent[kBytes] != '-') || !is_id(parent.substr(3, 32), 32) ||
      !is_id(parent.substr(36, 16), 16)) {
    return out;
  }
  out.trace_id = parent.substr(3, 32);
  out.parent_id = parent.substr(36, 16);
  out.flags = static_cast<std::uint8_t>(digit(flags[0]) * 16 + digit(flags[1]));
  const std::string_view state = meta.find_string("tracestate").value_or("");
  if (state.size() <= kStateBytesMax) out.state = state;
  return out;
}

}  // namespace squall::server
