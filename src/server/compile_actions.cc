#include <algorithm>
#include <map>

#include "squall/json/pointer.h"
#include "squall/json/write.h"
#include "squall/mcp/names.h"
#include "squall/server/guards/guards.h"

#include "compiler.h"
#include "merge_schema.h"

namespace squall::server {

namespace {

constexpr std::string_view kWordCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
constexpr std::size_t kNameBytesMax = 128;
constexpr std::size_t kEgressBytesMin = 1 << 10;

std::string place_of(const std::source_location& where) {
  return std::string(where.file_name()) + ":" + std::to_string(where.line());
}

bool is_read_only(const ActionSpec& spec) {
  return spec.read_only.value_or(spec.nature == Nature::query);
}
bool is_destructive(const ActionSpec& spec) {
  return spec.destructive.value_or(spec.nature == Nature::mutation);
}
bool is_idempotent(const ActionSpec& spec) { return spec.idempotent.value_or(false); }

/// The parts of a dotted name; empty ones too.
std::vector<std::string_view> split(std::string_view name) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t dot = name.find('.');
    out.push_back(name.substr(0, dot));
    if (dot == std::string_view::npos) return out;
    name.remove_prefix(dot + 1);
  }
}

std::string_view tool_of(std::string_view name) { return name.substr(0, name.find('.')); }

/// What follows the tool in a dotted name, or "".
std::string_view key_of(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
}

/// The routers that the action was declared through, the outermost first.
std::vector<const RouterSpec*> routers_around(const ActionSpec& spec) {
  std::vector<const RouterSpec*> out;
  for (const RouterSpec* one = spec.router.get(); one != nullptr; one = one->parent.get()) {
    out.push_back(one);
  }
  std::ranges::reverse(out);
  return out;
}

const std::shared_ptr<const Presenter>& presenter_of(const ActionSpec& spec) {
  if (spec.presenter) return spec.presenter;
  for (const RouterSpec* one = spec.router.get(); one != nullptr; one = one->parent.get()) {
    if (one->presenter) return one->presenter;
  }
  return spec.presenter;
}

std::vector<std::string> tags_of(const ActionSpec& spec) {
  std::vector<std::string> tags = spec.tags;
  for (const RouterSpec* router : routers_around(spec)) {
    tags.insert(tags.end(), router->tags.begin(), router->tags.end());
  }
  std::ranges::sort(tags);
  const auto repeated = std::ranges::unique(tags);
  tags.erase(repeated.begin(), repeated.end());
  return tags;
}

const json::Value& input_of(const ActionSpec& spec) {
  static const json::Value kNone = json::Value::object({{"type", "object"}});
  return spec.input.is_null() ? kNone : spec.input;
}

bool is_object_schema(const json::Value& schema) {
  const json::Value* type = schema.find("type");
  return type != nullptr && type->string() == "object";
}

void override_members(json::Value& into, const json::Value& from) {
  for (const json::Member& member : from.members()) into.set(member.name(), member.value);
}

json::Value hints_of(const ActionSpec& spec) {
  json::Value hints = json::Value::object({{"readOnlyHint", is_read_only(spec)}});
  if (!is_read_only(spec)) hints.set("destructiveHint", is_destructive(spec));
  if (is_idempotent(spec)) hints.set("idempotentHint", true);
  override_members(hints, spec.annotations);
  return hints;
}

json::Value hints_of(const std::vector<const ActionSpec*>& specs) {
  json::Value hints = json::Value::object(
      {{"readOnlyHint", std::ranges::all_of(specs, [](auto* one) { return is_read_only(*one); })},
       {"destructiveHint",
        std::ranges::any_of(specs, [](auto* one) { return is_destructive(*one); })},
       {"idempotentHint",
        std::ranges::all_of(specs, [](auto* one) { return is_idempotent(*one); })}});
  return hints;
}

