// Profiles of fault-mcp: per tool a list of rules of which the first that fires wins.
#include <algorithm>
#include <map>

#include "squall/fault/builtin.h"
#include "squall/json/strict.h"
#include "squall/json/write.h"

#include "rule_reader.h"

namespace squall::fault {

namespace {

constexpr std::int64_t kRankMax = 1000;
constexpr std::int64_t kMillisecondsMax = 1'000'000'000;

/// One rule of theirs, with where it applies.
struct Theirs {
  json::StrictNode node;
  json::Value tools;  // for `when.tool`; null: everywhere
};

std::string milliseconds(std::int64_t count) { return std::to_string(count) + "ms"; }

/// The kinds of theirs, each as settings of ours.
class Converter {
 public:
  json::Value convert(const Theirs& theirs, std::int64_t rank) {
    json::StrictObject members(theirs.node);
    json::Value out = json::Value::object();
    const auto kind = members.need("kind");
    const std::string name = kind ? kind->text() : std::string();
    out.set("id", unique_id(name)).set("fault", name);
    add_settings(name, kind, members, out);
    if (const auto probability = members.find("probability")) {
      out.set("probability", read_probability(*probability).value_or(Probability()).text());
    }
    if (const auto calls = members.find("onCalls")) {
      for (const json::StrictNode& call : calls->elements()) {
        static_cast<void>(call.integer(1, kMillisecondsMax));
      }
      out.set("calls", calls->value());
    }
    if (const auto delay = members.find("delayMs")) {
      if (delay->integer(0, kMillisecondsMax) != 0) {
        delay->complain("has no counterpart: make the delay a rule of its own, of kind latency");
      }
    }
    if (const auto note = members.find("note")) out.set("note", note->text(0));
    members.finish();
    if (!theirs.tools.is_null()) out.set("when", json::Value::object({{"tool", theirs.tools}}));
    out.set("exclusive", "outcome").set("rank", rank);
    return out;
  }

 private:
  std::string unique_id(const std::string& kind) {
    const int count = ++ids_[kind];
    return count == 1 ? kind : kind + "-" + std::to_string(count);
  }

  static void add_settings(const std::string& kind, const std::optional<json::StrictNode>& node,
                           json::StrictObject& members, json::Value& out) {
    if (kind == "error") {
      const auto message = members.find("message");
      out.set("message", message ? message->text(0) : "EACCES: permission denied");
    } else if (kind == "empty") {
      const auto style = members.find("style");
      const bool blocks = style && style->choice({"empty-string", "no-blocks"}) == 1;
      out.set("style", blocks ? "no-blocks" : "empty-text");
    } else if (kind == "latency") {
      add_delay(members, out);
    } else if (kind == "truncate") {
      add_truncation(members, out);
    } else if (kind == "schema") {
      const auto mode = members.find("mode");
      static constexpr std::string_view kModes[] = {"type-swap", "drop-required",
                                                    "wrong-container"};
      const std::size_t chosen =
          mode ? mode->choice({"type-swap", "drop-required", "wrong-container"}) : 0;
      out.set("mode", kModes[chosen]);
      if (const auto field = members.find("field")) out.set("field", field->text());
    } else if (kind == "corrupt") {
      // Theirs asks a tool's own hook, or changes numbers blindly; ours knows kinds of values.
      if (const auto strategy = members.find("strategy")) {
        static_cast<void>(strategy->choice({"plausible", "generic"}));
      }
    } else if (node) {
      node->expected("error, empty, latency, truncate, schema or corrupt");
    }
  }

  static void add_delay(json::StrictObject& members, json::Value& out) {
    const auto read = [&members](std::string_view name, std::int64_t otherwise) {
      const auto node = members.find(name);
      return node ? node->integer(0, kMillisecondsMax) : otherwise;
    };
    const std::int64_t fixed = read("ms", 2000);
    const std::int64_t least = read("minMs", fixed);
    const std::int64_t most = read("maxMs", std::max(fixed, least));
    if (!members.has("minMs") && !members.has("maxMs")) {
      out.set("delay", milliseconds(fixed));
      return;
    }
    json::Value bounds = json::Value::array({milliseconds(least), milliseconds(most)});
    out.set("delay", json::Value::object({{"uniform", std::move(bounds)}}));
  }

  static void add_truncation(json::StrictObject& members, json::Value& out) {
    const auto keep = members.find("keep");
    out.set("keep", keep ? keep->integer(0, kMillisecondsMax) : 8).set("unit", "code-points");
    if (const auto suffix = members.find("suffix")) out.set("marker", suffix->text(0));
    if (const auto drop = members.find("dropStructured"); drop && !drop->boolean()) {
      drop->complain("has no counterpart: what is cut from a text is cut from its structure too");
    }
  }

  std::map<std::string, int> ids_;
};

std::vector<Theirs> collect(json::StrictObject& root) {
  std::vector<Theirs> out;
  const auto add = [&out](const std::optional<json::StrictNode>& list, const json::Value& tools) {
    if (!list) return;
    for (const json::StrictNode& node : list->elements()) out.push_back({node, tools});
  };
  add(root.find("forced"), {});
  json::Value others = json::Value::array();
  if (const auto tools = root.find("tools")) {
    json::StrictObject by_name(*tools);
    for (const json::Member& member : tools->value().members()) {
      const auto tool = by_name.find(member.name());
      if (!tool) continue;
      json::StrictObject one(*tool);
      add(one.find("faults"), json::Value(member.name()));
      if (const auto inherit = one.find("inheritDefaults"); inherit && !inherit->boolean()) {
        others.push_back("!" + std::string(member.name()));
      }
      one.finish();
    }
  }
  add(root.find("defaults"), others.size() > 0 ? others : json::Value());
  return out;
}

}  // namespace

Result<Profile> import_fault_mcp(std::string file_name, std::string text) {
  SQUALL_TRY(json::StrictFile file, json::StrictFile::parse(file_name, std::move(text)));
  json::StrictObject root(file.root());
  static_cast<void>(root.find("$schema"));
  json::Value out = json::Value::object();
  out.set("squall", 1);
  const auto name = root.find("name");
  out.set("name", name ? name->text() : "imported");
  if (const auto about = root.find("description")) out.set("note", about->text(0));
  const auto seed = root.find("seed");
  const auto read = seed ? read_seed(*seed) : std::optional<Seed>(Seed{1337});
  out.set("seed", read.value_or(Seed{}).decimal());
  const std::vector<Theirs> theirs = collect(root);
  root.finish();
  if (theirs.size() > static_cast<std::size_t>(kRankMax)) {
    root.node().complain("more than 1000 rules");
  }
  Converter converter;
  json::Value rules = json::Value::array();
  auto rank =
      static_cast<std::int64_t>(std::min(theirs.size(), static_cast<std::size_t>(kRankMax)));
  for (const Theirs& rule : theirs) {
    if (rank == 0) break;
    rules.push_back(converter.convert(rule, rank--));
  }
  out.set("rules", std::move(rules));
  SQUALL_CHECK(file.verdict());
  return read_profile(std::move(file_name), json::to_string(out));
}

}  // namespace squall::fault
