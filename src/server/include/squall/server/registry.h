#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"
#include "squall/mcp/types.h"
#include "squall/server/action.h"
#include "squall/server/content.h"
#include "squall/server/context.h"
#include "squall/server/handler.h"
#include "squall/server/tasks.h"

namespace squall::server {

class Pipeline;

/// The ways a request can reach a tool.
enum class Leg : std::uint8_t {
  modern = 1,     ///< 2026-07-28 and later, no session
  session = 2,    ///< behind a handshake
  stateless = 4,  ///< a revision with the handshake, but without it
};

inline constexpr unsigned kAllLegs = 7;

/// A tool being described. `handle` comes last.
class Tool {
 public:
  explicit Tool(std::string name) : name_(std::move(name)) {}
  Tool& title(std::string text) { return set(title_, std::move(text)); }
  Tool& describe(std::string text) { return set(description_, std::move(text)); }
  /// The JSON Schema (2020-12 unless it says otherwise) of the arguments, shown to clients exactly
  /// as given. Without one the tool takes no arguments (`{"type":"object"}`, extra ones ignored).
  Tool& input(json::Value schema) { return set(input_schema_, std::move(schema)); }
  /// As above, from JSON text; `compile` reports text that is none.
  Tool& input(std::string_view schema_text);
  Tool& input(const char* schema_text) { return input(std::string_view(schema_text)); }
  Tool& output(json::Value schema) { return set(output_schema_, std::move(schema)); }
  Tool& output(std::string_view schema_text);
  Tool& output(const char* schema_text) { return output(std::string_view(schema_text)); }
  Tool& icons(json::Value icons) { return set(icons_, std::move(icons)); }
  /// readOnlyHint, destructiveHint, idempotentHint, openWorldHint, title.
  Tool& annotations(json::Value hints) { return set(annotations_, std::move(hints)); }
  Tool& meta(json::Value meta) { return set(meta_, std::move(meta)); }
  /// Offers the tool on these legs alone; elsewhere it is neither listed nor known.
  Tool& only_on(std::initializer_list<Leg> legs) {
    legs_ = 0;
    for (const Leg leg : legs) legs_ |= static_cast<unsigned>(leg);
    return *this;
  }
  /// Lets the handler make its calls tasks, see `Context::become_task`.
  Tool& tasks(TaskSupport support) { return set(tasks_, support); }
  Tool& tags(std::vector<std::string> names) { return set(tags_, std::move(names)); }
  /// What the caller sees of results; its output schema takes the place of `output`.
  Tool& presents(std::shared_ptr<const Presenter> presenter) {
    return set(presenter_, std::move(presenter));
  }
  /// Puts a guard around everything: middleware, handler and presenter. The first is outermost.
  Tool& guard(std::shared_ptr<Stage> guard) {
    guards_.push_back(std::move(guard));
    return *this;
  }
  template <typename F>
  Tool& handle(F function) {
    own_context_ = detail::own_context_taken<F>();
    handler_ = Handler<ToolResult>::from(detail::with_own_context(std::move(function)));
    return *this;
  }

 private:
  friend class Compiler;
  friend class Registry;
  template <typename V>
  Tool& set(V& member, V value) {
    member = std::move(value);
    return *this;
  }
  std::string name_, title_, description_;
  json::Value input_schema_, output_schema_, icons_, annotations_, meta_;
  unsigned legs_ = kAllLegs;
  std::vector<std::string> tags_;
  std::shared_ptr<const Presenter> presenter_;
  std::vector<std::shared_ptr<Stage>> guards_;
  std::vector<Middleware> inherited_;  // of the registry it was merged from
  std::vector<std::string> mistakes_;
  TaskSupport tasks_ = TaskSupport::none;
  Handler<ToolResult> handler_;
  std::optional<std::type_index> own_context_;  // that the handler takes
};

/// A completer: from what stands in the field so far, and the arguments filled in before, to
/// values.
using Completer =
    std::function<CompletionResult(std::string_view value, const json::Value& context)>;

/// A resource, or a template of many, being described.
class Resource {
 public:
  Resource(std::string uri, std::string name, bool is_template)
      : uri_(std::move(uri)), name_(std::move(name)), is_template_(is_template) {}
  Resource& title(std::string text) { return set(title_, std::move(text)); }
  Resource& describe(std::string text) { return set(description_, std::move(text)); }
  Resource& mime_type(std::string type) { return set(mime_type_, std::move(type)); }
  Resource& size(std::int64_t bytes) { return set(size_, json::Value(bytes)); }
  Resource& icons(json::Value icons) { return set(icons_, std::move(icons)); }
  Resource& annotations(json::Value annotations) {
    return set(annotations_, std::move(annotations));
  }
  Resource& meta(json::Value meta) { return set(meta_, std::move(meta)); }
  /// Suggests values for a variable of the template.
  Resource& complete(std::string variable, Completer completer) {
    completers_.emplace_back(std::move(variable), std::move(completer));
    return *this;
  }
  template <typename F>
  Resource& handle(F function) {
    own_context_ = detail::own_context_taken<F>();
    handler_ = Handler<ResourceResult>::from(detail::with_own_context(std::move(function)));
    return *this;
  }