/// One line of a group's description: what the action does, needs and risks.
std::string summary_of(const ActionSpec& spec) {
  std::string line = "- " + std::string(key_of(spec.name)) + ":";
  if (!spec.description.empty()) line += " " + spec.description;
  if (!line.ends_with('.') && !line.ends_with(':')) line += '.';
  const json::Value* required = input_of(spec).find("required");
  if (required != nullptr && required->size() != 0) {
    line += " Needs ";
    for (std::size_t i = 0; i < required->size(); ++i) {
      if (i != 0) line += ", ";
      line += required->items()[i].string();
    }
    line += '.';
  }
  if (is_destructive(spec)) line += " [DESTRUCTIVE]";
  return line;
}

/// The routers that stand for tool `name` itself.
std::vector<const RouterSpec*> routers_of(const std::string& name,
                                          const std::vector<const ActionSpec*>& specs) {
  std::vector<const RouterSpec*> out;
  for (const ActionSpec* spec : specs) {
    for (const RouterSpec* router : routers_around(*spec)) {
      if (router->prefix == name && std::ranges::find(out, router) == out.end()) {
        out.push_back(router);
      }
    }
  }
  return out;
}

/// What tells these guards from others of the same action.
std::string settings_of(const GuardOptions& options, std::string_view serialize_by) {
  std::string out;
  const auto add = [&](std::string_view name, std::size_t a, std::size_t b) {
    out += std::string(name) + " " + std::to_string(a) + " " + std::to_string(b) + "\n";
  };
  const auto count = [](runtime::Duration span) { return static_cast<std::size_t>(span.count()); };
  if (options.argument_bytes) add("arguments", *options.argument_bytes, 0);
  if (options.rate) add("rate", options.rate->calls, count(options.rate->per));
  if (options.serialize) out += "serialize " + std::string(serialize_by) + "\n";
  if (options.concurrency) {
    add("concurrency", options.concurrency->active_max, options.concurrency->queue_max);
  }
  if (options.time) add("time", count(*options.time), 0);
  return out;
}

}  // namespace

void detail::constrain(ActionSpec& spec, std::string_view name,
                       const schema::Constraint& constraint, json::Value own_value) {
  json::Value* properties = spec.input.find("properties");
  json::Value& property = (*properties)[name];
  if (!constraint.optional) {
    property.set(constraint.keyword, constraint.value);
    return;
  }
  if (!own_value.is_null()) property.set(constraint.keyword, std::move(own_value));
  json::Value* required = spec.input.find("required");
  if (required == nullptr) return;
  json::Value kept = json::Value::array();
  for (const json::Value& one : required->items()) {
    if (one.string() != name) kept.push_back(one);
  }
  if (kept.size() == 0) {
    spec.input.erase("required");
  } else {
    spec.input.set("required", std::move(kept));
  }
}

void seal_chain(ActionEntry& entry) {
  entry.rounds_from = entry.chain.size();
  entry.has_stages = false;
  for (std::size_t i = entry.chain.size(); i-- > 0;) {
    if (entry.chain[i].rounds == Rounds::every) entry.rounds_from = i;
    if (entry.chain[i].stage) entry.has_stages = true;
  }
}

bool Compiler::is_served(const std::vector<std::string>& tags) const {
  const TagFilter& filter = options_.tags;
  const auto has = [&](const std::string& tag) {
    return std::ranges::find(tags, tag) != tags.end();
  };
  return std::ranges::all_of(filter.all, has) &&
         (filter.any.empty() || std::ranges::any_of(filter.any, has)) &&
         std::ranges::none_of(filter.none, has);
}

void Compiler::check_own_context(const std::optional<std::type_index>& taken,
                                 const std::function<void(const std::string&)>& refuse) {
  if (!whole_ || !taken || taken == registry_.own_context_) return;
  refuse(registry_.own_context_
             ? "a handler or check of it takes another context than the factory makes"
             : "a handler or check of it takes a context of the server's own, and the registry has "
               "no factory for one (Registry::context)");
}

