#include <algorithm>

#include "squall/base/text.h"
#include "squall/base/units.h"
#include "squall/json/canonical.h"

#include "rule_reader.h"

namespace squall::fault {

namespace {

using Type = Setting::Type;
using std::chrono::nanoseconds;

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kCountMax = 1'000'000'000;
constexpr std::size_t kOptionsMax = 64;

std::string whole_time(std::int64_t milliseconds) {
  return time_text(nanoseconds(milliseconds * kMillisecond));
}

/// A bound of a drawn delay: whole milliseconds below 2^31.
std::int64_t read_bound(const std::optional<json::StrictNode>& node) {
  if (!node) return 0;
  const auto time = read_time(*node);
  if (!time) return 0;
  const std::int64_t count = time->count();
  if (count % kMillisecond == 0 && count / kMillisecond <= kDrawnMax) return count / kMillisecond;
  node->expected("whole milliseconds below 2^31, since delays are drawn in them");
  return 0;
}

Decimals read_shape(const std::optional<json::StrictNode>& node, bool zero_allowed) {
  if (!node) return {};
  const auto text = scalar_text(*node);
  const auto shape = Decimals::parse(text.value_or(""), zero_allowed);
  if (shape) return *shape;
  node->expected("a number above 0 with at most 4 decimals, such as 0.6");
  return {};
}

/// One reader of a distribution: notes mistakes, and gives its normalised form beside it.
class DistributionReader {
 public:
  DistributionReader(const json::StrictNode& node, Type type) : object_(node), type_(type) {}

  std::optional<Distribution> read(json::Value& normal) {
    std::optional<Distribution> out;
    if (const auto uniform = object_.find("uniform")) out = read_uniform(*uniform, normal);
    if (type_ == Type::delay) {
      if (const auto node = object_.find("exponential")) out = read_exponential(*node, normal);
      if (const auto node = object_.find("pareto")) out = read_pareto(*node, normal);
      if (const auto node = object_.find("lognormal")) out = read_lognormal(*node, normal);
      if (const auto node = object_.find("per_kib")) {
        if (const auto time = read_time(*node)) normal.set("per_kib", time_text(*time));
      }
    }
    object_.finish();
    if (object_.node().value().is_object() && object_.node().value().size() != 1) {
      object_.node().expected("one distribution");
    }
    return out;
  }

 private:
  std::int64_t bound(const json::StrictNode& node) const {
    return type_ == Type::delay ? read_bound(node) : node.integer(0, kCountMax);
  }
  [[nodiscard]] json::Value spell(std::int64_t value) const {
    return type_ == Type::delay ? json::Value(whole_time(value)) : json::Value(value);
  }

  Distribution read_uniform(const json::StrictNode& node, json::Value& normal) const {
    const auto bounds = node.elements();
    if (bounds.size() != 2) {
      if (node.value().is_array()) node.expected("two bounds, such as [1500ms, 6s]");
      return Uniform{};
    }
    const Uniform out{bound(bounds[0]), bound(bounds[1])};
    if (out.least > out.most) node.complain("the first bound is above the second");
    normal.set("uniform", json::Value::array({spell(out.least), spell(out.most)}));
    return Uniform{std::min(out.least, out.most), out.most};
  }
  static Distribution read_exponential(const json::StrictNode& node, json::Value& normal) {
    json::StrictObject object(node);
    const Exponential out{read_bound(object.need("mean")), read_bound(object.need("max"))};
    object.finish();
    normal.set("exponential",
               json::Value::object({{"mean", whole_time(out.mean)}, {"max", whole_time(out.max)}}));
    return out;
  }
  static std::string spell(const json::StrictObject& object, std::string_view name) {
    const json::Value* value = object.node().value().find(name);
    return value == nullptr
               ? ""
               : std::string(value->is_string() ? value->string() : value->number_text());
  }
  static Distribution read_pareto(const json::StrictNode& node, json::Value& normal) {
    json::StrictObject object(node);
    const Pareto out{read_bound(object.need("scale")), read_shape(object.need("alpha"), false),
                     read_bound(object.need("max"))};
    object.finish();
    normal.set("pareto", json::Value::object({{"scale", whole_time(out.scale)},
                                              {"alpha", spell(object, "alpha")},
                                              {"max", whole_time(out.max)}}));
    return out;
  }
  static Distribution read_lognormal(const json::StrictNode& node, json::Value& normal) {
    json::StrictObject object(node);
    const Lognormal out{read_bound(object.need("median")), read_shape(object.need("sigma"), true),
                        read_bound(object.need("max"))};
    object.finish();
    normal.set("lognormal", json::Value::object({{"median", whole_time(out.median)},
                                                 {"sigma", spell(object, "sigma")},
                                                 {"max", whole_time(out.max)}}));
    return out;
  }

