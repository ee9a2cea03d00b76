#include "http_rules.h"

#include <algorithm>
#include <string>

#include "squall/base/text.h"
#include "squall/mcp/names.h"

#include "http_replies.h"

namespace squall::server {

using transport::HttpReply;
using transport::HttpRequest;

namespace {

/// Takes the front of a list: what stands before the next `separator`, without blanks.
std::string_view take_item(std::string_view& list, char separator) {
  const std::size_t end = list.find(separator);
  const std::string_view item = base::trim(list.substr(0, end));
  list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  return item;
}

/// Whether the parameters of a media range give it the weight zero: "q=0", "q=0.000".
bool weighs_nothing(std::string_view parameters) {
  while (!parameters.empty()) {
    std::string_view weight = take_item(parameters, ';');
    if (!base::equals_ignoring_case(take_item(weight, '='), "q")) continue;
    weight = base::trim(weight);
    return weight.starts_with('0') && weight.find_first_not_of("0.") == std::string_view::npos;
  }
  return false;
}

/// How closely a media range names `type`: 3 by name, 1 by "*/*", 0 not at all.
int closeness(std::string_view range, std::string_view type) {
  if (base::equals_ignoring_case(range, type)) return 3;
  if (range == "*/*") return 1;
  const std::string_view family = type.substr(0, type.find('/') + 1);
  return range.ends_with('*') &&
                 base::equals_ignoring_case(range.substr(0, range.size() - 1), family)
             ? 2
             : 0;
}

}  // namespace

bool accepts(const HttpRequest& request, std::string_view type) {
  std::string_view list = request.header("Accept").value_or("");
  int closest = 0;
  bool taken = false;
  while (!list.empty()) {
    std::string_view range = take_item(list, ',');
    const int close = closeness(take_item(range, ';'), type);
    if (close == 0 || close < closest) continue;
    const bool takes = !weighs_nothing(range);
    taken = close > closest ? takes : taken || takes;
    closest = close;
  }
  return taken;
}

std::optional<HttpReply> bad_content(const HttpRequest& head) {
  std::string_view type = head.header("Content-Type").value_or("");
  if (!base::equals_ignoring_case(take_item(type, ';'), "application/json")) {
    return error_reply(415, mcp::code::kTransport, "Content-Type must be application/json");
  }
  std::string_view codings = head.header("Content-Encoding").value_or("");
  while (!codings.empty()) {
    const std::string_view coding = take_item(codings, ',');
    if (coding.empty() || base::equals_ignoring_case(coding, "identity")) continue;
    HttpReply reply = error_reply(415, mcp::code::kTransport,
                                  "Content-Encoding is not supported: send the body as it is");
    reply.headers.emplace_back("Accept-Encoding", "identity");
    return reply;
  }
  return std::nullopt;
}

std::optional<HttpReply> bad_version(const HttpRequest& request) {
  const auto version = request.header(mcp::header::kProtocolVersion);
  if (!version) return std::nullopt;
  const auto revision = mcp::revision_from(*version);
  if (revision && mcp::supports(*revision, mcp::Feature::handshake)) return std::nullopt;
  std::string known;
  for (const mcp::Revision one : mcp::all_revisions()) {
    if (!mcp::supports(one, mcp::Feature::handshake)) continue;
    if (!known.empty()) known += ", ";
    known += mcp::to_text(one);
  }
  return error_reply(
      400, mcp::code::kTransport,
      "unsupported protocol version " + std::string(*version) + " (supported: " + known + ")");
}

std::optional<HttpReply> other_version(const HttpRequest& request, mcp::Revision negotiated) {
  const auto version = request.header(mcp::header::kProtocolVersion);
  if (!version || *version == mcp::to_text(negotiated)) return std::nullopt;
  return error_reply(400, mcp::code::kTransport,
                     "this session has negotiated protocol version " +
                         std::string(mcp::to_text(negotiated)) + ", not " + std::string(*version));
}

mcp::Revision stateless_revision(const HttpRequest& request) {
  const auto version = request.header(mcp::header::kProtocolVersion);
  const auto revision = version ? mcp::revision_from(*version) : std::nullopt;
  return revision.value_or(mcp::Revision::r2025_03_26);
}

}  // namespace squall::server
