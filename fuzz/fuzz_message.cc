#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/jsonrpc/message.h"

// Any JSON value read as a message; what is written about it must be JSON again, with its id as it
// came.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace squall;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = json::parse(text);
  if (!value) return 0;
  const auto message = jsonrpc::read_message(*value);
  const jsonrpc::Id id = message ? message->id : message.error().id;
  std::string written;
  jsonrpc::write_error(written, id, -32600, message ? "no" : message.error().message, &*value);
  const auto reply = json::parse(written);
  SQUALL_ASSERT(reply.has_value());
  if (!id.empty()) SQUALL_ASSERT(json::to_string(*reply->find("id")) == id.json());
  if (!message || message->kind != jsonrpc::MessageKind::request) return 0;
  SQUALL_ASSERT(!id.empty());
  SQUALL_ASSERT(*reply->find("id") == *value->find("id"));
  std::string call;
  jsonrpc::write_call(call, id, message->method, "");
  const auto called = json::parse(call);
  SQUALL_ASSERT(called.has_value());
  const auto again = jsonrpc::read_message(*called);
  SQUALL_ASSERT(again && again->id == id && again->method == message->method);
  return 0;
}