void Compiler::check_chain(const ActionEntry& entry,
                           const std::function<void(const std::string&)>& refuse) {
  for (const Middleware& link : entry.chain) {
    check_own_context(link.own_context, refuse);
    if (!link.check && !link.stage && !link.presenter) refuse("a guard or stage of it is null");
  }
}

void Compiler::check_limits(const ActionSpec& spec) {
  const GuardOptions& limits = spec.limits;
  if (limits.concurrency && limits.concurrency->active_max == 0) {
    mistake(spec, "its concurrency lets no call run");
  }
  if (limits.rate && (limits.rate->calls == 0 || limits.rate->per <= runtime::Duration{})) {
    mistake(spec, "its rate lets no call run");
  }
  if (limits.time && *limits.time <= runtime::Duration{}) {
    mistake(spec, "its timeout leaves a call no time");
  }
  if (limits.egress && limits.egress->bytes < kEgressBytesMin) {
    mistake(spec, "its egress has no room for what tells of a cut: 1 KiB at least");
  }
}

bool Compiler::check(const ActionSpec& spec) {
  const std::size_t before = mistakes_.size();
  for (const std::string& what : spec.mistakes) mistake(spec, what);
  const std::vector<std::string_view> words = split(spec.name);
  if (spec.name.size() > kNameBytesMax || std::ranges::any_of(words, [](std::string_view word) {
        return word.empty() || word.find_first_not_of(kWordCharacters) != std::string_view::npos;
      })) {
    mistake(spec, "a name is words of A-Z a-z 0-9 _ - with dots between, 128 characters at most");
  }
  if (!spec.router && words.size() > 2) {
    mistake(spec, "has two dots in its name; deeper names need a router (Registry::router)");
  }
  if (whole_ && !spec.handler.set()) mistake(spec, "has no handler");
  check_own_context(spec.own_context, [&](const std::string& what) { mistake(spec, what); });
  check_limits(spec);
  if (!is_object_schema(input_of(spec))) {
    mistake(spec, "the input schema must say \"type\": \"object\" at its root");
  }
  return mistakes_.size() == before;
}

void append_guard(ActionEntry& entry, std::shared_ptr<Stage> guard) {
  entry.chain.push_back(Middleware::from_stage(std::move(guard), Rounds::first));
  entry.chain.back().resumes = true;
}

void append_presenter(ActionEntry& entry, std::shared_ptr<const Presenter> presenter) {
  // A guard may change what the presenter gave.
  if (entry.chain.empty()) entry.promise = presenter->promise();
  entry.chain.emplace_back().presenter = std::move(presenter);
}

/// Two callers must not change one thing at once.
void Compiler::serialize_changes(const ActionSpec& spec, GuardOptions& guards) {
  if (spec.concurrent || (!is_destructive(spec) && spec.serialize_by.empty())) return;
  SerializeOptions options;
  if (!spec.serialize_by.empty()) {
    auto pointer = json::Pointer::parse(spec.serialize_by);
    if (!pointer) return mistake(spec, "serialises by \"" + spec.serialize_by + "\": no pointer");
    options.key = [path = *std::move(pointer)](Context& context) {
      const json::Value* named = path.find(context.arguments());
      return named != nullptr ? json::to_string(*named) : std::string();
    };
  }
  guards.serialize = std::move(options);
}

void Compiler::add_guards(const ActionSpec& spec, ActionEntry& entry) {
  for (const RouterSpec* router : routers_around(spec)) {
    for (const std::shared_ptr<Stage>& guard : router->guards) append_guard(entry, guard);
  }
  for (const std::shared_ptr<Stage>& guard : spec.guards) append_guard(entry, guard);
  GuardOptions options = spec.limits;
  if (auto egress = std::exchange(options.egress, std::nullopt)) {
    egress->output = entry.output;
    append_guard(entry, limit_egress(*std::move(egress)));
  }
  serialize_changes(spec, options);
  for (const auto& guard : spec.kept->made(settings_of(options, spec.serialize_by), options)) {
    append_guard(entry, guard);
  }
}

