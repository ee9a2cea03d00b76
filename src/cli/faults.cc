#include "faults.h"

#include <algorithm>
#include <vector>

#include "squall/base/text.h"
#include "squall/fault/catalogue.h"
#include "squall/json/write.h"

#include "fail.h"
#include "text.h"

namespace squall::cli {

namespace {

constexpr std::size_t kNameColumn = 18;

std::string pad(std::string_view text) {
  std::string out(text);
  out.resize(std::max(kNameColumn, text.size() + 1), ' ');
  return out;
}

std::string_view transport_text(fault::Transport transport) {
  switch (transport) {
    case fault::Transport::stdio:
      return "stdio";
    case fault::Transport::http:
      return "http";
    case fault::Transport::any:
      break;
  }
  return "any transport";
}

std::string_view era_text(fault::Era era) {
  switch (era) {
    case fault::Era::legacy:
      return "up to 2025-11-25";
    case fault::Era::modern:
      return "from 2026-07-28";
    case fault::Era::both:
      break;
  }
  return "any revision";
}

std::string example(const fault::Kind& kind) {
  std::string out = "  - {fault: " + std::string(kind.name);
  if (!kind.example.empty()) out.append(", ").append(kind.example);
  return out + "}\n";
}

std::string explain(const fault::Kind& kind) {
  std::string out(kind.name);
  out.append(": ").append(kind.summary).append("\n\n");
  out.append("layer ").append(fault::name_of(kind.layer));
  out.append(", keyed by ").append(fault::name_of(kind.key));
  out.append(", ").append(transport_text(kind.transport));
  out.append(", ").append(era_text(kind.era)).append("\n");
  if (!kind.settings.empty()) out += "\nSettings, beside those that every kind takes:\n";
  for (const fault::Setting& setting : kind.settings) {
    out.append("  ").append(pad(setting.name)).append(setting.type_text());
    out += setting.required ? " (needed)\n" : "\n";
  }
  return out + "\nExample:\n" + example(kind);
}

std::string list() {
  std::string out;
  std::string_view layer;
  for (const fault::Kind& kind : fault::kinds()) {
    if (fault::name_of(kind.layer) != layer) {
      layer = fault::name_of(kind.layer);
      out.append(out.empty() ? "" : "\n").append(layer).append("\n");
    }
    out.append("  ").append(pad(kind.name)).append(kind.summary).append("\n");
  }
  return out + "\nsquall faults KIND tells the settings of one.\n";
}

json::Value to_json(const fault::Kind& kind) {
  json::Value settings = json::Value::array();
  for (const fault::Setting& setting : kind.settings) {
    json::Value entry = json::Value::object();
    entry.set("name", setting.name).set("takes", setting.type_text());
    entry.set("required", setting.required);
    settings.push_back(std::move(entry));
  }
  json::Value out = json::Value::object();
  out.set("kind", kind.name).set("layer", fault::name_of(kind.layer));
  out.set("key", fault::name_of(kind.key)).set("transport", transport_text(kind.transport));
  out.set("revisions", era_text(kind.era)).set("summary", kind.summary);
  out.set("settings", std::move(settings)).set("example", example(kind));
  return out;
}

}  // namespace

Exit faults(const FaultsCommand& command, Console& console) {
  if (command.kind.empty()) {
    if (!command.json) {
      console.out(list());
      return Exit::passed;
    }
    json::Value all = json::Value::array();
    for (const fault::Kind& kind : fault::kinds()) all.push_back(to_json(kind));
    console.out(json::to_pretty_string(json::Value::object({{"kinds", all}})) + "\n");
    return Exit::passed;
  }
  const fault::Kind* kind = fault::find_kind(command.kind);
  if (kind == nullptr) {
    std::vector<std::string> names;
    for (const fault::Kind& known : fault::kinds()) names.emplace_back(known.name);
    std::string message = "no kind of fault is called " + quote(command.kind);
    if (const auto meant = base::nearest(command.kind, names)) {
      message += "; did you mean " + std::string(*meant) + "?";
    }
    return complain(console, {ErrorKind::not_found, std::move(message)});
  }
  console.out(command.json ? json::to_pretty_string(to_json(*kind)) + "\n" : explain(*kind));
  return Exit::passed;
}

}  // namespace squall::cli
