#include "squall/fault/mutate.h"
#include "squall/json/write.h"

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::uint64_t kTimesMax = 1000;

/// The id as the other of number and string.
json::Value flipped(const json::Value& id) {
  if (id.is_number()) return json::Value(id.number_text());
  return json::Value::number(id.string()).value_or(json::Value(7));
}

/// What the second copy is.
std::string copy_of(Scene& scene) {
  const std::string_view change = scene.with.text("change", "none");
  auto message = scene.message();
  if (!message || change == "none") return scene.bytes();
  if (change == "id-type") {
    const json::Value* id = message->find("id");
    if (id != nullptr) message->set("id", flipped(*id));
    return write_like(scene.bytes(), *message);
  }
  if (const json::Value* result = message->find("result")) {
    fault::Mutation other = fault::corrupt(*result, scene.draws());
    if (!other.changed()) {
      json::Value& content = other.result["content"];
      if (!content.is_array()) content = json::Value::array();
      content.push_back(text_block("(again)"));
    }
    message->set("result", std::move(other.result));
  }
  return write_like(scene.bytes(), *message);
}

void on_response(Scene& scene) {
  const std::uint64_t times = std::min(scene.with.count("times", 2), kTimesMax);
  if (times < 2) return scene.noop("once is as usual");
  const std::string copy = copy_of(scene);
  for (std::uint64_t n = 1; n < times; ++n) scene.send_behind(copy, "the response again");
}

void on_message(Scene& scene) {
  if (scene.alone()) on_response(scene);
}

void on_notification(Scene& scene) {
  const std::uint64_t times = std::min(scene.with.count("times", 2), kTimesMax);
  for (std::uint64_t n = 1; n < times; ++n) {
    scene.send_behind(scene.bytes(), "the notification again");
    std::get<Send>(scene.out.behind.back()).to = Send::To::upstream;
  }
}

}  // namespace

const Fault duplicate_kind{.kind = "duplicate",
                           .on_response = on_response,
                           .on_message = on_message,
                           .on_notification = on_notification};

}  // namespace squall::inject
