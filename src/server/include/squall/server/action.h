#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include "squall/base/units.h"
#include "squall/schema/constraint.h"
#include "squall/schema/typed.h"
#include "squall/server/guards/guards.h"
#include "squall/server/middleware.h"
#include "squall/server/presenter.h"
#include "squall/server/tasks.h"

/// @file Actions: tools described by a struct, gathered under a name they share.
///
/// ```cpp
/// struct GetInvoice { std::string id; std::optional<std::string> currency; };
/// SQUALL_DESCRIBE(GetInvoice, id, currency)
///
/// registry.query<GetInvoice>("billing.get_invoice")  // action get_invoice of tool billing
///     .describe("Look one invoice up")
///     .constrain(&GetInvoice::id, schema::pattern("^INV-[0-9]+$"))
///     .use(require_tenant)
///     .handle([](Context& context, const GetInvoice& in) -> Task<Result<Invoice>> { ... });
/// ```

namespace squall::server {

/// What calling an action does to the world.
enum class Nature : std::uint8_t {
  query,     ///< reads
  mutation,  ///< may destroy
  action,    ///< neither is said
};

/// What all actions that were declared through one Router share.
struct RouterSpec {
  std::string prefix;
  std::shared_ptr<const RouterSpec> parent;
  std::source_location where;
  std::string title, description;
  json::Value icons;
  std::vector<std::string> tags;
  std::vector<Middleware> middleware;
  std::vector<std::shared_ptr<Stage>> guards;  ///< each shared by all actions
  std::shared_ptr<const Presenter> presenter;  ///< of actions without one of their own
};

/// Things that hang on an action, found again by their type: state bindings, hints.
using Parts = std::map<std::type_index, std::shared_ptr<const void>>;

/// All that has been said about one action. Filled in by `Action`.
struct ActionSpec {
  std::string name;  ///< "billing.get_invoice"
  std::source_location where;
  Nature nature = Nature::action;
  std::shared_ptr<const RouterSpec> router;
  std::string title, description;
  json::Value input, output, icons, annotations, meta;
  std::optional<bool> read_only, destructive, idempotent;
  bool open = false;
  TaskSupport tasks = TaskSupport::none;
  std::vector<std::string> tags;
  std::vector<Middleware> inherited;  ///< of the registry it was merged from; outermost
  std::vector<Middleware> middleware;
  std::vector<std::shared_ptr<Stage>> guards;
  GuardOptions limits;
  std::shared_ptr<ActionGuards> kept = std::make_shared<ActionGuards>();  // shared by copies
  bool concurrent = false;   ///< calls may run together though they change something
  std::string serialize_by;  ///< a pointer to the argument that names what is changed
  std::shared_ptr<const Presenter> presenter;
  Parts parts;
  Handler<ToolResult> handler;
  std::optional<std::type_index> own_context;  ///< that the handler takes
  std::vector<std::string> mistakes;
};

namespace detail {
[[nodiscard]] json::Value parse_schema_text(std::string_view text, std::string_view what,
                                            std::vector<std::string>& mistakes);
/// Adds keywords to property `name` of `spec.input`.
void constrain(ActionSpec& spec, std::string_view name, const schema::Constraint& constraint,
               json::Value own_value);
}  // namespace detail

/// An action being described; a handle that may be copied. `handle` comes last.
///
/// `In` is a described struct (`SQUALL_DESCRIBE`): the arguments, whose schema follows from it.
/// With `void`, the arguments are looked at through the Context, and `input` gives their schema.
template <typename In>
class Action {
 public:
  explicit Action(ActionSpec& spec) : spec_(&spec) {
    if constexpr (!std::is_void_v<In>) {
      static_assert(schema::Described<In>, "describe the arguments: SQUALL_DESCRIBE(In, ...)");
      static const json::Value kDerived = schema::derive<In>();
      spec.input = kDerived;
    }
  }

