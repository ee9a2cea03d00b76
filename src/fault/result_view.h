#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "squall/json/pointer.h"
#include "squall/json/value.h"

namespace squall::fault {

/// A result being changed, seen as the one value that its structured content and its texts tell.
class ResultView {
 public:
  explicit ResultView(json::Value result);

  /// What pointers start at: the structured content, else the JSON of a text; null when neither.
  [[nodiscard]] const json::Value* told() const noexcept;
  /// Whether any text block is left to itself: no JSON, and nothing is told beside it.
  [[nodiscard]] bool is_prose() const noexcept { return told() == nullptr; }
  /// The text of the i-th content block, if it has one.
  [[nodiscard]] std::optional<std::string_view> text(std::size_t block) const;
  [[nodiscard]] std::size_t block_count() const noexcept;
  void set_text(std::size_t block, std::string text);

  /// Puts `value` at `pointer` of what is told, in the structured content and in the texts: in JSON
  /// where it stands, and in prose wherever the old value is a word of it.
  void replace(const json::Pointer& pointer, const json::Value& value);
  /// Replaces all that is told: texts that were its JSON become the new one's.
  void replace_all(json::Value value);
  void drop_structured();
  [[nodiscard]] json::Value take() { return std::move(result_); }
  [[nodiscard]] const json::Value& result() const noexcept { return result_; }

 private:
  void replace_in_text(std::size_t block, const json::Pointer& pointer, const json::Value& before,
                       const json::Value& after);
  json::Value result_;
  json::Value of_text_;  ///< the JSON of the text that tells, when no structured content does
  bool text_tells_ = false;
  bool structured_ = false;
};

/// What stands for `value` in prose: a string's characters, else its JSON.
[[nodiscard]] std::string literal(const json::Value& value);

/// `text` with every `before` that is no part of a longer word or number replaced.
[[nodiscard]] std::string replace_words(std::string_view text, std::string_view before,
                                        std::string_view after);

/// The value at `pointer` in `root`, to be changed; null when there is none.
[[nodiscard]] json::Value* find_in(json::Value& root, const json::Pointer& pointer);

}  // namespace squall::fault
