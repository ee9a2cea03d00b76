#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "squall/base/result.h"
#include "squall/json/value.h"

namespace squall::json {

/// What to do with a name that stands twice in one object (compared after unescaping).
enum class Duplicates { refuse, keep };

/// Depths beyond this are refused whatever the limits say: values are destroyed recursively.
inline constexpr std::size_t kDepthMax = 10'000;

struct ParseLimits {
  std::size_t bytes = std::size_t{64} << 20;  ///< of the text
  std::size_t depth = 256;                    ///< of nested arrays and objects, at most kDepthMax
  std::size_t values = 10'000'000;            ///< values in all
};

struct ParseOptions {
  Duplicates duplicates = Duplicates::refuse;
  ParseLimits limits = {};
};

/// Where and why a text was refused.
struct ParseError {
  enum class Reason { syntax, encoding, duplicate_key, limit };
  Reason reason = Reason::syntax;
  std::size_t offset = 0;  ///< bytes before the offending one
  std::size_t line = 1;    ///< from 1; lines end at LF, CR LF or CR
  std::size_t column = 1;  ///< from 1, in code points
  std::string message;     ///< what was expected or wrong, never more than 40 bytes of the input

  /// Sets `line` and `column` from `offset` into `source`.
  void locate(std::string_view source) noexcept;
  /// "line 3, column 7: expected a value, found ','"
  [[nodiscard]] std::string text() const;
  [[nodiscard]] Error to_error() const;
  /// So that SQUALL_TRY hands it on where a plain Error is due.
  operator Error() const { return to_error(); }
};

/// RFC 8259 to the letter: UTF-8 only, no byte order mark, no lone surrogate (escaped or not), no
/// raw control character, one value. Uses a bounded stack whatever the depth.
[[nodiscard]] std::expected<Value, ParseError> parse(std::string_view text,
                                                     const ParseOptions& options = {});

/// A parsed text and the memory its values stand in: one arena, freed at once, reusable.
///
/// Parsing the next text into one Document reuses its memory, so a warm document parses without
/// allocating. Moving a Document keeps its values where they are.
class Document {
 public:
  Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  /// Takes the text and keeps it: strings without escapes and numbers point into it. After an
  /// error the document holds null and the text.
  [[nodiscard]] std::expected<void, ParseError> parse(std::string text,
                                                      const ParseOptions& options = {});
  /// As `parse`, for bytes that outlive the document (or its next parse).
  [[nodiscard]] std::expected<void, ParseError> parse_borrowed(std::string_view text,
                                                               const ParseOptions& options = {});
  [[nodiscard]] const Value& root() const noexcept;
  [[nodiscard]] std::string_view text() const noexcept;
  /// The bytes that it holds: the text where it keeps that, the values, and what it parses with.
  [[nodiscard]] std::size_t memory() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace squall::json
