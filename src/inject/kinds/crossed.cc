#include <map>

#include "squall/base/crypto.h"
#include "squall/base/text.h"

#include "kinds.h"

namespace squall::inject {

namespace {

/// The name of a remembered answer among the options: what asked for it, so that the draw doesn't
/// depend on when it came.
std::string name_of(const Memory::Result& one) {
  const base::Sha256 hash = base::sha256(one.tool + '\n' + one.arguments);
  return base::hex_encode({reinterpret_cast<const char*>(hash.data()), 16});
}

void on_response(Scene& scene) {
  const auto result = scene.result();
  const Ongoing& call = scene.ongoing;
  if (!result || call.arguments.empty()) return scene.noop("there is no result");
  const bool same_tool = scene.with.text("from", "same-tool") == "same-tool";
  std::map<std::string, const Memory::Result*> others;
  for (const Memory::Result& one : scene.shared.memory.results()) {
    if (one.tool == call.tool && one.arguments == call.arguments) continue;
    if (same_tool && one.tool != call.tool) continue;
    if (one.result == *result) continue;
    others.insert_or_assign(name_of(one), &one);
  }
  if (others.empty()) return scene.noop("there is no other call's answer yet");
  std::vector<fault::Option> options;
  for (const auto& [name, one] : others) options.push_back({name, 1});
  const Memory::Result& other = *others.at(options[scene.draws().pick("target", options)].name);
  scene.set_result(other.result, "the answer of " + other.tool + " to other arguments");
}

}  // namespace

const Fault crossed_kind{.kind = "crossed", .on_response = on_response};

}  // namespace squall::inject
