#include "squall/fault/projection.h"

#include <algorithm>
#include <span>
#include <utility>

#include "squall/base/crypto.h"
#include "squall/base/text.h"
#include "squall/json/canonical.h"

namespace squall::fault {

namespace {

constexpr std::size_t kSpelledOutMax = 1024;

/// The rest of a pointer, from a level on.
using Path = std::span<const std::string>;

/// The paths that lead through `name`, one level further; `here` when one ends at it.
std::vector<Path> below(const std::vector<Path>& paths, std::string_view name, bool& here) {
  std::vector<Path> out;
  for (const Path path : paths) {
    if (path.front() != name) continue;
    if (path.size() == 1) here = true;
    if (path.size() > 1) out.push_back(path.subspan(1));
  }
  return out;
}

/// What `only` keeps of `value` by `paths`, none of which is empty.
json::Value keep(const json::Value& value, const std::vector<Path>& paths) {
  std::vector<json::Member> kept;
  for (const json::Member& member : value.members()) {
    bool here = false;
    const std::vector<Path> further = below(paths, member.name(), here);
    if (here) {
      kept.push_back(member);
    } else if (!further.empty() && member.value.is_object()) {
      json::Value inner = keep(member.value, further);
      if (inner.size() > 0) kept.emplace_back(member.name(), std::move(inner));
    }
  }
  return json::Value::from_members(std::move(kept));
}

json::Value drop(const json::Value& value, const std::vector<Path>& paths) {
  if (!value.is_object() || paths.empty()) return value;
  std::vector<json::Member> kept;
  for (const json::Member& member : value.members()) {
    bool here = false;
    const std::vector<Path> further = below(paths, member.name(), here);
    if (!here) kept.emplace_back(member.name(), drop(member.value, further));
  }
  return json::Value::from_members(std::move(kept));
}

bool points_at_everything(const std::vector<json::Pointer>& pointers) {
  return std::ranges::any_of(pointers, [](const auto& p) { return p.tokens().empty(); });
}

}  // namespace

std::string Projection::identity() const {
  if (mode == Mode::all) return "all";
  std::vector<std::string> texts;
  for (const json::Pointer& pointer : pointers) texts.push_back(pointer.text());
  std::ranges::sort(texts);
  std::string out = mode == Mode::only ? "only" : "ignore";
  for (const std::string& text : texts) out += " " + std::to_string(text.size()) + ":" + text;
  return out;
}

json::Value Projection::apply(const json::Value& arguments) const {
  if (mode == Mode::all) return arguments;
  if (points_at_everything(pointers)) {
    return mode == Mode::only ? arguments : json::Value::object();
  }
  std::vector<Path> paths;
  for (const json::Pointer& pointer : pointers) paths.emplace_back(pointer.tokens());
  return mode == Mode::only ? keep(arguments, paths) : drop(arguments, paths);
}

Result<std::string> site_text(const json::Value& arguments) {
  SQUALL_TRY(std::string text, json::canonical(arguments));
  if (text.size() <= kSpelledOutMax) return text;
  const base::Sha256 digest = base::sha256(text);
  const std::string_view bytes(reinterpret_cast<const char*>(digest.data()), digest.size());
  return "[\"sha256\",\"" + base::hex_encode(bytes) + "\"]";
}

}  // namespace squall::fault
