#include "rule_reader.h"

#include <algorithm>
#include <array>

#include "squall/base/text.h"
#include "squall/json/pointer.h"

namespace squall::fault {

namespace {

constexpr std::size_t kNameBytesMax = 64;
constexpr std::size_t kListMax = 256;
constexpr std::size_t kGlobBytesMax = 256;
constexpr std::size_t kPointerTokensMax = 32;
constexpr std::int64_t kRankMax = 1000;
constexpr std::int64_t kOrdinalMax = 1'000'000'000'000;
constexpr std::string_view kIdForm =
    "a name: a to z, 0 to 9, '.', '_' and '-', at most 64, the first a letter or digit";

bool is_id(std::string_view text) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !text.empty() && text.size() <= kNameBytesMax && plain(text.front()) &&
         std::ranges::all_of(
             text, [&plain](char c) { return plain(c) || c == '.' || c == '_' || c == '-'; });
}

std::string read_id(const json::StrictNode& node) {
  const auto text = scalar_text(node);
  if (text && is_id(*text)) return *text;
  node.expected(kIdForm);
  return {};
}

std::uint64_t read_ordinal(const json::StrictNode& node) {
  return static_cast<std::uint64_t>(node.integer(1, kOrdinalMax));
}

std::vector<std::uint64_t> read_ordinals(const json::StrictNode& node) {
  std::vector<std::uint64_t> out;
  const auto elements = node.elements();
  if (node.value().is_array() && (elements.empty() || elements.size() > kListMax)) {
    node.expected("1 to 256 numbers");
    return out;
  }
  for (const json::StrictNode& element : elements) out.push_back(read_ordinal(element));
  std::ranges::sort(out);
  return out;
}

std::string read_glob(const json::StrictNode& node) {
  const auto text = scalar_text(node);
  if (text && text->size() <= kGlobBytesMax) return *text;
  node.expected("a text of at most 256 bytes, with * ? [...]");
  return {};
}

/// One glob, or a list of them.
std::vector<std::string> read_globs(const std::optional<json::StrictNode>& node) {
  std::vector<std::string> out;
  if (!node) return out;
  if (!node->value().is_array()) {
    out.push_back(read_glob(*node));
    return out;
  }
  for (const json::StrictNode& element : node->elements()) out.push_back(read_glob(element));
  if (out.empty() || out.size() > kListMax) node->expected("1 to 256 texts");
  return out;
}

std::optional<json::Pointer> read_pointer(const json::StrictNode& node, std::string_view text) {
  const auto pointer = json::Pointer::parse(text);
  if (pointer && pointer->tokens().size() <= kPointerTokensMax) return *pointer;
  node.expected("a JSON pointer such as /account_id, of at most 32 levels");
  return std::nullopt;
}

When read_when(const json::StrictNode& node) {
  When when;
  json::StrictObject object(node);
  when.tools = read_globs(object.find("tool"));
  when.methods = read_globs(object.find("method"));
  when.sessions = read_globs(object.find("session"));
  when.revisions = read_globs(object.find("revision"));
  if (const auto transport = object.find("transport")) {
    when.transport = transport->choice({"stdio", "http"}) == 0 ? Transport::stdio : Transport::http;
  }
  if (const auto direction = object.find("direction")) {
    static constexpr std::array kDirections = {"request", "response", "notification"};
    when.direction = kDirections[direction->choice({"request", "response", "notification"})];
  }
  if (const auto arguments = object.find("arguments")) {
    if (!arguments->value().is_object()) arguments->expected("an object of pointers and globs");
    for (const json::Member& member : arguments->value().members()) {
      std::string place = arguments->pointer();
      json::append_pointer_token(place, member.name());
      const json::StrictNode at(arguments->file(), member.value, place);
      const auto pointer = read_pointer(at, member.name());
      if (pointer) when.arguments.emplace_back(*pointer, read_glob(at));
    }
  }
  object.finish();
  return when;
}

/// The member, unless it is a setting of the kind that has the same name: those aren't numbers.
std::optional<json::StrictNode> find_trigger(json::StrictObject& rule, std::string_view name,
                                             const Kind* kind) {
  const json::Value* value = rule.node().value().find(name);
  const bool setting = kind != nullptr && kind->find(name) != nullptr && value != nullptr &&
                       !(name == "when" ? value->is_object() : value->is_number());
  if (setting) return std::nullopt;
  return rule.find(name);
}

Triggers read_triggers(json::StrictObject& rule, const Kind* kind) {
  Triggers out;
  if (const auto node = rule.find("attempts")) out.attempts = read_ordinals(*node);
  if (const auto node = rule.find("calls")) out.calls = read_ordinals(*node);
  if (const auto node = rule.find("every")) out.every = read_ordinal(*node);
  if (const auto node = find_trigger(rule, "after", kind)) out.after = read_ordinal(*node);
  if (const auto node = find_trigger(rule, "until", kind)) out.until = read_ordinal(*node);
  return out;
}

Budget read_budget(const json::StrictNode& node) {
  Budget out;
  json::StrictObject object(node);
  if (const auto strikes = object.find("strikes")) out.strikes = read_ordinal(*strikes);
  if (const auto concurrent = object.find("concurrent")) out.concurrent = read_ordinal(*concurrent);
  object.finish();
  if (!out.strikes && !out.concurrent) node.expected("{strikes: N} or {concurrent: N}");
  return out;
}

void read_burst(const json::StrictNode& node, Rule& rule) {
  json::StrictObject object(node);
  constexpr auto kMost = static_cast<std::int64_t>(kBurstMax);
  Burst burst;
  burst.start = rule.probability;
  const auto longest = object.need("max");
  if (longest) burst.longest = static_cast<std::uint64_t>(longest->integer(1, kMost));
  const auto shortest = object.find("min");
  if (shortest) burst.shortest = static_cast<std::uint64_t>(shortest->integer(1, kMost));
  if (const auto server = object.find("server")) rule.whole_server = server->boolean();
  object.finish();
  if (burst.shortest > burst.longest) node.complain("min is above max");
  rule.burst = burst;
}

void read_window(const json::StrictNode& node, Rule& rule) {
  json::StrictObject object(node);
  if (const auto length = object.need("length")) rule.window = read_ordinal(*length);
  if (const auto server = object.find("server")) rule.whole_server = server->boolean();
  object.finish();
  rule.key = Key::window;
}

void read_key(json::StrictObject& members, Rule& rule) {
  if (const auto node = members.find("key")) {
    const auto key = key_of(scalar_text(*node).value_or(""));
    if (!key || *key == Key::window) {
      node->expected(
          "args, record, call, method, connection, stream, spawn, session, catalogue, "
          "server-params or server-method (an outage is set by `window`)");
    } else {
      rule.key = *key;
    }
  }
}

void read_rank(json::StrictObject& members, Rule& rule) {
  if (const auto node = members.find("rank")) rule.rank = node->integer(-kRankMax, kRankMax);
  if (const auto node = members.find("exclusive")) rule.exclusive = read_id(*node);
  if (const auto node = members.find("scope")) rule.scope = read_scope(*node);
  if (const auto node = members.find("title")) rule.title = node->text(0);
  if (const auto node = members.find("note")) rule.note = node->text(0);
}

const Kind* read_kind(json::StrictObject& members) {
  const auto node = members.need("fault");
  if (!node) return nullptr;
  const std::string name = scalar_text(*node).value_or("");
  const Kind* kind = find_kind(name);
  if (kind != nullptr) return kind;
  std::vector<std::string> names;
  for (const Kind& known : kinds()) names.emplace_back(known.name);
  std::string what = "a kind of fault, as `squall faults` lists them";
  if (const auto meant = base::nearest(name, names)) {
    what += " (did you mean " + std::string(*meant) + "?)";
  }
  node->expected(what);
  return nullptr;
}

}  // namespace