  json::StrictObject object_;
  Type type_;
};

/// What a choice may be written as: `null` and numbers too, where they are names.
std::string choice_text(const json::StrictNode& node) {
  if (node.value().is_null()) return "null";
  return scalar_text(node).value_or("");
}

bool check_choice(const json::StrictNode& node, const Setting& setting, const std::string& name) {
  if (std::ranges::find(setting.choices, name) != setting.choices.end()) return true;
  std::string what = setting.type_text();
  if (const auto meant = base::nearest(name, setting.choices)) {
    what += " (did you mean " + std::string(*meant) + "?)";
  }
  node.expected(what);
  return false;
}

/// One element of a weighted list: `crlf` or `{crlf: 3}`.
std::optional<Option> read_option(const json::StrictNode& node, const Setting& setting) {
  if (!node.value().is_object()) {
    const std::string name = choice_text(node);
    if (!check_choice(node, setting, name)) return std::nullopt;
    return Option{name, 1};
  }
  if (node.value().size() != 1) {
    node.expected("a choice, or one with its weight such as {" + setting.choices.front() + ": 3}");
    return std::nullopt;
  }
  const json::Member& member = node.value().members().front();
  const std::string name(member.name());
  std::string pointer = node.pointer();
  json::append_pointer_token(pointer, name);
  const json::StrictNode weight(node.file(), member.value, pointer);
  if (!check_choice(node, setting, name)) return std::nullopt;
  return Option{
      name, static_cast<std::uint64_t>(weight.integer(0, static_cast<std::int64_t>(kWeightMax)))};
}

void read_choices(const json::StrictNode& node, const Setting& setting, json::Value& settings,
                  std::vector<Drawn>& drawn) {
  std::vector<Option> options;
  json::Value normal = json::Value::array();
  for (const json::StrictNode& element : node.elements()) {
    const auto option = read_option(element, setting);
    if (!option) continue;
    if (std::ranges::find(options, option->name, &Option::name) != options.end()) {
      element.complain("this choice stands in the list twice");
      continue;
    }
    normal.push_back(json::Value::object({{option->name, option->weight}}));
    options.push_back(*option);
  }
  const bool possible =
      std::ranges::any_of(options, [](const Option& option) { return option.weight > 0; });
  if (!possible || options.size() > kOptionsMax) {
    node.expected("1 to 64 choices, one with a weight above 0");
    return;
  }
  settings.set(setting.name, std::move(normal));
  drawn.push_back({setting.name, std::move(options)});
}

void read_choice(const json::StrictNode& node, const Setting& setting, json::Value& settings,
                 std::vector<Drawn>& drawn) {
  if (node.value().is_array()) return read_choices(node, setting, settings, drawn);
  const std::string name = choice_text(node);
  if (setting.type == Type::choice_or_time) {
    if (const auto time = base::parse_duration(name)) {
      settings.set(setting.name, time_text(*time));
      return;
    }
  }
  if (check_choice(node, setting, name)) settings.set(setting.name, name);
}

void read_setting(const json::StrictNode& node, const Setting& setting, json::Value& settings,
                  std::vector<Drawn>& drawn) {
  json::Value normal = json::Value::object();
  switch (setting.type) {
    case Type::text:
      settings.set(setting.name, node.text(0));
      return;
    case Type::boolean:
      settings.set(setting.name, node.boolean());
      return;
    case Type::integer:
      settings.set(setting.name, node.integer(-kCountMax, kCountMax));
      return;
    case Type::time:
      if (const auto time = read_time(node)) settings.set(setting.name, time_text(*time));
      return;
    case Type::size:
      if (const auto size = base::parse_size(scalar_text(node).value_or(""))) {
        settings.set(setting.name, size_text(*size));
      } else {
        node.expected(setting.type_text());
      }
      return;
    case Type::count:
    case Type::delay:
      break;
    case Type::choice:
    case Type::choice_or_time:
      return read_choice(node, setting, settings, drawn);
    case Type::any:
      if (!json::canonical(node.value())) node.complain("this value has no canonical form");
      settings.set(setting.name, node.value());
      return;
  }
  if (!node.value().is_object()) {
    if (setting.type == Type::count) {
      settings.set(setting.name, node.integer(0, kCountMax));
    } else if (const auto time = read_time(node)) {
      settings.set(setting.name, time_text(*time));
    }
    return;
  }
  auto distribution = DistributionReader(node, setting.type).read(normal);
  settings.set(setting.name, std::move(normal));
  if (distribution) drawn.push_back({setting.name, *distribution});
}

}  // namespace

void read_settings(json::StrictObject& members, const Kind& kind, json::Value& settings,
                   std::vector<Drawn>& drawn) {
  for (const Setting& setting : kind.settings) {
    // `when`, `after` and `until` are settings of some kinds and triggers of all: an object or a
    // bare number is the trigger.
    const json::Value* value = members.node().value().find(setting.name);
    const bool trigger =
        value != nullptr && ((setting.name == "when" && value->is_object()) ||
                             (setting.type == Type::choice_or_time && value->is_number()));
    if (trigger) continue;
    const auto node = setting.required ? members.need(setting.name) : members.find(setting.name);
    if (node) read_setting(*node, setting, settings, drawn);
  }
}

std::optional<std::chrono::nanoseconds> read_time(const json::StrictNode& node) {
  const auto text = scalar_text(node);
  const auto time = base::parse_duration(text.value_or(""));
  if (time) return *time;
  node.expected("a time such as 250ms, 1.5s or 2m");
  return std::nullopt;
}

}  // namespace squall::fault
