#include <map>

#include "squall/json/pointer.h"

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::size_t kLookedAtMax = 10'000;

std::string raw_of(std::string_view variant) {
  if (variant == "1e400") return "1e400";
  if (variant == "minus-zero") return "-0";
  if (variant == "nan-text") return "NaN";
  if (variant == "huge") return "1" + std::string(4999, '0');
  return "9007199254740993";
}

/// The numbers of a result, by pointer.
std::map<std::string, json::Value*> numbers_of(json::Value& root) {
  std::map<std::string, json::Value*> out;
  std::vector<std::pair<std::string, json::Value*>> pending = {{"", &root}};
  for (std::size_t i = 0; i < pending.size() && i < kLookedAtMax; ++i) {
    const auto [pointer, value] = pending[i];
    if (value->is_number()) out.emplace(pointer, value);
    std::size_t n = 0;
    for (json::Value& item : value->items()) {
      pending.emplace_back(pointer + "/" + std::to_string(n++), &item);
    }
    for (json::Member& member : value->members()) {
      std::string inner = pointer;
      json::append_pointer_token(inner, member.name());
      pending.emplace_back(std::move(inner), &member.value);
    }
  }
  return out;
}

void on_response(Scene& scene) {
  auto message = scene.message();
  json::Value* result = message ? message->find("result") : nullptr;
  if (result == nullptr) return scene.noop("there is no result");
  const std::string variant(scene.with.text("variant", "above-2-53"));
  json::Value* structured = result->find("structuredContent");
  auto numbers = numbers_of(structured != nullptr ? *structured : *result);
  if (numbers.empty()) {
    (*result)["_meta"].set("number", kRawMark);
  } else {
    std::vector<fault::Option> options;
    for (const auto& [pointer, value] : numbers) options.push_back({pointer, 1});
    *numbers.at(options[scene.draws().pick("target", options)].name) = kRawMark;
  }
  scene.set_bytes(write_with_raw(scene.bytes(), *message, raw_of(variant)), "number: " + variant);
}

}  // namespace

const Fault numbers_kind{.kind = "numbers", .on_response = on_response};

}  // namespace squall::inject
