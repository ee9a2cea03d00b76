#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "squall/json/parse.h"
#include "squall/json/value.h"

#include "arena.h"
#include "duplicates.h"

namespace squall::json {

/// Values waiting for their container to end: raw storage, since what the parser builds borrows
/// the text or the arena and is forgotten, never destroyed.
class PendingValues {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Value* from(std::size_t index) noexcept { return slots() + index; }
  [[nodiscard]] Value& push() {
    if (size_ == capacity_) grow();
    return *new (slots() + size_++) Value();
  }
  void shrink_to(std::size_t size) noexcept { size_ = size; }
  void reset(std::size_t retained_bytes_max) noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept { return capacity_ * sizeof(Value); }

 private:
  [[nodiscard]] Value* slots() noexcept { return reinterpret_cast<Value*>(storage_.get()); }
  void grow();
  std::unique_ptr<char[]> storage_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// What a parser needs besides the text; kept warm by a Document.
struct ParserMemory {
  struct Frame {
    std::uint32_t first;  // of the container's values among the pending ones
    bool object;
  };
  Arena arena;
  PendingValues pending;
  std::vector<Frame> open;
  std::vector<NameEntry> names;

  /// Forgets all values. Keeps what one ordinary message needs, not what one huge text took.
  void reset() noexcept;
  /// The same for what only parsing needs; the values stay.
  void drop_scratch() noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept;
};

/// Reads one text (RFC 8259) into values that borrow it and the memory.
///
/// Iterative: the open containers are `ParserMemory::open`, at most `limits.depth` of them.
class Parser {
 public:
  Parser(std::string_view text, const ParseOptions& options, ParserMemory& memory) noexcept;
  /// Whether `root` is now the text's value; if not, `error()` says why.
  [[nodiscard]] bool run(Value& root);
  [[nodiscard]] ParseError error() const;

 private:
  enum class Step { failed, value_due, value_done };

  Step value();
  Step after_value();
  Step member_name();
  Step open_container(bool object);
  Step close_container();
  Step literal(std::string_view word, Kind kind, bool boolean);
  Step number();
  bool string(Value& out);
  bool escaped_string(const char* first, const char* special, bool non_ascii, Value& out);
  bool decode(const char* from, const char* end, char*& out);
  bool decode_unicode(const char*& from, const char* end, char*& out);
  bool check_utf8(const char* from, const char* end);
  bool check_names(std::span<const Member> members);
  [[nodiscard]] std::size_t offset_of_name(const Member& member) const noexcept;
  void skip_space() noexcept;
  Value& push_text(Kind kind, const char* from, const char* end);

  bool fail(ParseError::Reason reason, const char* where, std::string message);
  Step expected(const char* what);

  const char* p_;
  const char* end_;
  ParserMemory& memory_;
  std::size_t values_left_;
  std::string_view text_;
  const ParseOptions& options_;
  std::size_t depth_max_;
  ParseError error_;
};

}  // namespace squall::json
