#include "squall/fault/catalogue.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kinds.h"

namespace squall::fault {

namespace {

using Type = Setting::Type;

constexpr std::array<std::string_view, 9> kLayers = {
    "process", "connection", "session", "auth", "http", "stream", "catalogue", "tool", "message"};
constexpr std::array<std::string_view, 12> kKeys = {
    "args",  "record",  "call",   "method",    "connection",    "stream",
    "spawn", "session", "window", "catalogue", "server-params", "server-method"};
constexpr std::string_view kTimeAmongChoices = "@time";

constexpr auto kTypes = std::to_array<std::pair<std::string_view, Type>>({
    {"text", Type::text},
    {"bool", Type::boolean},
    {"count", Type::count},
    {"integer", Type::integer},
    {"time", Type::time},
    {"size", Type::size},
    {"delay", Type::delay},
    {"any", Type::any},
});

/// Cuts `text` at the first `separator` and gives what stood before it.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return head;
}

/// "name:type" or "name:one|two", with "!" behind what is needed.
Setting read_setting(std::string_view text) {
  Setting out;
  out.name = cut(text, ':');
  if (text.ends_with('!')) {
    out.required = true;
    text.remove_suffix(1);
  }
  const auto* known = std::ranges::find(kTypes, text, &std::pair<std::string_view, Type>::first);
  if (known != kTypes.end()) {
    out.type = known->second;
    return out;
  }
  out.type = Type::choice;
  while (!text.empty()) {
    const std::string_view choice = cut(text, '|');
    if (choice == kTimeAmongChoices) {
      out.type = Type::choice_or_time;
    } else {
      out.choices.emplace_back(choice);
    }
  }
  return out;
}

std::vector<Kind> read_table() {
  std::vector<Kind> out;
  for (const KindRow& row : kind_rows()) {
    Kind kind{row.name,  row.layer,   row.key,     row.transport, row.era,
              row.draws, row.methods, row.summary, row.example,   {}};
    std::string_view rest = row.settings;
    while (!rest.empty()) kind.settings.push_back(read_setting(cut(rest, ' ')));
    out.push_back(std::move(kind));
  }
  return out;
}

std::string join_choices(const std::vector<std::string>& choices) {
  std::string out;
  for (const std::string& choice : choices) out += (out.empty() ? "" : " or ") + choice;
  return out;
}

}  // namespace

std::string_view name_of(Layer layer) noexcept { return kLayers[static_cast<std::size_t>(layer)]; }

std::string_view name_of(Key key) noexcept { return kKeys[static_cast<std::size_t>(key)]; }

std::optional<Key> key_of(std::string_view name) noexcept {
  const auto* at = std::ranges::find(kKeys, name);
  if (at == kKeys.end()) return std::nullopt;
  return static_cast<Key>(at - kKeys.begin());
}

std::string Setting::type_text() const {
  switch (type) {
    case Type::text:
      return "a text";
    case Type::boolean:
      return "true or false";
    case Type::count:
      return "a whole number from 0";
    case Type::integer:
      return "a whole number";
    case Type::time:
      return "a time such as 250ms";
    case Type::size:
      return "a size such as 64kib";
    case Type::delay:
      return "a time such as 250ms, or a distribution such as {uniform: [1s, 6s]}";
    case Type::choice:
      return join_choices(choices);
    case Type::choice_or_time:
      return choices.empty() ? "a time such as 250ms"
                             : join_choices(choices) + " or a time such as 250ms";
    case Type::any:
      break;
  }
  return "a value";
}

const Setting* Kind::find(std::string_view setting) const noexcept {
  const auto at = std::ranges::find(settings, setting, &Setting::name);
  return at == settings.end() ? nullptr : &*at;
}

std::span<const Kind> kinds() {
  static const std::vector<Kind> table = read_table();
  return table;
}

const Kind* find_kind(std::string_view name) {
  const auto all = kinds();
  const auto at = std::ranges::find(all, name, &Kind::name);
  return at == all.end() ? nullptr : &*at;
}

std::string no_meaning(const Kind& kind, const Surroundings& surroundings) {
  const std::string name(kind.name);
  const Transport there = surroundings.transport;
  if (kind.transport != Transport::any && there != Transport::any && kind.transport != there) {
    return kind.transport == Transport::http
               ? name + " has no meaning on stdio: it breaks what only HTTP has"
               : name + " has no meaning over HTTP: it breaks a child process and its pipes";
  }
  if (kind.era != Era::both && surroundings.era != Era::both && kind.era != surroundings.era) {
    return kind.era == Era::legacy
               ? name + " has no meaning on 2026-07-28: it breaks what only sessions have"
               : name + " has no meaning before 2026-07-28: it breaks what came with it";
  }
  return {};
}

}  // namespace squall::fault