 private:
  friend class Compiler;
  template <typename V>
  Resource& set(V& member, V value) {
    member = std::move(value);
    return *this;
  }
  std::string uri_, name_, title_, description_, mime_type_;
  json::Value size_, icons_, annotations_, meta_;
  bool is_template_;
  std::vector<std::pair<std::string, Completer>> completers_;
  Handler<ResourceResult> handler_;
  std::optional<std::type_index> own_context_;
};

/// A prompt being described.
class Prompt {
 public:
  explicit Prompt(std::string name) : name_(std::move(name)) {}
  Prompt& title(std::string text) { return set(title_, std::move(text)); }
  Prompt& describe(std::string text) { return set(description_, std::move(text)); }
  Prompt& icons(json::Value icons) { return set(icons_, std::move(icons)); }
  Prompt& meta(json::Value meta) { return set(meta_, std::move(meta)); }
  /// Declares an argument; its values are strings.
  Prompt& argument(std::string name, std::string description, bool required,
                   Completer completer = nullptr) {
    arguments_.push_back({std::move(name), std::move(description), required, std::move(completer)});
    return *this;
  }
  template <typename F>
  Prompt& handle(F function) {
    own_context_ = detail::own_context_taken<F>();
    handler_ = Handler<PromptResult>::from(detail::with_own_context(std::move(function)));
    return *this;
  }

 private:
  friend class Compiler;
  struct Argument {
    std::string name, description;
    bool required;
    Completer completer;
  };
  template <typename V>
  Prompt& set(V& member, V value) {
    member = std::move(value);
    return *this;
  }
  std::string name_, title_, description_;
  json::Value icons_, meta_;
  std::vector<Argument> arguments_;
  Handler<PromptResult> handler_;
  std::optional<std::type_index> own_context_;
};

/// How dotted actions are shown to clients.
enum class Exposition : std::uint8_t {
  grouped,  ///< one tool a namespace, whose argument `discriminator` chooses the action
  flat,     ///< one tool an action: "billing_get_invoice"
};

/// Which actions and tools are served: those with all of `all`, one of `any` (when there are some)
/// and none of `none`. The others are neither listed nor called.
struct TagFilter {
  std::vector<std::string> all, any, none;
};

/// What clients of 2026-07-28 are told about keeping an answer.
struct CacheHint {
  std::int64_t ttl_ms = 0;  ///< for how long they may
  bool shared = false;      ///< whether caches may share it between users
};

struct CompileOptions {
  std::size_t page_size = 1000;  ///< entries of a list page
  std::int64_t ttl_ms = 0;       ///< how long clients may keep lists and resources
  bool cache_public = false;     ///< whether caches may share them between users
  // Of one kind of list, instead of the two above.
  std::optional<CacheHint> tools_cache{}, prompts_cache{}, resources_cache{}, templates_cache{};
  bool list_changed = true;  ///< declare that lists can change
  bool subscribe = true;     ///< declare that resources can be subscribed to
  bool logging = true;
  Exposition exposition = Exposition::grouped;
  std::string discriminator = "action";  ///< of grouped tools
  std::string separator = "_";           ///< between the parts of flat names
  TagFilter tags{};
};

class Registry;

/// A namespace of actions. Its settings hold for all actions declared through it and through the
/// routers made of it, whether they stand before or behind the settings, and for no others: two
/// routers of one name, in two files, leave each other alone. Must not outlive its registry.
class Router {
 public:
  [[nodiscard]] Router router(std::string_view name,
                              std::source_location where = std::source_location::current()) const;
  /// What the tool that shows this namespace is called and does, when actions are grouped.
  Router& title(std::string text);
  Router& describe(std::string text);
  Router& icons(json::Value icons);
  Router& tags(std::vector<std::string> names);
  /// Of all actions that have no presenter of their own.
  Router& presents(std::shared_ptr<const Presenter> presenter);
  /// Puts a guard around each action, outside of the action's own; what it counts, it counts of all
  /// of them together.
  Router& guard(std::shared_ptr<Stage> guard);
  template <typename F>
    requires(!std::is_convertible_v<F, std::shared_ptr<Stage>>)
  Router& use(F check) {
    return add(Middleware::from_check(std::move(check)));
  }
  Router& use(std::shared_ptr<Stage> stage, Rounds rounds = Rounds::first) {
    return add(Middleware::from_stage(std::move(stage), rounds));
  }

  template <typename In = void>
  Action<In> query(std::string_view name,
                   std::source_location where = std::source_location::current()) const {
    return Action<In>(declare(name, Nature::query, where));
  }
  template <typename In = void>
  Action<In> mutation(std::string_view name,
                      std::source_location where = std::source_location::current()) const {
    return Action<In>(declare(name, Nature::mutation, where));
  }
  template <typename In = void>
  Action<In> action(std::string_view name,
                    std::source_location where = std::source_location::current()) const {
    return Action<In>(declare(name, Nature::action, where));
  }

