#include "batch.h"

#include <utility>

#include "squall/mcp/names.h"

#include "envelope.h"

namespace squall::server {

Batch::~Batch() {
  if (!responses_.empty()) responses_ += ']';
  done_(*carrier_, std::move(responses_));
}

void Batch::add(std::string_view response) {
  responses_ += responses_.empty() ? '[' : ',';
  responses_ += response;
}

void Batch::refuse(const jsonrpc::Id& id, std::string_view why) {
  std::string error;
  jsonrpc::write_error(error, id, jsonrpc::code::kInvalidRequest, why);
  add(error);
}

std::optional<jsonrpc::Message> Batch::read(const json::Value& item) {
  auto message = jsonrpc::read_message(item);
  if (!message) {
    std::string error;
    jsonrpc::write_error(error, message.error().id, message.error().code, message.error().message);
    add(error);
    return std::nullopt;
  }
  if (message->method == mcp::method::kInitialize || claims_modern(*message)) {
    refuse(message->id, "this message may not stand in a batch");
    return std::nullopt;
  }
  return *std::move(message);
}

void BatchOutlet::finish(int, std::string_view response) {
  ended_();
  batch_->add(response);
  batch_ = nullptr;
}

void BatchOutlet::abandon() {
  ended_();
  batch_ = nullptr;
}

void BatchOutlet::cut(Cut how, std::string_view last) {
  batch_->carrier().cut(how, last);
  abandon();
}

}  // namespace squall::server
