#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"

/// @file JSON Schema 2020-12 and draft-07, compiled once and run many times.

namespace squall::schema {

enum class Draft { draft_07, draft_2020_12 };

/// Depths beyond this are cut to it whatever the limits say: evaluation recurses.
inline constexpr std::size_t kDepthMax = 1'024;

/// Bounds that keep any schema and any instance from hanging or exhausting us.
struct Limits {
  std::size_t subschemas = 10'000;  ///< found, over all documents
  /// Of nested evaluation, recursion through `$ref` included; at most kDepthMax.
  std::size_t depth = 256;
  std::size_t steps = 10'000'000;         ///< of evaluation, one a keyword and element
  std::uint32_t regex_steps = 1'000'000;  ///< of one pattern match
  std::size_t errors = 32;                ///< reported of one validation
};

struct CompileOptions {
  Draft draft = Draft::draft_2020_12;  ///< for schemas without `$schema`
  /// Whether `format` asserts (the formats of `known_formats()`) or only annotates.
  bool assert_formats = false;
  /// Gives the document behind an absolute URI without fragment, or null. Nothing is ever fetched
  /// from a network; an unresolved `$ref` makes compilation fail.
  std::function<const json::Value*(std::string_view uri)> resolve;
  /// The base URI of the schema when it has no `$id`.
  std::string base_uri;
  Limits limits = {};
};

/// One violation.
struct Violation {
  std::string instance;  ///< JSON pointer to the offending value
  std::string keyword;   ///< "required", "type", "false schema" ...
  std::string schema;    ///< JSON pointer to the keyword, behind "URI#" in another document
  std::string message;   ///< for a person; never quotes more than 50 characters of the value
};

/// What a validation came to. `limit` means neither valid nor invalid: a bound was reached.
enum class Verdict { valid, invalid, limit };

struct Program;

/// A compiled schema: immutable, shared between threads, cheap to copy.
class Schema {
 public:
  /// Fails on a schema that is none: against its metaschema, of an unknown dialect or required
  /// vocabulary, with a bad regular expression or unresolved reference in a subschema that can be
  /// reached, or beyond a limit.
  [[nodiscard]] static Result<Schema> compile(const json::Value& schema,
                                              const CompileOptions& options = {});
  /// Evaluates without allocating on the good path of schemas that need no annotations.
  [[nodiscard]] Verdict validate(const json::Value& instance) const;
  /// As above, and appends what is wrong (at most `Limits::errors`).
  [[nodiscard]] Verdict validate(const json::Value& instance,
                                 std::vector<Violation>& violations) const;

 private:
  explicit Schema(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;  // shared by the copies; it never changes
};

/// The names of the formats that `assert_formats` asserts.
[[nodiscard]] const std::vector<std::string_view>& known_formats();
/// Whether `text` has the named format; nothing when the format is not known.
[[nodiscard]] std::optional<bool> matches_format(std::string_view format, std::string_view text);

}  // namespace squall::schema