 private:
  friend class Registry;
  Router(Registry& registry, std::shared_ptr<RouterSpec> spec)
      : registry_(&registry), spec_(std::move(spec)) {}
  Router& add(Middleware middleware);
  ActionSpec& declare(std::string_view name, Nature nature, std::source_location where) const;

  Registry* registry_;
  std::shared_ptr<RouterSpec> spec_;  // shared with the actions declared through it
};

/// What a server offers, being put together. `compile` freezes it.
class Registry {
 public:
  explicit Registry(mcp::Implementation info) : info_(std::move(info)) {}
  Registry& instructions(std::string text) {
    instructions_ = std::move(text);
    return *this;
  }

  /// Declares an action and gives it to be described. "billing.get_invoice" is action get_invoice
  /// of the namespace billing; a name without a dot is a tool of its own. What only reads is a
  /// query, what may destroy a mutation, everything else an action.
  template <typename In = void>
  Action<In> query(std::string_view name,
                   std::source_location where = std::source_location::current()) {
    return Action<In>(declare(name, Nature::query, where));
  }
  template <typename In = void>
  Action<In> mutation(std::string_view name,
                      std::source_location where = std::source_location::current()) {
    return Action<In>(declare(name, Nature::mutation, where));
  }
  template <typename In = void>
  Action<In> action(std::string_view name,
                    std::source_location where = std::source_location::current()) {
    return Action<In>(declare(name, Nature::action, where));
  }
  /// A namespace, of any depth: "support.tickets" is the part tickets of the tool support.
  [[nodiscard]] Router router(std::string_view name,
                              std::source_location where = std::source_location::current());

  /// Adds a tool that says everything itself and gives it to be described; the reference stays
  /// good.
  Tool& tool(std::string name) { return tools_.emplace_back(std::move(name)); }
  Resource& resource(std::string uri, std::string name) {
    return resources_.emplace_back(std::move(uri), std::move(name), false);
  }
  /// `uri_template` as `mcp::UriTemplate` reads it: "file:///{+path}".
  Resource& resource_template(std::string uri_template, std::string name) {
    return resources_.emplace_back(std::move(uri_template), std::move(name), true);
  }
  Prompt& prompt(std::string name) { return prompts_.emplace_back(std::move(name)); }

  /// Puts a stage around every tool call; the first one added is outermost.
  Registry& use(std::shared_ptr<Stage> stage, Rounds rounds = Rounds::first) {
    middleware_.push_back(Middleware::from_stage(std::move(stage), rounds));
    return *this;
  }
  /// Checks every tool call.
  template <typename F>
    requires(!std::is_convertible_v<F, std::shared_ptr<Stage>>)
  Registry& use(F check) {
    middleware_.push_back(Middleware::from_check(std::move(check)));
    return *this;
  }

  /// Makes the server's own context: `function(Context&)` gives an object, or
  /// `std::expected<Object, ToolError>`. Called once for each tool call, prompt and resource read,
  /// before anything else of it; handlers and checks that take an `Object&` get this one, and the
  /// request's end destroys it.
  template <typename F>
  Registry& context(F function) {
    using Made = std::invoke_result_t<F&, Context&>;
    if constexpr (IsExpected<Made>::value) {
      own_context_ = typeid(typename Made::value_type);
    } else {
      own_context_ = typeid(Made);
    }
    make_own_context_ = [function = std::move(function)](
                            Context& context) -> std::expected<std::shared_ptr<void>, ToolError> {
      if constexpr (IsExpected<Made>::value) {
        Made made = function(context);
        if (!made) return std::unexpected(std::move(made).error());
        using Own = typename Made::value_type;
        return std::allocate_shared<Own>(runtime::PoolAllocator<Own>(), *std::move(made));
      } else {
        return std::allocate_shared<Made>(runtime::PoolAllocator<Made>(), function(context));
      }
    };
    return *this;
  }

  /// Adds all that `other` declares; the order of merging makes no difference to what compiles. A
  /// merge that clashes fails, with all mistakes, and changes nothing. `other` gives no identity,
  /// instructions or context factory where this registry has them; what it has for all its tools
  /// (`use`) stays with its own.
  [[nodiscard]] Result<void> merge(const Registry& other);

  /// Everything a request will need, worked out once: compiled schemas, flattened middleware, the
  /// list pages of each era as text, the discover answer. Fails with all mistakes at once, those of
  /// actions with file and line of the declaration: names that are illegal or stand twice, schemas
  /// that are none, parameters that clash, missing handlers or contexts, bad templates or
  /// `x-mcp-header`s.
  [[nodiscard]] Result<std::shared_ptr<const Pipeline>> compile(CompileOptions options = {}) const;

 private:
  friend class Compiler;
  friend class Router;
  ActionSpec& declare(std::string_view name, Nature nature, std::source_location where);

  mcp::Implementation info_;
  std::string instructions_;
  std::deque<Tool> tools_;
  std::deque<ActionSpec> actions_;
  std::deque<Resource> resources_;
  std::deque<Prompt> prompts_;
  std::vector<Middleware> middleware_;
  std::optional<std::type_index> own_context_;
  std::function<std::expected<std::shared_ptr<void>, ToolError>(Context&)> make_own_context_;
};

}  // namespace squall::server
