#include "squall/client/handlers.h"

#include "squall/jsonrpc/message.h"

namespace squall::client {

Task<ElicitAnswer> Handlers::elicit(const Elicitation& /*question*/) { co_return ElicitAnswer(); }

Task<HandlerResult> Handlers::sample(const json::Value& /*params*/) {
  RpcError refusal{jsonrpc::code::kMethodNotFound, "this client samples nothing"};
  co_return std::unexpected(std::move(refusal));
}

Task<std::vector<Root>> Handlers::roots() { co_return std::vector<Root>(); }

void Handlers::on_notification(std::string_view /*method*/, const json::Value& /*params*/) {}

json::Value with_defaults(const json::Value& schema, json::Value content) {
  if (!content.is_object()) content = json::Value::object();
  const json::Value* const properties = schema.find("properties");
  if (properties == nullptr) return content;
  for (const json::Member& property : properties->members()) {
    const json::Value* const value = property.value.find("default");
    if (value != nullptr && !content.contains(property.name())) {
      content.set(property.name(), *value);
    }
  }
  return content;
}

}  // namespace squall::client
