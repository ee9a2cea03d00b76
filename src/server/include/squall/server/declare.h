#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "squall/base/result.h"
#include "squall/server/registry.h"

/// @file Actions declared in a YAML or JSON file, whose handlers are bound by name.
///
/// ```yaml
/// tools:
///   - name: billing.get_invoice
///     nature: query                 # query, mutation or action (when left out)
///     describe: Look one invoice up
///     tags: [billing]
///     input: {type: object, properties: {id: {type: string}}, required: [id]}
///     handler: get_invoice          # the name it was added by; the action's own when left out
///     presents: invoice             # likewise
///     egress: 64kib                 # sizes and times as base/units.h reads them
///     timeout: 2s
///     rate: {calls: 60, per: 1m}
///     concurrency: {active: 4, queue: 16}
/// ```
/// Further members: title, output, open, read_only, destructive, idempotent, annotations, icons,
/// meta, serialize_by, argument_bytes; they say what the setters of `Action` of the same name do.

namespace squall::server {

/// Functions and presenters by name, for files to refer to.
class Handlers {
 public:
  /// `function` takes and gives what the handler of an `Action<void>` does.
  template <typename F>
  Handlers& add(std::string name, F function) {
    binders_[std::move(name)] = [function = std::move(function)](Action<void>& action) {
      action.handle(function);
    };
    return *this;
  }

  Handlers& present(std::string name, std::shared_ptr<const Presenter> presenter) {
    presenters_[std::move(name)] = std::move(presenter);
    return *this;
  }

 private:
  friend class Declarations;
  std::map<std::string, std::shared_ptr<const Presenter>, std::less<>> presenters_;
  std::map<std::string, std::function<void(Action<void>&)>, std::less<>> binders_;
};

/// Declares all actions of `text` (YAML, of which JSON is a part) in `registry`. Fails with every
/// mistake, each behind `file` and the number of its entry, and then nothing is declared: members
/// that don't exist, values of the wrong kind, handlers that nobody has added.
[[nodiscard]] Result<void> declare_actions(Registry& registry, std::string_view text,
                                           const Handlers& handlers,
                                           std::string_view file = "declarations");

}  // namespace squall::server
