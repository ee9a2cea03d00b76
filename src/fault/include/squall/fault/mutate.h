#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/fault/draw.h"
#include "squall/json/value.h"

/// @file Results made wrong: plausible values, rows, shapes. Pure: a result in, a result out.
///
/// A result is what `tools/call` gives: `content` blocks and, maybe, `structuredContent`. What
/// stands in both changes to the same wrong value in both. Pointers start at the structured
/// content; without one at the JSON of the first text block that is JSON; other texts are
/// `/content/i`.

namespace squall::fault {

/// One value that was changed; values are JSON text.
struct Change {
  std::string pointer;
  std::string by;  ///< "number", "date", "dropped", "type-swap" ...
  std::string before;
  std::string after;
};

struct Mutation {
  json::Value result;
  std::vector<Change> changes;  ///< none: there was nothing to change, the strike is no strike
  [[nodiscard]] bool changed() const noexcept { return !changes.empty(); }
};

/// Whether a result may go out: for keeping to a tool's output schema, or for breaking it.
using Accept = std::function<bool(const json::Value& result)>;

struct CorruptOptions {
  /// Kinds of values: number, date, currency, unit, sign, id, text. Empty: all of them.
  std::vector<std::string> of;
  std::size_t count = 1;  ///< values to change
  Accept accept;          ///< empty: anything
};
/// Changes values to wrong ones of the same kind: cents stay cents, dates stay dates.
[[nodiscard]] Mutation corrupt(const json::Value& result, const Draws& draws,
                               const CorruptOptions& options = {});

/// Rows of one array: "dropped", "duplicated", "reordered", or "swapped" (two rows exchange the
/// value of one member). `count` rows, but for "reordered".
[[nodiscard]] Mutation change_rows(const json::Value& result, const Draws& draws,
                                   std::string_view change, std::size_t count = 1);

struct BreakOptions {
  std::string_view mode;   ///< of the kind `schema`
  std::string_view field;  ///< to drop; "": the first that is required
  const json::Value* output_schema = nullptr;
};
/// Gives the structured content another shape than promised.
[[nodiscard]] Mutation break_schema(const json::Value& result, const Draws& draws,
                                    const BreakOptions& options);

struct TruncateOptions {
  std::size_t keep = 0;
  std::string_view unit = "code-points";  ///< or bytes, blocks, rows, share (in percent)
  std::string_view marker;                ///< behind what is left of a text
};
/// Cuts texts, blocks or rows; a cut by bytes falls back to the start of a code point. What is cut
/// from a text block takes the structured content with it.
[[nodiscard]] Mutation truncate(const json::Value& result, const TruncateOptions& options);

}  // namespace squall::fault