void read_projection(json::StrictObject& members, Rule& rule) {
  const auto only = members.find("only");
  const auto ignore = members.find("ignore");
  if (only && ignore) ignore->complain("`only` and `ignore` exclude each other");
  const auto& list = only ? only : ignore;
  if (!list) return;
  rule.projection.mode = only ? Projection::Mode::only : Projection::Mode::ignore;
  for (const json::StrictNode& element : list->elements()) {
    const auto pointer = read_pointer(element, element.text(0));
    if (pointer) rule.projection.pointers.push_back(*pointer);
  }
  if (rule.projection.pointers.size() > kListMax) list->expected("at most 256 pointers");
}

std::optional<std::string> scalar_text(const json::StrictNode& node) {
  if (node.value().is_string()) return std::string(node.value().string());
  if (!node.value().is_number()) return std::nullopt;
  return node.source_text();
}

std::optional<Probability> read_probability(const json::StrictNode& node) {
  const auto text = scalar_text(node);
  if (!text) {
    node.expected("a probability such as 0.1, 12.5% or 1/8");
    return std::nullopt;
  }
  const auto probability = Probability::parse(*text);
  if (probability) return *probability;
  node.complain(probability.error().message);
  return std::nullopt;
}

std::optional<Seed> read_seed(const json::StrictNode& node) {
  const auto text = scalar_text(node);
  if (!text) {
    node.expected("a seed such as 1337 or 0x539");
    return std::nullopt;
  }
  const auto seed = Seed::parse(*text);
  if (seed) return *seed;
  node.complain(seed.error().message);
  return std::nullopt;
}

std::optional<Scope> read_scope(const json::StrictNode& node) {
  return static_cast<Scope>(node.choice({"run", "session", "connection", "process"}));
}

Rule read_rule(const json::StrictNode& node) {
  Rule rule;
  json::StrictObject members(node);
  rule.kind = read_kind(members);
  if (const auto id = members.find("id")) {
    rule.id = read_id(*id);
  } else if (rule.kind != nullptr) {
    rule.id = rule.kind->name;
  }
  rule.draw_key = rule.id;
  if (const auto key = members.find("draw_key")) rule.draw_key = read_id(*key);
  if (rule.kind != nullptr) rule.key = rule.kind->key;
  if (const auto probability = members.find("probability")) {
    rule.probability = read_probability(*probability).value_or(Probability());
  }
  read_key(members, rule);
  read_projection(members, rule);
  read_rank(members, rule);
  if (const auto when = find_trigger(members, "when", rule.kind)) rule.when = read_when(*when);
  rule.triggers = read_triggers(members, rule.kind);
  if (const auto budget = members.find("budget")) rule.budget = read_budget(*budget);
  const auto burst = members.find("burst");
  const auto window = members.find("window");
  if (burst) read_burst(*burst, rule);
  if (window) read_window(*window, rule);
  if (burst && window) window->complain("`burst` and `window` exclude each other");
  if (const auto arm = members.find("arm")) rule.arm = read_probability(*arm);
  // Without a kind nobody knows which of the other keys are right.
  if (rule.kind == nullptr) return rule;
  read_settings(members, *rule.kind, rule.settings, rule.drawn);
  members.finish();
  return rule;
}

}  // namespace squall::fault