void Compiler::make_chain(const ActionSpec& spec, ActionEntry& entry) {
  add_guards(spec, entry);
  if (const auto& presenter = presenter_of(spec)) append_presenter(entry, presenter);
  const auto append = [&](const std::vector<Middleware>& links) {
    entry.chain.insert(entry.chain.end(), links.begin(), links.end());
  };
  append(registry_.middleware_);
  append(spec.inherited);
  for (const RouterSpec* router : routers_around(spec)) append(router->middleware);
  append(spec.middleware);
  check_chain(entry, [&](const std::string& what) { mistake(spec, what); });
  seal_chain(entry);
}

const json::Value& Compiler::output_of(const ActionSpec& spec) {
  const auto& presenter = presenter_of(spec);
  if (!presenter) return spec.output;
  const auto [known, fresh] = presented_.try_emplace(presenter.get());
  if (fresh) known->second = presenter->output_schema();
  return known->second;
}

std::optional<ActionEntry> Compiler::make_entry(const ActionSpec& spec, std::string key,
                                                json::Value schema) {
  std::string why;
  const schema::Schema* compiled = compile_schema(schema, why);
  if (compiled == nullptr) {
    mistake(spec, "input schema: " + why);
    return std::nullopt;
  }
  ActionEntry entry(*compiled);
  entry.name = spec.name;
  entry.key = std::move(key);
  entry.input_schema = std::move(schema);
  entry.handler = spec.handler;
  entry.tags = tags_of(spec);
  entry.nature = spec.nature;
  entry.tasks = spec.tasks;
  pipeline_->tasks |= spec.tasks != TaskSupport::none;
  entry.parts = spec.parts;
  if (const json::Value& output = output_of(spec); !output.is_null()) {
    const schema::Schema* promised = compile_schema(output, why);
    if (promised == nullptr) {
      mistake(spec, "output schema: " + why);
      return std::nullopt;
    }
    entry.output = *promised;
    entry.output_is_object = is_object_schema(output);
  }
  make_chain(spec, entry);
  return entry;
}

void Compiler::insert_tool(const ActionSpec& first, ToolEntry entry) {
  const std::string name = entry.name;
  if (!pipeline_->tools.try_emplace(name, std::move(entry)).second) {
    mistake(first, "another tool is already called \"" + name + "\"");
  }
}

void Compiler::add_flat(const ActionSpec& spec, const std::string& name) {
  if (name.size() > kNameBytesMax) {
    return mistake(spec, "its flat name is longer than 128 characters");
  }
  const json::Value schema = strict_schema(input_of(spec), spec.open, "", "");
  auto headers = mcp::param_headers(schema);
  if (!headers) return mistake(spec, headers.error().message);
  auto action = make_entry(spec, "", schema);
  if (!action) return;
  action->output_is_listed = action->output.has_value();
  json::Value listed = json::Value::object({{"name", name}});
  set_if(listed, "title", spec.title);
  set_if(listed, "description", spec.description);
  set_if(listed, "icons", spec.icons);
  listed.set("inputSchema", schema);
  list_tool(listed, output_of(spec), action->output_is_object, hints_of(spec), spec.meta);
  ToolEntry tool;
  tool.name = name;
  tool.headers = std::move(*headers);
  tool.keys.emplace_back();
  tool.actions.try_emplace("", std::move(*action));
  insert_tool(spec, std::move(tool));
}

std::string Compiler::describe_group(const std::string& name, const Specs& specs,
                                     json::Value& listed) {
  std::string text;
  for (const RouterSpec* router : routers_of(name, specs)) {
    const auto settle = [&](std::string_view what, const std::string& value) {
      if (value.empty()) return;
      const auto known = listed.find_string(what);
      if (!known) {
        listed.set(what, value);
      } else if (*known != value) {
        mistake(router->where, "router \"" + name + "\": has another " + std::string(what) +
                                   " than a router of the same name");
      }
    };
    settle("title", router->title);
    settle("description", router->description);
    if (!router->icons.is_null() && !listed.contains("icons")) listed.set("icons", router->icons);
  }
  text = listed.find_string("description").value_or(name);
  if (!text.ends_with('.')) text += '.';
  text += " `" + options_.discriminator + "` chooses what to do:";
  for (const ActionSpec* spec : specs) text += "\n" + summary_of(*spec);
  return text;
}

