#include "compiler.h"

#include <algorithm>
#include <set>

#include "squall/json/parse.h"
#include "squall/mcp/names.h"

namespace squall::server {

namespace {

constexpr std::string_view kNameCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
constexpr std::size_t kNameBytesMax = 128;

/// Before 2026-07-28 an output is an object; others travel as the member `result` of one.
json::Value wrapped(const json::Value& output) {
  return json::Value::object({{"type", "object"},
                              {"properties", json::Value::object({{"result", output}})},
                              {"required", json::Value::array({"result"})}});
}

std::string cache_members(const CacheHint& hint) {
  return "\"ttlMs\":" + std::to_string(std::max<std::int64_t>(0, hint.ttl_ms)) +
         ",\"cacheScope\":\"" + (hint.shared ? "public" : "private") + "\"";
}

}  // namespace

void set_if(json::Value& entry, std::string_view name, const std::string& text) {
  if (!text.empty()) entry.set(name, text);
}

void set_if(json::Value& entry, std::string_view name, const json::Value& value) {
  if (!value.is_null()) entry.set(name, value);
}

json::Value detail::parse_schema_text(std::string_view text, std::string_view what,
                                      std::vector<std::string>& mistakes) {
  auto value = json::parse(text);
  if (value) return std::move(*value);
  mistakes.push_back(std::string(what) + " is not JSON: " + value.error().text());
  return {};
}

Tool& Tool::input(std::string_view schema_text) {
  input_schema_ = detail::parse_schema_text(schema_text, "input schema", mistakes_);
  return *this;
}

Tool& Tool::output(std::string_view schema_text) {
  output_schema_ = detail::parse_schema_text(schema_text, "output schema", mistakes_);
  return *this;
}

void Compiler::check_options() {
  const std::string& chooser = options_.discriminator;
  if (chooser.empty() || chooser.size() > kNameBytesMax ||
      chooser.find_first_not_of(kNameCharacters) != std::string::npos) {
    mistake("option", "discriminator", "is no name of an argument: 1 to 128 of A-Z a-z 0-9 _ . -");
  }
  if (options_.separator.find_first_not_of(kNameCharacters) != std::string::npos) {
    mistake("option", "separator", "has characters that names can't have");
  }
}

Result<std::shared_ptr<const Pipeline>> Compiler::run() {
  check_options();
  for (const Tool& tool : registry_.tools_) add(tool);
  add_actions();
  for (const Resource& resource : registry_.resources_) add(resource);
  for (const Prompt& prompt : registry_.prompts_) add(prompt);
  pipeline_->make_own_context = registry_.make_own_context_;
  pipeline_->options = options_;
  if (whole_ && mistakes_.empty()) pipeline_->source = std::make_shared<const Registry>(registry_);
  add_pages();
  add_identity();
  if (!mistakes_.empty()) return fail(ErrorKind::invalid, mistakes_);
  return std::shared_ptr<const Pipeline>(std::move(pipeline_));
}

void Compiler::mistake(std::string_view kind, const std::string& name, const std::string& what) {
  if (!mistakes_.empty()) mistakes_ += '\n';
  mistakes_ += std::string(kind) + " \"" + name + "\": " + what;
}

void Compiler::mistake(const std::source_location& where, const std::string& what) {
  if (!mistakes_.empty()) mistakes_ += '\n';
  mistakes_ += std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " + what;
}

void Compiler::mistake(const ActionSpec& spec, const std::string& what) {
  mistake(spec.where, "action \"" + spec.name + "\": " + what);
}

void Compiler::add(const Tool& tool) {
  if (!is_served(tool.tags_)) return;
  const auto refuse = [&](const std::string& what) { mistake("tool", tool.name_, what); };
  for (const std::string& what : tool.mistakes_) refuse(what);
  if (tool.name_.empty() || tool.name_.size() > kNameBytesMax ||
      tool.name_.find_first_not_of(kNameCharacters) != std::string::npos) {
    refuse("a name is 1 to 128 of A-Z a-z 0-9 _ . -");
  }
  if (!tool.handler_.set() && whole_) refuse("has no handler");
  check_own_context(tool.own_context_, refuse);
  json::Value input = tool.input_schema_;
  if (input.is_null()) input = json::Value::object({{"type", "object"}});
  const json::Value* type = input.find("type");
  if (type == nullptr || type->string() != "object") {
    refuse("the input schema must say \"type\": \"object\" at its root");
  }
  std::string why;
  const schema::Schema* compiled = compile_schema(input, why);
  if (compiled == nullptr) return refuse("input schema: " + why);
  auto headers = mcp::param_headers(input);
  if (!headers) return refuse(headers.error().message);
  ActionEntry entry(*compiled);
  entry.name = tool.name_;
  entry.input_schema = input;
  entry.handler = tool.handler_;
  entry.tasks = tool.tasks_;
  entry.tags = tool.tags_;
  pipeline_->tasks |= tool.tasks_ != TaskSupport::none;
  const json::Value promised =
      tool.presenter_ ? tool.presenter_->output_schema() : tool.output_schema_;
  if (!promised.is_null()) {
    const schema::Schema* output = compile_schema(promised, why);
    if (output == nullptr) return refuse("output schema: " + why);
    entry.output = *output;
    entry.output_is_listed = true;
    const json::Value* output_type = promised.find("type");
    entry.output_is_object = output_type != nullptr && output_type->string() == "object";
  }
  for (const std::shared_ptr<Stage>& guard : tool.guards_) append_guard(entry, guard);
  if (tool.presenter_) append_presenter(entry, tool.presenter_);
  entry.chain.insert(entry.chain.end(), registry_.middleware_.begin(), registry_.middleware_.end());
  entry.chain.insert(entry.chain.end(), tool.inherited_.begin(), tool.inherited_.end());
  check_chain(entry, refuse);
  seal_chain(entry);
  json::Value listed = json::Value::object({{"name", tool.name_}});
  set_if(listed, "title", tool.title_);
  set_if(listed, "description", tool.description_);
  set_if(listed, "icons", tool.icons_);
  listed.set("inputSchema", input);
  list_tool(listed, promised, entry.output_is_object, tool.annotations_, tool.meta_, tool.legs_);
  ToolEntry made;
  made.name = tool.name_;
  made.legs = tool.legs_;
  made.headers = std::move(*headers);
  made.actions.try_emplace("", std::move(entry));
  if (!pipeline_->tools.try_emplace(tool.name_, std::move(made)).second) {
    refuse("is registered twice");
  }
}

void Compiler::list_tool(const json::Value& listed, const json::Value& output,
                         bool output_is_object, const json::Value& annotations,
                         const json::Value& meta, unsigned legs) {
  pipeline_->tool_names.emplace_back(listed.find("name")->string());
  std::string begin = json::to_string(listed);
  begin.pop_back();
  const auto text_with = [&](const json::Value& promised) {
    std::string text = begin;
    const auto append = [&](std::string_view name, const json::Value& value) {
      if (value.is_null()) return;
      text += ",\"" + std::string(name) + "\":";
      json::write(text, value);
    };
    append("outputSchema", promised);
    append("annotations", annotations);
    append("_meta", meta);
    return text + "}";
  };
  const auto modern = std::make_shared<const std::string>(text_with(output));
  const auto legacy =
      output_is_object ? modern : std::make_shared<const std::string>(text_with(wrapped(output)));
  const auto on = [&](Leg leg) { return (legs & static_cast<unsigned>(leg)) != 0; };
  legs_differ_ |= on(Leg::stateless) != on(Leg::session);
  if (on(Leg::modern)) tools_.push_back(modern);
  if (on(Leg::stateless)) stateless_tools_.push_back(legacy);
  if (on(Leg::session)) legacy_tools_.push_back(legacy);
}

const schema::Schema* Compiler::compile_schema(const json::Value& schema, std::string& why) {
  std::string text = json::to_string(schema);
  if (const auto known = schemas_.find(text); known != schemas_.end()) return &known->second;
  auto compiled = schema::Schema::compile(schema);
  if (!compiled) {
    why = std::move(compiled).error().message;
    return nullptr;
  }
  return &schemas_.emplace(std::move(text), std::move(*compiled)).first->second;
}

void Compiler::add(const Resource& resource) {
  const auto refuse = [&](const std::string& what) { mistake("resource", resource.uri_, what); };
  if (!resource.handler_.set() && whole_) refuse("has no handler");
  check_own_context(resource.own_context_, refuse);
  if (resource.name_.empty()) refuse("has no name");
  if (resource.uri_.find(':') == std::string::npos) refuse("a URI begins with its scheme");
  ResourceEntry entry;
  entry.uri = resource.uri_;
  entry.mime_type = resource.mime_type_;
  entry.handler = resource.handler_;
  json::Value listed =
      json::Value::object({{resource.is_template_ ? "uriTemplate" : "uri", resource.uri_}});
  listed.set("name", resource.name_);
  set_if(listed, "title", resource.title_);
  set_if(listed, "description", resource.description_);
  set_if(listed, "mimeType", resource.mime_type_);
  set_if(listed, "size", resource.size_);
  set_if(listed, "icons", resource.icons_);
  set_if(listed, "annotations", resource.annotations_);
  set_if(listed, "_meta", resource.meta_);
  pipeline_->has_resources = true;
  if (!resource.is_template_) {
    resources_.push_back(std::make_shared<const std::string>(json::to_string(listed)));
    if (!resource.completers_.empty()) refuse("only templates have variables to complete");
    if (!pipeline_->resources.try_emplace(resource.uri_, std::move(entry)).second) {
      refuse("is registered twice");
    }
    return;
  }
  auto parsed = mcp::UriTemplate::parse(resource.uri_);
  if (!parsed) return refuse(parsed.error().message);
  const std::vector<std::string> names = parsed->names();
  for (const auto& [variable, completer] : resource.completers_) {
    if (std::find(names.begin(), names.end(), variable) == names.end()) {
      refuse("completes \"" + variable + "\", which is no variable of it");
    }
    entry.completers.push_back({variable, completer});
  }
  entry.uri_template = std::move(*parsed);
  if (pipeline_->find_template(resource.uri_) != nullptr) refuse("is registered twice");
  templates_.push_back(std::make_shared<const std::string>(json::to_string(listed)));
  pipeline_->templates.push_back(std::move(entry));
}

void Compiler::add(const Prompt& prompt) {
  const auto refuse = [&](const std::string& what) { mistake("prompt", prompt.name_, what); };
  if (prompt.name_.empty()) refuse("has no name");
  if (!prompt.handler_.set() && whole_) refuse("has no handler");
  check_own_context(prompt.own_context_, refuse);
  json::Value listed = json::Value::object({{"name", prompt.name_}});
  set_if(listed, "title", prompt.title_);
  set_if(listed, "description", prompt.description_);
  set_if(listed, "icons", prompt.icons_);
  PromptEntry entry;
  entry.name = prompt.name_;
  entry.handler = prompt.handler_;
  json::Value arguments = json::Value::array();
  std::set<std::string> names;
  for (const Prompt::Argument& argument : prompt.arguments_) {
    if (!names.insert(argument.name).second) refuse("has two arguments \"" + argument.name + "\"");
    json::Value one = json::Value::object({{"name", argument.name}});
    set_if(one, "description", argument.description);
    one.set("required", argument.required);
    arguments.push_back(std::move(one));
    entry.arguments.push_back({argument.name, argument.required});
    if (argument.completer) entry.completers.push_back({argument.name, argument.completer});
  }
  if (arguments.size() != 0) listed.set("arguments", std::move(arguments));
  set_if(listed, "_meta", prompt.meta_);
  prompts_.push_back(std::make_shared<const std::string>(json::to_string(listed)));
  if (!pipeline_->prompts.try_emplace(prompt.name_, std::move(entry)).second) {
    refuse("is registered twice");
  }
}

/// The list pages of `entries` under member `name`.
std::vector<std::string> Compiler::make_pages(std::string_view name, const Entries& entries) const {
  const std::size_t page_size = std::max<std::size_t>(1, options_.page_size);
  std::vector<std::string> pages;
  std::size_t at = 0;
  do {
    const std::size_t end = std::min(entries.size(), at + page_size);
    std::size_t bytes = name.size() + 64;
    for (std::size_t i = at; i < end; ++i) bytes += entries[i]->size() + 1;
    std::string page;
    page.reserve(bytes);
    page.append("\"").append(name).append("\":[");
    for (std::size_t i = at; i < end; ++i) {
      if (i != at) page += ',';
      page += *entries[i];
    }
    page += ']';
    at = end;
    if (at < entries.size()) {
      page += ",\"nextCursor\":";
      json::write_string(page, make_cursor(pages.size() + 1));
    }
    pages.push_back(std::move(page));
  } while (at < entries.size());
  return pages;
}

void Compiler::add_pages() {
  const CacheHint usual{options_.ttl_ms, options_.cache_public};
  const auto hint = [&](const std::optional<CacheHint>& own) {
    return cache_members(own.value_or(usual));
  };
  ListPages& tools = pipeline_->tool_pages;
  tools = {make_pages("tools", tools_), {}, {}, hint(options_.tools_cache)};
  if (legacy_tools_ != tools_) tools.legacy = make_pages("tools", legacy_tools_);
  if (legs_differ_) tools.stateless = make_pages("tools", stateless_tools_);
  const auto same = [&](std::string_view name, const Entries& entries,
                        const std::optional<CacheHint>& own) {
    return ListPages{make_pages(name, entries), {}, {}, hint(own)};
  };
  pipeline_->prompt_pages = same("prompts", prompts_, options_.prompts_cache);
  pipeline_->resource_pages = same("resources", resources_, options_.resources_cache);
  pipeline_->template_pages = same("resourceTemplates", templates_, options_.templates_cache);
  pipeline_->cache_members = cache_members(usual);
}

void Compiler::add_identity() {
  Pipeline& out = *pipeline_;
  out.list_changed = options_.list_changed;
  out.subscribe = options_.subscribe && out.has_resources;
  out.logging = options_.logging;
  const auto flags = [&](bool subscribe) {
    json::Value value = json::Value::object();
    if (subscribe) value.set("subscribe", true);
    if (options_.list_changed) value.set("listChanged", true);
    return value;
  };
  json::Value capabilities = json::Value::object();
  if (options_.logging) capabilities.set("logging", json::Value::object());
  if (!out.tools.empty()) capabilities.set("tools", flags(false));
  if (out.has_resources) capabilities.set("resources", flags(out.subscribe));
  if (!out.prompts.empty()) capabilities.set("prompts", flags(false));
  // Whoever has arguments to complete may be asked, even where the answer is an empty list.
  out.completions = !out.prompts.empty() || !out.templates.empty();
  if (out.completions) capabilities.set("completions", json::Value::object());
  out.capabilities = json::to_string(capabilities);
  if (out.tasks) {
    capabilities.set("extensions",
                     json::Value::object({{mcp::extension::kTasks, json::Value::object()}}));
  }
  out.modern_capabilities = json::to_string(capabilities);
  out.server_info = json::to_string(registry_.info_.to_json());
  if (!registry_.instructions_.empty())
    json::write_string(out.instructions, registry_.instructions_);
  out.server_info_meta = "\"" + std::string(mcp::meta::kServerInfo) + "\":" + out.server_info;
  out.complete_suffix = ",\"resultType\":\"complete\",\"_meta\":{" + out.server_info_meta + "}";
}

}  // namespace squall::server
