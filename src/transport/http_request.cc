#include <algorithm>

#include "squall/base/text.h"

#include "http_target.h"

namespace squall::transport {

namespace {

void split_query(HttpRequest& request, std::string_view origin_form) {
  const std::size_t mark = origin_form.find('?');
  request.path = origin_form.substr(0, mark);
  request.query = mark == std::string_view::npos ? "" : origin_form.substr(mark + 1);
}

bool split_absolute(HttpRequest& request, std::size_t scheme_size) {
  const std::string_view rest = request.target.substr(scheme_size);
  const std::size_t end = rest.find_first_of("/?#");
  const std::string_view authority = rest.substr(0, end);
  if (authority.empty() || authority.find('@') != std::string_view::npos) return false;
  if (request.count("host") == 0) request.headers.emplace_back("Host", authority);
  for (auto& [name, value] : request.headers) {
    if (base::equals_ignoring_case(name, "host")) value = authority;
  }
  split_query(request, end == std::string_view::npos ? "" : rest.substr(end));
  if (request.path.empty()) request.path = "/";
  return true;
}

}  // namespace

bool split_target(HttpRequest& request) {
  const std::string_view target = request.target;
  if (target.starts_with('/')) {
    split_query(request, target);
    return true;
  }
  if (request.method == "CONNECT" || (request.method == "OPTIONS" && target == "*")) {
    request.path = target;
    return true;
  }
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (base::equals_ignoring_case(target.substr(0, scheme.size()), scheme)) {
      return split_absolute(request, scheme.size());
    }
  }
  return false;
}

std::optional<std::string_view> HttpRequest::header(std::string_view name) const {
  const HttpHeader* first = nullptr;
  std::size_t found = 0;
  for (const HttpHeader& header : headers) {
    if (header.first.size() != name.size()) continue;  // most, and cheaper seen here
    if (!base::equals_ignoring_case(header.first, name)) continue;
    if (found++ == 0) first = &header;
  }
  if (found == 0) return std::nullopt;
  if (found == 1) return first->second;
  for (const auto& joined : joined_) {
    if (base::equals_ignoring_case(joined->first, name)) return joined->second;
  }
  std::string text(first->second);
  for (const HttpHeader& header : headers) {
    if (&header == first || !base::equals_ignoring_case(header.first, name)) continue;
    text += ", ";
    text += header.second;
  }
  joined_.push_back(
      std::make_unique<std::pair<std::string, std::string>>(std::string(name), std::move(text)));
  return joined_.back()->second;
}

std::size_t HttpRequest::count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(
      headers.begin(), headers.end(),
      [name](const HttpHeader& header) { return base::equals_ignoring_case(header.first, name); }));
}

}  // namespace squall::transport
