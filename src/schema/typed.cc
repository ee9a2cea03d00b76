#include "squall/schema/typed.h"

#include "squall/json/pointer.h"
#include "squall/json/write.h"

#include "quote.h"

namespace squall::schema::detail {

void prepend_pointer_token(std::string& pointer, std::string_view token) {
  std::string out;
  json::append_pointer_token(out, token);
  pointer.insert(0, out);
}

json::Value described_object(json::Value properties, json::Value required) {
  json::Value schema = json::Value::object({{"type", "object"}});
  if (properties.size() != 0) schema.set("properties", std::move(properties));
  if (required.size() != 0) schema.set("required", std::move(required));
  return schema;
}

bool refuse(DecodeError& error, const json::Value& value, std::string_view wanted) {
  error.message = "expected " + std::string(wanted) + ", not ";
  if (value.is_number()) {
    error.message += quote(value.number_text());
  } else {
    error.message += "a value of type " + std::string(json::name_of(value.kind()));
  }
  return false;
}

}  // namespace squall::schema::detail
