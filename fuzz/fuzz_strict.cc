#include <cstddef>
#include <cstdint>
#include <string>

#include "squall/base/assert.h"
#include "squall/json/strict.h"

namespace {

using namespace squall::json;

/// Reads anything as if a format asked for it: each kind of question, at every level.
void read(const StrictNode& node, int depth) {
  static_cast<void>(node.choice({"name", "mode"}));
  static_cast<void>(node.integer(1, 10));
  if (depth == 0) return;
  StrictObject object(node);
  static_cast<void>(object.text("name"));
  for (const char* key : {"a", "b", "token"}) {
    if (const auto member = object.find(key)) read(*member, depth - 1);
  }
  object.finish();
  for (const StrictNode& element : node.elements()) read(element, depth - 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const Quoting quoting : {Quoting::allowed, Quoting::never}) {
    auto file = StrictFile::parse("f", text, quoting);
    if (!file) continue;
    read(file->root(), 3);
    const auto verdict = file->verdict();
    SQUALL_ASSERT(verdict.has_value() || !verdict.error().message.empty());
  }
  return 0;
}
