#pragma once

#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "squall/server/registry.h"

#include "pipeline.h"

namespace squall::server {

/// Turns a Registry into a Pipeline, collecting every mistake on the way.
class Compiler {
 public:
  /// `whole`: the registry is meant to be complete; else what only misses a handler or the context
  /// factory is no mistake.
  Compiler(const Registry& registry, const CompileOptions& options, bool whole = true)
      : registry_(registry),
        options_(options),
        whole_(whole),
        pipeline_(std::make_shared<Pipeline>()) {}

  [[nodiscard]] Result<std::shared_ptr<const Pipeline>> run();

 private:
  using Specs = std::vector<const ActionSpec*>;

  void mistake(std::string_view kind, const std::string& name, const std::string& what);
  void mistake(const ActionSpec& spec, const std::string& what);
  void mistake(const std::source_location& where, const std::string& what);

  void add(const Tool& tool);
  void add(const Resource& resource);
  void add(const Prompt& prompt);
  void list_tool(const json::Value& listed, const json::Value& output, bool output_is_object,
                 const json::Value& annotations, const json::Value& meta, unsigned legs = kAllLegs);
  /// One program for all places that say the same; null with `why` set when it is no schema.
  [[nodiscard]] const schema::Schema* compile_schema(const json::Value& schema, std::string& why);
  void add_pages();
  void add_identity();

  /// Refuses what takes a context of the server's own that the registry doesn't make.
  void check_own_context(const std::optional<std::type_index>& taken,
                         const std::function<void(const std::string&)>& refuse);

  void check_options();
  void check_chain(const ActionEntry& entry, const std::function<void(const std::string&)>& refuse);

  // In compile_actions.cc.
  void check_limits(const ActionSpec& spec);
  void add_actions();
  [[nodiscard]] bool check(const ActionSpec& spec);
  [[nodiscard]] bool is_served(const std::vector<std::string>& tags) const;
  void add_flat(const ActionSpec& spec, const std::string& name);
  void add_group(const std::string& name, const Specs& specs);
  [[nodiscard]] std::optional<ActionEntry> make_entry(const ActionSpec& spec, std::string key,
                                                      json::Value schema);
  /// The schema of the action's structured result, or null.
  [[nodiscard]] const json::Value& output_of(const ActionSpec& spec);
  void serialize_changes(const ActionSpec& spec, GuardOptions& options);
  void add_guards(const ActionSpec& spec, ActionEntry& entry);
  void make_chain(const ActionSpec& spec, ActionEntry& entry);
  void insert_tool(const ActionSpec& first, ToolEntry entry);
  [[nodiscard]] std::string describe_group(const std::string& name, const Specs& specs,
                                           json::Value& listed);
  /// What all of them promise, or null.
  [[nodiscard]] const json::Value& common_output(const Specs& specs);

  const Registry& registry_;
  const CompileOptions& options_;
  const bool whole_;
  std::shared_ptr<Pipeline> pipeline_;
  // Entries of lists as JSON text; those that are the same for peers of all kinds are shared.
  using Entries = std::vector<std::shared_ptr<const std::string>>;
  Entries tools_, legacy_tools_, stateless_tools_;
  Entries resources_, templates_, prompts_;
  [[nodiscard]] std::vector<std::string> make_pages(std::string_view name,
                                                    const Entries& entries) const;
  bool legs_differ_ = false;  ///< of legacy peers with and without a session
  std::unordered_map<std::string, schema::Schema> schemas_;      // by their text
  std::unordered_map<const Presenter*, json::Value> presented_;  // what each promises
  std::string mistakes_;
};

/// Sets member `name` of a list's entry when there is something to say.
void set_if(json::Value& entry, std::string_view name, const std::string& text);
void set_if(json::Value& entry, std::string_view name, const json::Value& value);
/// Appends to the chain: guards come first, then the presenter, then middleware.
void append_guard(ActionEntry& entry, std::shared_ptr<Stage> guard);
void append_presenter(ActionEntry& entry, std::shared_ptr<const Presenter> presenter);
/// Fills in what `entry` derives from its chain.
void seal_chain(ActionEntry& entry);

}  // namespace squall::server
