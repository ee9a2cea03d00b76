#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "squall/mcp/param_header.h"
#include "squall/mcp/uri_template.h"
#include "squall/schema/schema.h"
#include "squall/server/presenter.h"
#include "squall/server/registry.h"
#include "squall/server/stage.h"

/// @file What `Registry::compile` makes: everything a request reads, immutable and shared.

namespace squall::server {

/// Lets tables of strings be asked by views.
struct TextHash : std::hash<std::string_view> {
  using is_transparent = void;
};
template <typename T>
using TextTable = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

/// One action, or a whole tool that has none: everything that a call of it reads.
struct ActionEntry {
  explicit ActionEntry(schema::Schema compiled) : input(std::move(compiled)) {}
  std::string name;  ///< as declared: "billing.get_invoice"
  std::string key;   ///< what the discriminator says: "get_invoice"; "" of a tool on its own
  schema::Schema input;
  json::Value input_schema;  ///< the same, for telling what is wrong
  std::optional<schema::Schema> output;
  bool output_is_object = true;   ///< else legacy peers get it wrapped as {"result": V}
  bool output_is_listed = false;  ///< clients hold results against it, errors included
  Handler<ToolResult> handler;
  /// Guards, the presenter's step, middleware: from the outside in.
  std::vector<Middleware> chain;
  Presenter::Promise promise;   ///< of what leaves the chain without being an error
  std::size_t rounds_from = 0;  ///< the link from which on the chain runs in every round
  TaskSupport tasks = TaskSupport::none;
  bool has_stages = false;  ///< else the chain runs without a coroutine
  std::vector<std::string> tags;
  Nature nature = Nature::action;
  Parts parts;
};

/// What tools/call knows by name.
struct ToolEntry {
  std::string name;
  std::string discriminator;  ///< the argument that chooses the action; "" when there is no choice
  std::vector<mcp::ParamHeader> headers;
  TextTable<ActionEntry> actions;  ///< by key
  std::vector<std::string> keys;   ///< in order
  bool output_is_listed = false;   ///< all actions promise the same
  unsigned legs = kAllLegs;

  /// The only action of a tool without a discriminator.
  [[nodiscard]] const ActionEntry& sole() const { return actions.begin()->second; }
};

struct CompleterEntry {
  std::string argument;
  Completer completer;
};

struct ResourceEntry {
  std::string uri;
  std::string mime_type;
  std::optional<mcp::UriTemplate> uri_template;
  std::vector<CompleterEntry> completers;
  Handler<ResourceResult> handler;
};

struct PromptEntry {
  struct Argument {
    std::string name;
    bool required;
  };
  std::string name;
  std::vector<Argument> arguments;
  std::vector<CompleterEntry> completers;
  Handler<PromptResult> handler;
};

/// The members of list results as JSON text, one a page, for peers since 2026-07-28 and before.
struct ListPages {
  std::vector<std::string> modern;
  std::vector<std::string> legacy;     ///< empty: as `modern`
  std::vector<std::string> stateless;  ///< for legacy peers without a session; empty: as `legacy`
  std::string cache_members{};         ///< for modern ones
};

class Pipeline {
 public:
  template <typename T>
  using Table = TextTable<T>;

  [[nodiscard]] const ToolEntry* find_tool(std::string_view name) const {
    return find(tools, name);
  }
  [[nodiscard]] const PromptEntry* find_prompt(std::string_view name) const {
    return find(prompts, name);
  }
  [[nodiscard]] const ResourceEntry* find_resource(std::string_view uri) const {
    return find(resources, uri);
  }
  /// The first template, in order of registration, that the URI fits, and its variables.
  [[nodiscard]] const ResourceEntry* match_template(std::string_view uri,
                                                    mcp::UriTemplate::Variables& variables) const;
  [[nodiscard]] const ResourceEntry* find_template(std::string_view text) const;

  std::shared_ptr<const Registry> source;  ///< a copy of what it was compiled from, to extend
  CompileOptions options;

  Table<ToolEntry> tools;
  Table<PromptEntry> prompts;
  Table<ResourceEntry> resources;
  std::vector<ResourceEntry> templates;
  std::vector<std::string> tool_names;  ///< in the order of the list
  std::function<std::expected<std::shared_ptr<void>, ToolError>(Context&)> make_own_context;

  ListPages tool_pages;
  ListPages prompt_pages;
  ListPages resource_pages;
  ListPages template_pages;

  bool has_resources = false;  ///< of either kind
  bool subscribe = false;
  bool logging = false;
  bool list_changed = false;
  bool completions = false;
  bool tasks = false;  ///< some tool's calls can become tasks

  std::string server_info;   ///< an Implementation
  std::string capabilities;  ///< a ServerCapabilities, as peers before 2026-07-28 know it
  std::string modern_capabilities;
  std::string instructions;      ///< a JSON string, or ""
  std::string complete_suffix;   ///< `,"resultType":"complete","_meta":{...serverInfo...}`
  std::string cache_members;     ///< `"ttlMs":0,"cacheScope":"private"`
  std::string server_info_meta;  ///< `"io.modelcontextprotocol/serverInfo":{...}`

 private:
  template <typename T>
  static const T* find(const Table<T>& table, std::string_view name) {
    const auto it = table.find(name);
    return it == table.end() ? nullptr : &it->second;
  }
};

/// Page cursors: opaque to clients, checked on the way back.
[[nodiscard]] std::string make_cursor(std::size_t page);
[[nodiscard]] std::optional<std::size_t> read_cursor(std::string_view text);

}  // namespace squall::server
