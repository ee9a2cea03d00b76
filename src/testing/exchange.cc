#include "exchange.h"

namespace squall::testing {

void Exchange::on_response(const transport::HttpClientResponse& response) {
  response_ = response;
  const std::string* type = response.header("Content-Type");
  streams_ = type != nullptr && type->starts_with("text/event-stream");
}

void Exchange::on_body(std::string_view bytes) {
  body_ += bytes;
  if (!streams_) return;
  const bool fits = events_.feed(bytes, [this](transport::SseReader::Event&& event) {
    if (!event.data.empty()) on_message_(event.data);
  });
  if (!fits) connection_.cancel();
}

void Exchange::on_done() {
  if (!streams_ && !body_.empty()) on_message_(body_);
  done_ = true;
}

}  // namespace squall::testing