  Action& title(std::string text) { return set(spec_->title, std::move(text)); }
  Action& describe(std::string text) { return set(spec_->description, std::move(text)); }
  Action& icons(json::Value icons) { return set(spec_->icons, std::move(icons)); }
  /// Adds hints of your own, or puts others in place of those that follow from the action's nature.
  Action& annotations(json::Value hints) { return set(spec_->annotations, std::move(hints)); }
  Action& meta(json::Value meta) { return set(spec_->meta, std::move(meta)); }
  Action& read_only(bool on = true) { return set(spec_->read_only, std::optional(on)); }
  Action& destructive(bool on = true) { return set(spec_->destructive, std::optional(on)); }
  Action& idempotent(bool on = true) { return set(spec_->idempotent, std::optional(on)); }
  Action& tags(std::vector<std::string> names) {
    for (std::string& name : names) spec_->tags.push_back(std::move(name));
    return *this;
  }
  /// Lets the handler make its calls tasks, see `Context::become_task`.
  Action& tasks(TaskSupport support) { return set(spec_->tasks, support); }
  /// Accepts arguments that the schema doesn't name; without this they are refused.
  Action& open() { return set(spec_->open, true); }
  /// The JSON Schema (2020-12 unless it says otherwise) of the arguments, of actions without `In`.
  /// Without one the action accepts `{}` alone.
  Action& input(std::string_view schema_text)
    requires std::is_void_v<In>
  {
    return input(detail::parse_schema_text(schema_text, "input schema", spec_->mistakes));
  }
  Action& input(const char* schema_text)
    requires std::is_void_v<In>
  {
    return input(std::string_view(schema_text));
  }
  Action& input(json::Value schema)
    requires std::is_void_v<In>
  {
    return set(spec_->input, std::move(schema));
  }
  /// The schema of the structured result. A handler that gives a described struct needs none.
  Action& output(std::string_view schema_text) {
    return output(detail::parse_schema_text(schema_text, "output schema", spec_->mistakes));
  }
  Action& output(const char* schema_text) { return output(std::string_view(schema_text)); }
  Action& output(json::Value schema) { return set(spec_->output, std::move(schema)); }

