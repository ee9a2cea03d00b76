#include "keep_alive.h"

#include <string>

#include "squall/transport/sse.h"

namespace squall::server {

void KeepAlive::add(const std::shared_ptr<transport::HttpExchange>& exchange) {
  streams_.add(exchange);
  if (!armed_) arm();
}

void KeepAlive::arm() {
  armed_ = true;
  loop_.call_after(interval_, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->sweep();
  });
}

void KeepAlive::sweep() {
  armed_ = false;
  std::string comment;
  transport::append_sse_comment(comment, "keepalive");
  streams_.for_each([&comment](transport::HttpExchange& exchange) {
    if (exchange.open_for_writing() && exchange.pending() == 0) exchange.write(comment);
  });
  if (!streams_.empty()) arm();
}

}  // namespace squall::server
