#include "http_exchange.h"

#include <utility>

#include "squall/base/assert.h"

#include "http_connection.h"

namespace squall::transport {

ConnectionExchange::~ConnectionExchange() {
  if (connection_ != nullptr) connection_->abandon(streaming_);
}

void ConnectionExchange::add_header(std::string_view name, std::string_view value) {
  if (connection_ != nullptr) connection_->add_header(name, value);
}

void ConnectionExchange::reply(HttpReply reply) {
  if (connection_ == nullptr) return;
  SQUALL_ASSERT(!streaming_);
  connection_->reply(std::move(reply));
}

void ConnectionExchange::reply_json(int status, std::string_view body) {
  if (connection_ == nullptr) return;
  SQUALL_ASSERT(!streaming_);
  connection_->reply_json(status, body);
}

void ConnectionExchange::open(const HttpReply& head, std::string_view first) {
  if (connection_ == nullptr) return;
  SQUALL_ASSERT(!streaming_);
  streaming_ = true;
  connection_->open(head, first);
}

void ConnectionExchange::write(std::string_view bytes) {
  if (open_for_writing()) connection_->write(bytes);
}

void ConnectionExchange::finish() {
  if (open_for_writing()) connection_->finish();
}

void ConnectionExchange::drop(bool reset) {
  if (connection_ != nullptr) connection_->drop(reset);
}

bool ConnectionExchange::open_for_writing() const { return connection_ != nullptr && streaming_; }

std::size_t ConnectionExchange::pending() const {
  return connection_ != nullptr ? connection_->pending() : 0;
}

void ConnectionExchange::on_gone(Handler handler) {
  if (peer_gone_) {
    loop_.post(std::move(handler));
  } else if (connection_ != nullptr) {
    gone_ = std::move(handler);
  }
}

void ConnectionExchange::on_drained(Handler handler) {
  if (connection_ != nullptr) drained_ = std::move(handler);
}

std::string ConnectionExchange::peer() const {
  return connection_ != nullptr ? connection_->peer() : std::string();
}

void ConnectionExchange::detach() noexcept {
  connection_ = nullptr;
  const Handler gone = std::exchange(gone_, nullptr);
  const Handler drained = std::exchange(drained_, nullptr);
}

ConnectionExchange::Handler ConnectionExchange::detach_gone() noexcept {
  peer_gone_ = true;
  Handler gone = std::exchange(gone_, nullptr);
  detach();
  return gone;
}

void ConnectionExchange::tell_drained() {
  if (!streaming_ || !drained_) return;
  const auto self = shared_from_this();  // the handler may let go of the exchange
  Handler handler = std::exchange(drained_, nullptr);
  handler();
  if (!drained_ && connection_ != nullptr) drained_ = std::move(handler);
}

}  // namespace squall::transport