  /// `constrain(&GetInvoice::id, schema::pattern("^INV-"), schema::describe("The number on it"))`
  template <typename C, typename T, typename... Constraints>
    requires(std::same_as<C, In> && (std::same_as<Constraints, schema::Constraint> && ...))
  Action& constrain(T C::* member, const Constraints&... constraints) {
    const In own{};
    bool found = false;
    schema::for_each_member<In>([&](const auto& one) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(one.pointer)>, T C::*>) {
        if (one.pointer != member) return;
        found = true;
        (detail::constrain(*spec_, one.name, constraints, schema::encode(own.*member)), ...);
      }
    });
    if (!found) spec_->mistakes.emplace_back("constrains a member that isn't described");
    return *this;
  }

  /// Adds a check: `Checked require_tenant(Context&, Tenants&)`. What is added first runs first,
  /// behind what the registry and its routers have.
  template <typename F>
    requires(!std::is_convertible_v<F, std::shared_ptr<Stage>>)
  Action& use(F check) {
    return add(Middleware::from_check(std::move(check)));
  }
  /// Puts a stage around what is added behind it.
  Action& use(std::shared_ptr<Stage> stage, Rounds rounds = Rounds::first) {
    return add(Middleware::from_stage(std::move(stage), rounds));
  }
  /// Puts a guard around everything: middleware, handler and presenter. The first is outermost.
  Action& guard(std::shared_ptr<Stage> guard) {
    spec_->guards.push_back(std::move(guard));
    return *this;
  }
  // Limits of this action alone, behind what `guard` adds; see guards/guards.h for each. Calls with
  // invalid arguments take no place and no token.
  /// Keeps results within `bytes`: text is cut where an item ends, rules and notices stay.
  Action& egress(std::size_t bytes, Structured structured = Structured::keep) {
    spec_->limits.egress = EgressOptions{bytes, structured == Structured::trim, std::nullopt};
    return *this;
  }
  /// At most `active_max` calls at once, and `queue_max` that wait.
  Action& concurrency(std::size_t active_max, std::size_t queue_max = 0) {
    spec_->limits.concurrency = ConcurrencyOptions{active_max, queue_max};
    return *this;
  }
  Action& rate(std::size_t calls, runtime::Duration per = std::chrono::minutes(1)) {
    spec_->limits.rate = RateOptions{calls, per};
    return *this;
  }
  Action& timeout(runtime::Duration limit) {
    spec_->limits.time = limit;
    return *this;
  }
  Action& argument_bytes(std::size_t limit) {
    spec_->limits.argument_bytes = limit;
    return *this;
  }
  /// Mutations run one at a time; with this, one at a time for each value of the argument that
  /// `pointer` leads to, the account that is changed, say.
  Action& serialize_by(std::string pointer) { return set(spec_->serialize_by, std::move(pointer)); }
  /// The same by the member of the arguments: `.serialize_by(&Transfer::account)`.
  template <typename C, typename T>
    requires std::same_as<C, In>
  Action& serialize_by(T C::* member) {
    schema::for_each_member<In>([&](const auto& one) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(one.pointer)>, T C::*>) {
        if (one.pointer == member) spec_->serialize_by = "/" + std::string(one.name);
      }
    });
    if (spec_->serialize_by.empty()) {
      spec_->mistakes.emplace_back("serialises by a member that isn't described");
    }
    return *this;
  }
  /// Lets calls of a mutation run together.
  Action& concurrent() { return set(spec_->concurrent, true); }
  /// What the caller sees of results; takes the place of its router's.
  Action& presents(std::shared_ptr<const Presenter> presenter) {
    return set(spec_->presenter, std::move(presenter));
  }
  /// Hangs `part` on the action; a later one of the same type takes its place.
  template <typename P>
  Action& attach(P part) {
    spec_->parts[typeid(P)] = std::make_shared<const P>(std::move(part));
    return *this;
  }

  /// The function behind the action. It takes, in any order and each only if it likes: `Context&`,
  /// `const In&`, and a reference to the server's own context (`Registry::context`). It gives a
  /// ToolResult, Content, text, a typed value, a ToolError, or a `Result`, `std::expected<T,
  /// ToolError>` or `Reply` of one; or a Task of any of these.
  template <typename F>
  Action& handle(F function) {
    using Function = std::decay_t<F>;
    spec_->own_context =
        detail::own_context_of<In>(typename detail::ParametersOf<Function>::Type{});
    if (spec_->output.is_null()) {
      spec_->output =
          detail::output_schema_of<std::remove_cvref_t<detail::ResultOf<In, const Function>>>();
    }
    spec_->handler = detail::make_handler<In, Function>(std::move(function));
    return *this;
  }

  /// As above, on a thread of the pool: `handle(blocking([](BlockingCall&, const In&) { ... }))`.
  template <typename F>
  Action& handle(Blocking<F> blocking) {
    spec_->own_context = detail::own_context_of<In>(typename detail::ParametersOf<F>::Type{});
    if (spec_->output.is_null()) {
      spec_->output =
          detail::output_schema_of<std::remove_cvref_t<detail::BlockingResultOf<In, const F>>>();
    }
    spec_->handler = detail::make_blocking_handler<In, F>(std::move(blocking.function));
    return *this;
  }

 private:
  template <typename V>
  Action& set(V& member, V value) {
    member = std::move(value);
    return *this;
  }
  Action& add(Middleware middleware) {
    spec_->middleware.push_back(std::move(middleware));
    return *this;
  }
  ActionSpec* spec_;  // the registry's
};

}  // namespace squall::server