void Compiler::add_group(const std::string& name, const Specs& specs) {
  const std::string& discriminator = options_.discriminator;
  ToolEntry tool;
  tool.name = name;
  tool.discriminator = discriminator;
  std::vector<ActionSchema> schemas;
  for (const ActionSpec* spec : specs) {
    const json::Value& input = input_of(*spec);
    const json::Value* properties = input.find("properties");
    if (properties != nullptr && properties->contains(discriminator)) {
      mistake(*spec, "a parameter is named \"" + discriminator +
                         "\", as the argument that chooses the action is; rename one of them "
                         "(CompileOptions::discriminator)");
      continue;
    }
    schemas.push_back({key_of(spec->name), spec->name, &input});
    std::string key(schemas.back().key);
    auto action = make_entry(*spec, key, strict_schema(input, spec->open, discriminator, key));
    if (!action) continue;
    tool.keys.push_back(key);
    tool.actions.try_emplace(std::move(key), std::move(*action));
  }
  MergedSchema merged = merge_schemas(discriminator, schemas);
  for (const std::string& clash : merged.clashes) mistake(*specs.front(), clash);
  auto headers = mcp::param_headers(merged.schema);
  if (!headers) return mistake(*specs.front(), headers.error().message);
  tool.headers = std::move(*headers);
  json::Value listed = json::Value::object({{"name", name}});
  const std::string description = describe_group(name, specs, listed);
  listed.set("description", description);
  listed.set("inputSchema", std::move(merged.schema));
  const json::Value& output = common_output(specs);
  json::Value hints = hints_of(specs);
  json::Value meta;
  for (const ActionSpec* spec : specs) {
    override_members(hints, spec->annotations);
    if (spec->meta.is_object()) override_members(meta, spec->meta);
  }
  tool.output_is_listed = !output.is_null();
  for (auto& [key, action] : tool.actions) action.output_is_listed = tool.output_is_listed;
  list_tool(listed, output, output.is_null() || is_object_schema(output), hints, meta);
  insert_tool(*specs.front(), std::move(tool));
}

const json::Value& Compiler::common_output(const Specs& specs) {
  static const json::Value kNone;
  const json::Value& first = output_of(*specs.front());
  const bool common = std::ranges::all_of(specs, [&](const ActionSpec* spec) {
    const json::Value& output = output_of(*spec);
    return &output == &first || output == first;
  });
  return common ? first : kNone;
}

void Compiler::add_actions() {
  Specs specs;
  for (const ActionSpec& spec : registry_.actions_) {
    if (check(spec)) specs.push_back(&spec);
  }
  // By name, so that it makes no difference in which order files were heard.
  std::ranges::stable_sort(specs, {},
                           [](const ActionSpec* spec) -> const std::string& { return spec->name; });
  for (std::size_t i = 1; i < specs.size(); ++i) {
    if (specs[i]->name != specs[i - 1]->name) continue;
    mistake(*specs[i], "is declared twice; also at " + place_of(specs[i - 1]->where));
  }
  std::map<std::string_view, Specs> groups;
  for (const ActionSpec* spec : specs) {
    if (!is_served(tags_of(*spec))) continue;
    if (options_.exposition == Exposition::flat || key_of(spec->name).empty()) {
      std::string name = spec->name;
      for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot)) {
        name.replace(dot, 1, options_.separator);
        dot += options_.separator.size();
      }
      add_flat(*spec, name);
    } else {
      groups[tool_of(spec->name)].push_back(spec);
    }
  }
  for (const auto& [name, members] : groups) add_group(std::string(name), members);
}

}  // namespace squall::server
