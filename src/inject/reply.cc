#include "reply.h"

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::inject {

namespace {

// What is parsed nests at most this deep, so that writing it may recurse.
constexpr std::size_t kDepthMax = 256;

void write_spaced(std::string& out, const json::Value& value) {
  if (value.is_array()) {
    out += '[';
    bool first = true;
    for (const json::Value& item : value.items()) {
      if (!std::exchange(first, false)) out += ", ";
      write_spaced(out, item);
    }
    out += ']';
  } else if (value.is_object()) {
    out += '{';
    bool first = true;
    for (const json::Member& member : value.members()) {
      if (!std::exchange(first, false)) out += ", ";
      json::write_string(out, member.name());
      out += ": ";
      write_spaced(out, member.value);
    }
    out += '}';
  } else {
    json::write(out, value);
  }
}

}  // namespace

std::optional<json::Value> parse_message(std::string_view bytes) {
  json::ParseOptions options{.duplicates = json::Duplicates::keep, .limits = {.depth = kDepthMax}};
  auto value = json::parse(bytes, options);
  if (!value || !value->is_object()) return std::nullopt;
  return *std::move(value);
}

std::string write_like(std::string_view like, const json::Value& message) {
  std::string out;
  // The first member tells: a string or number stands behind its colon.
  const std::size_t colon = like.find("\":");
  const bool spaced = colon != std::string_view::npos && like.substr(colon + 2).starts_with(' ');
  if (spaced) {
    write_spaced(out, message);
  } else {
    json::write(out, message);
  }
  return out;
}

std::string with_result(std::string_view bytes, json::Value result) {
  auto message = parse_message(bytes).value_or(json::Value::object());
  message.erase("error");
  message.set("result", std::move(result));
  return write_like(bytes, message);
}

std::string make_result(const jsonrpc::Id& id, const json::Value& result) {
  std::string out;
  jsonrpc::begin_result(out, id);
  const std::string text = json::to_string(result);
  out.append(text, 1, text.size() - 2);  // the members, without braces
  jsonrpc::end_result(out);
  return out;
}

std::string make_error(const jsonrpc::Id& id, std::int64_t code, std::string_view message,
                       const json::Value* data) {
  json::Value error = json::Value::object({{"code", code}, {"message", message}});
  if (data != nullptr) error.set("data", *data);
  const auto id_value = json::parse(id.json());
  const json::Value whole = json::Value::object(
      {{"jsonrpc", "2.0"}, {"id", id_value ? *id_value : json::Value()}, {"error", error}});
  return json::to_string(whole);
}

std::string make_notification(std::string_view method, const json::Value& params) {
  std::string out;
  jsonrpc::write_call(out, {}, method, json::to_string(params));
  return out;
}

std::string make_request(const jsonrpc::Id& id, std::string_view method,
                         const json::Value& params) {
  std::string out;
  jsonrpc::write_call(out, id, method, json::to_string(params));
  return out;
}

json::Value text_block(std::string_view text) {
  return json::Value::object({{"type", "text"}, {"text", text}});
}

json::Value text_result(std::string_view text, bool is_error) {
  json::Value out = json::Value::object({{"content", json::Value::array({text_block(text)})}});
  if (is_error) out.set("isError", true);
  return out;
}

std::string write_with_raw(std::string_view like, const json::Value& message,
                           std::string_view raw) {
  std::string out = write_like(like, message);
  std::string mark;
  json::write_string(mark, kRawMark);
  const std::size_t at = out.find(mark);
  if (at != std::string::npos) out.replace(at, mark.size(), raw);
  return out;
}

}  // namespace squall::inject
