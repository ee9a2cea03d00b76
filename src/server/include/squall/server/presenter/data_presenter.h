#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/server/presenter.h"
#include "squall/server/presenter/redaction.h"

/// @file A presenter made of declarations.
///
/// ```cpp
/// const auto invoice = Presentation("invoice")
///     .schema(R"({"type":"object","properties":{"id":{"type":"string"},"total":{"type":"number"},
///                 "customer":{"type":"object"}},"required":["id"]})")
///     .redact({"/customer/tax_id"})
///     .embed("/customer", customer)
///     .rule("Totals are in cents.")
///     .suggest([](const json::Value& one) { return std::vector<Suggestion>{{"pay", "..."}}; })
///     .build();
/// ```

namespace squall::server {

/// An action that the model may take next, and why.
struct Suggestion {
  std::string action;
  std::string reason;
};

/// Something for a user interface to show: a chart, a diagram, a table.
struct UiBlock {
  std::string type;  ///< "markdown", "mermaid", "echarts" ...
  std::string title;
  std::string content;
};

class Shape;
struct PresentationSpec;

/// Makes of what a handler gave what the caller sees. In this order: the list is cut to its limit;
/// what the schema doesn't declare is removed; the rest is validated; the caller's selection is
/// made; secrets are redacted. Rules, suggestions and blocks are worked out from the redacted data.
///
/// The result's content is replaced: nothing of the handler's text leaves unless it is part of the
/// structured data. Data that can't be presented (none, or against the schema) makes the call an
/// internal error. All text is escaped, so that no data can pass for a block.
class DataPresenter final : public Presenter {
 public:
  [[nodiscard]] ToolResult present(Context& context, ToolResult result) const override;
  [[nodiscard]] json::Value output_schema() const override;
  [[nodiscard]] Promise promise() const override;
  /// `present` for data alone; an error instead of an internal one.
  [[nodiscard]] Result<ToolResult> present_data(Context& context, json::Value data) const;

 private:
  friend class Presentation;
  explicit DataPresenter(std::shared_ptr<const PresentationSpec> spec) : spec_(std::move(spec)) {}
  std::shared_ptr<const PresentationSpec> spec_;  // shared with the builder's copies; never changes
};

/// A DataPresenter being described.
class Presentation {
 public:
  template <typename T>
  using PerItem = std::function<std::vector<T>(const json::Value& item, Context& context)>;

  explicit Presentation(std::string name);
  /// The JSON Schema of the data, or of one item where it is a list.
  Presentation& schema(json::Value schema);
  Presentation& schema(std::string_view text);
  Presentation& schema(const char* text) { return schema(std::string_view(text)); }
  /// The data is an array; what is said here is said of each of its items.
  Presentation& many();
  /// Shows the first `count` items of a list; `how_to_page` tells the model how to get at others.
  Presentation& limit(std::size_t count, std::string how_to_page);
  /// Lets the caller choose members by the argument `_select`, an array of names. The action's
  /// input schema has to declare it.
  Presentation& selectable();
  /// See Redaction; the pointers begin at the data, or at each item of a list.
  Presentation& redact(std::vector<std::string> patterns, Censor censor = nullptr);
  /// Words that always come with the data.
  Presentation& rule(std::string text);
  /// Words about an item; the same words come once, however many items they are about.
  Presentation& rules(PerItem<std::string> rules);
  Presentation& suggest(PerItem<Suggestion> suggestions);
  /// Blocks made of the whole data.
  Presentation& show(PerItem<UiBlock> blocks);
  /// Presents what stands at `path` (a pointer into an item, as in `redact`) as `child` does, with
  /// its stripping, validation, redaction, rules, suggestions and blocks.
  Presentation& embed(std::string path, std::shared_ptr<const DataPresenter> child);

  /// For functions that look at the item alone.
  template <typename F>
  requires std::is_invocable_v<const F&, const json::Value&> Presentation& rules(F function) {
    return rules(widen<std::string>(std::move(function)));
  }
  template <typename F>
  requires std::is_invocable_v<const F&, const json::Value&> Presentation& suggest(F function) {
    return suggest(widen<Suggestion>(std::move(function)));
  }
  template <typename F>
  requires std::is_invocable_v<const F&, const json::Value&> Presentation& show(F function) {
    return show(widen<UiBlock>(std::move(function)));
  }

  /// Fails with every mistake: a schema that is none, patterns that are none, children that are
  /// missing.
  [[nodiscard]] Result<std::shared_ptr<const DataPresenter>> build() const;

 private:
  template <typename T, typename F>
  static PerItem<T> widen(F function) {
    return [function = std::move(function)](const json::Value& item, Context&) {
      return function(item);
    };
  }
  std::shared_ptr<PresentationSpec> spec_;
};

}  // namespace squall::server
