#include "squall/auth/address.h"

#include <algorithm>

#include "squall/transport/http_client.h"

namespace squall::auth {

namespace {

constexpr std::size_t kUrlBytesMax = 4 << 10;

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "::1") return true;
  const bool digits = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return digits && host.starts_with("127.") && std::count(host.begin(), host.end(), '.') == 3;
}

bool is_local(const transport::Url& url) { return url.scheme == "http" && is_loopback(url.host); }

std::string origin_text(const transport::Url& url) {
  const std::string host = url.host.contains(':') ? "[" + url.host + "]" : url.host;
  const bool usual = url.port == (url.scheme == "http" ? 80 : 443);
  return url.scheme + "://" + host + (usual ? "" : ":" + std::to_string(url.port));
}

std::string path_text(const transport::Url& url) {
  const std::string path = url.target.substr(0, url.target.find('?'));
  return path == "/" ? "" : path;
}

}  // namespace

Reach reach_of(std::string_view server_url) {
  const auto url = transport::Url::parse(server_url);
  return url && is_loopback(url->host) ? Reach::loopback : Reach::https;
}

Result<void> check_url(std::string_view url, Reach reach, std::string_view what) {
  const std::string subject(what);
  if (url.size() > kUrlBytesMax) return fail(ErrorKind::limit, subject + " is too long");
  const auto parsed = transport::Url::parse(url);
  if (!parsed) return fail(ErrorKind::invalid, subject + ": " + parsed.error().message);
  if (parsed->scheme == "https" || (reach == Reach::loopback && is_local(*parsed))) return {};
  return fail(ErrorKind::invalid, subject +
                                      " is neither https nor, for a server on this machine, "
                                      "http to this machine");
}

Result<std::string> origin_of(std::string_view url) {
  SQUALL_TRY(const transport::Url parsed, transport::Url::parse(url));
  return origin_text(parsed);
}

Result<std::string> path_of(std::string_view url) {
  SQUALL_TRY(const transport::Url parsed, transport::Url::parse(url));
  return path_text(parsed);
}

Result<std::string> canonical_resource(std::string_view server_url) {
  SQUALL_TRY(const transport::Url parsed, transport::Url::parse(server_url));
  return origin_text(parsed) + path_text(parsed);
}

bool covers(std::string_view resource, std::string_view server_url) {
  const auto outer = transport::Url::parse(resource);
  const auto inner = transport::Url::parse(server_url);
  if (!outer || !inner || origin_text(*outer) != origin_text(*inner)) return false;
  std::string parent = path_text(*outer);
  const std::string path = path_text(*inner);
  if (path == parent || path + "/" == parent) return true;
  if (!parent.ends_with('/')) parent += '/';
  return path.starts_with(parent);
}

}  // namespace squall::auth
