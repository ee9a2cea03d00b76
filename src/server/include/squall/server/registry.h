#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"
#include "squall/mcp/types.h"
#include "squall/runtime/task.h"
#include "squall/server/content.h"
#include "squall/server/context.h"
#include "squall/server/tasks.h"

namespace squall::server {

class Pipeline;
class Stage;

/// A handler of either kind, over one result type.
template <typename T>
struct Handler {
  std::function<Outcome<T>(Context&)> plain;
  std::function<Task<Outcome<T>>(Context&)> coroutine;
  [[nodiscard]] bool set() const noexcept { return plain || coroutine; }

  /// Takes a function of Context& that returns T, Outcome<T>, Task<T> or Task<Outcome<T>>.
  template <typename F>
  static Handler from(F function) {
    using Returned = std::invoke_result_t<F&, Context&>;
    Handler out;
    if constexpr (std::is_same_v<Returned, Task<Outcome<T>>>) {
      out.coroutine = std::move(function);
    } else if constexpr (std::is_same_v<Returned, Task<T>>) {
      out.coroutine = [inner = std::move(function)](Context& context) {
        return widen(inner(context));
      };
    } else {
      out.plain = [inner = std::move(function)](Context& context) -> Outcome<T> {
        return inner(context);
      };
    }
    return out;
  }

 private:
  static Task<Outcome<T>> widen(Task<T> task) { co_return co_await std::move(task); }
};

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
  template <typename F>
  Tool& handle(F function) {
    handler_ = Handler<ToolResult>::from(std::move(function));
    return *this;
  }

 private:
  friend class Compiler;
  template <typename V>
  Tool& set(V& member, V value) {
    member = std::move(value);
    return *this;
  }
  std::string name_, title_, description_;
  json::Value input_schema_, output_schema_, icons_, annotations_, meta_;
  unsigned legs_ = kAllLegs;
  std::vector<std::string> mistakes_;
  TaskSupport tasks_ = TaskSupport::none;
  Handler<ToolResult> handler_;
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
    handler_ = Handler<ResourceResult>::from(std::move(function));
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
    handler_ = Handler<PromptResult>::from(std::move(function));
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
};

struct CompileOptions {
  std::size_t page_size = 1000;  ///< entries of a list page
  std::int64_t ttl_ms = 0;       ///< how long clients may keep lists and resources
  bool cache_public = false;     ///< whether caches may share them between users
  bool list_changed = true;      ///< declare that lists can change
  bool subscribe = true;         ///< declare that resources can be subscribed to
  bool logging = true;
};

/// What a server offers, being put together. `compile` freezes it.
class Registry {
 public:
  explicit Registry(mcp::Implementation info) : info_(std::move(info)) {}
  Registry& instructions(std::string text) {
    instructions_ = std::move(text);
    return *this;
  }
  /// Adds a tool and gives it to be described; the reference stays good.
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
  Registry& use(std::shared_ptr<Stage> stage) {
    stages_.push_back(std::move(stage));
    return *this;
  }

  /// Everything a request will need, worked out once: compiled schemas, the list pages of each era
  /// as text, the discover answer. Fails with all mistakes at once: names that are illegal or stand
  /// twice, schemas that are none, missing handlers, bad templates or `x-mcp-header`s.
  [[nodiscard]] Result<std::shared_ptr<const Pipeline>> compile(CompileOptions options = {}) const;

 private:
  friend class Compiler;
  mcp::Implementation info_;
  std::string instructions_;
  std::deque<Tool> tools_;
  std::deque<Resource> resources_;
  std::deque<Prompt> prompts_;
  std::vector<std::shared_ptr<Stage>> stages_;
};

}  // namespace squall::server
