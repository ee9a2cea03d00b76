#include "squall/fault/mutate.h"
#include "squall/mcp/names.h"

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::int64_t kResourceNotFound = -32002;  // before 2026-07-28
constexpr std::size_t kHugeList = 10'000;

json::Value huge_list() {
  std::vector<json::Value> resources;
  for (std::size_t n = 0; n < kHugeList; ++n) {
    const std::string number = std::to_string(n);
    resources.push_back(json::Value::object(
        {{"uri", "file:///records/" + number + ".txt"}, {"name", "record " + number}}));
  }
  return json::Value::from_items(std::move(resources));
}

void on_response(Scene& scene) {
  const std::string variant(scene.with.text("variant", "missing"));
  if (variant == "missing") {
    const std::int64_t code =
        scene.ongoing.modern() ? jsonrpc::code::kInvalidParams : kResourceNotFound;
    return scene.answer_error(code, "Resource not found", "a resource that is missing");
  }
  auto result = scene.result();
  if (!result) return scene.noop("there is no result");
  if (variant == "huge-list") {
    if (!result->contains("resources")) return scene.noop("it is no list");
    result->set("resources", huge_list());
    return scene.set_result(*std::move(result), "a list of 10000 resources");
  }
  json::Value* contents = result->find("contents");
  if (contents == nullptr || contents->items().empty()) return scene.noop("it has no contents");
  json::Value& first = contents->items().front();
  if (variant == "wrong-uri") {
    first.set("uri", std::string(first.find_string("uri").value_or("")) + ".bak");
  } else {
    const auto text = first.find_string("text");
    if (!text) return scene.noop("it is no text");
    const fault::Mutation changed = fault::corrupt(text_result(*text, false), scene.draws());
    if (!changed.changed()) return scene.noop("there is no value to change");
    first.set("text",
              changed.result.find("content")->items().front().find_string("text").value_or(""));
  }
  scene.set_result(*std::move(result), "a resource that is not what was asked for: " + variant);
}

}  // namespace

const Fault resource_kind{.kind = "resource", .on_response = on_response};

}  // namespace squall::inject
