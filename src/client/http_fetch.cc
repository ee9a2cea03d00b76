#include "http_fetch.h"

#include <utility>

#include "squall/base/text.h"

namespace squall::client {

bool has_media_type(const transport::HttpClientResponse& response, std::string_view type) {
  const std::string* const value = response.header("content-type");
  if (value == nullptr) return false;
  const std::string_view essence = std::string_view(*value).substr(0, value->find(';'));
  return base::equals_ignoring_case(base::trim(essence), type);
}

HttpFetch::~HttpFetch() {
  if (under_way_) http_.cancel(*under_way_);
}

void HttpFetch::start(const transport::Url& url, transport::HttpClientRequest request) {
  under_way_ = http_.request(url, std::move(request), *this, false);
}

void HttpFetch::abort() {
  if (under_way_) http_.cancel(*std::exchange(under_way_, std::nullopt));
  finish();
}

void HttpFetch::on_response(const transport::HttpClientResponse& response) {
  now_.response = response;
  now_.is_stream = response.status == 200 && has_media_type(response, "text/event-stream");
  sink_.on_opened(response);
}

void HttpFetch::on_body(std::string_view bytes) {
  if (!now_.is_stream) {
    now_.body += bytes;
    return;
  }
  // What an event leads to may abort us, and then the rest is nobody's any more.
  const auto on_event = [this](transport::SseReader::Event&& event) {
    if (!end_.is_set()) sink_.on_event(std::move(event));
  };
  const bool fits = reader_.feed(bytes, on_event);
  if (fits || end_.is_set()) return;
  now_.error = Error{ErrorKind::limit, "an event is larger than allowed"};
  abort();
}

void HttpFetch::on_failed(const Error& error, bool sent) {
  now_.error = error;
  now_.sent = sent;
  finish();
}

void HttpFetch::finish() {
  if (end_.is_set()) return;
  under_way_.reset();
  now_.last_event_id = reader_.last_id();
  now_.retry_ms = reader_.retry_ms();
  end_.set(std::move(now_));
}

}  // namespace squall::client
