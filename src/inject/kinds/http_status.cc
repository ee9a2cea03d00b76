#include <chrono>

#include "kinds.h"

namespace squall::inject {

namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// Retry-After as asked for. Nothing here knows what day it is, so a date is far ahead or long
/// past.
std::string retry_after(const Scene& scene) {
  const std::string_view form = scene.with.text("retry-after");
  const auto wait =
      std::chrono::ceil<std::chrono::seconds>(scene.with.time("wait", std::chrono::seconds(1)));
  if (form == "seconds") return std::to_string(wait.count());
  if (form == "absurd") return "99999999999";
  if (form == "past") return "Thu, 01 Jan 1970 00:00:00 GMT";
  if (form == "date") return "Fri, 01 Jan 2100 00:00:00 GMT";
  return {};
}

void on_request(Scene& scene) {
  const auto status = static_cast<unsigned>(scene.with.count("status", 503));
  const std::string_view form = scene.with.text("body", "none");
  Headers headers;
  std::string body;
  if (form == "json-rpc") {
    body = make_error(scene.ongoing.id, jsonrpc::code::kInternalError, "Internal error");
    headers.emplace_back("Content-Type", "application/json");
  } else if (form == "html") {
    body = "<!DOCTYPE html><html><head><title>Error</title></head><body><h1>" +
           std::to_string(status) + "</h1></body></html>";
    headers.emplace_back("Content-Type", "text/html");
  } else if (form == "text") {
    body = "upstream connect error";
    headers.emplace_back("Content-Type", "text/plain");
  }
  if (const std::string wait = retry_after(scene); !wait.empty()) {
    headers.emplace_back("Retry-After", wait);
  }
  scene.answer_http(status, std::move(headers), std::move(body),
                    "HTTP " + std::to_string(status) + ", not executed");
}

}  // namespace

const Fault http_status_kind{.kind = "http-status", .on_request = on_request};

}  // namespace squall::inject
