#include "squall/json/write.h"

#include "kinds.h"

namespace squall::inject {

namespace {

/// The text that is broken: that of the first block, which is made when there is none.
json::Value& first_text(json::Value& result) {
  json::Value& content = result["content"];
  if (!content.is_array()) content = json::Value::array();
  if (content.items().empty()) content.push_back(text_block(""));
  return content.items().front()["text"];
}

void on_response(Scene& scene) {
  auto message = scene.message();
  json::Value* result = message ? message->find("result") : nullptr;
  if (result == nullptr || !result->is_object()) return scene.noop("there is no result");
  const std::string variant(scene.with.text("variant", "lone-surrogate"));
  std::string how = "strings: " + variant;
  if (variant == "duplicate-keys") {
    std::vector<json::Member> members(result->members().begin(), result->members().end());
    members.emplace_back("content", json::Value::array({text_block("the other one")}));
    if (members.size() == 1) members.push_back(members.front());
    *result = json::Value::from_members(std::move(members));
    return scene.set_message(*message, std::move(how));
  }
  json::Value& text = first_text(*result);
  std::string raw;
  json::write_string(raw, text.string());
  raw.pop_back();
  if (variant == "nul") raw += R"(\u0000)";
  if (variant == "lone-surrogate") raw += R"(\ud800)";
  if (variant == "raw-control") raw += '\x01';
  text = kRawMark;
  scene.set_bytes(write_with_raw(scene.bytes(), *message, raw + '"'), std::move(how));
}

}  // namespace

const Fault strings_kind{.kind = "strings", .on_response = on_response};

}  // namespace squall::inject
