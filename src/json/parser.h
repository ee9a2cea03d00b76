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
  [[nodiscard]] std::size_t size() const noexcept {
    return static_cast<std::size_t>(end_ - slots());
  }
  [[nodiscard]] Value* from(std::size_t index) noexcept { return slots() + index; }
  [[nodiscard]] Value& push() {
    if (end_ == limit_) [[unlikely]]
      grow();
    return *new (end_++) Value();
  }
  void shrink_to(std::size_t size) noexcept { end_ = slots() + size; }
  void reset(std::size_t retained_bytes_max) noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept {
    return static_cast<std::size_t>(limit_ - slots()) * sizeof(Value);
  }

 private:
  [[nodiscard]] Value* slots() const noexcept { return reinterpret_cast<Value*>(storage_.get()); }
  void grow();
  std::unique_ptr<char[]> storage_;
  Value* end_ = nullptr;  // of those that wait
  Value* limit_ = nullptr;
};

/// What a parser needs besides the text; kept warm by a Document.
struct ParserMemory {
  /// An open container.
  struct Frame {
    std::uint32_t first = 0;  // of its values among the pending ones
    bool object = false;
    bool names_alike = false;  // two of its names may be the same
    std::uint64_t bins = 0;    // that its names have fallen into
    [[nodiscard]] char closing() const noexcept { return object ? '}' : ']'; }
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
/// The position runs through the functions, so that it stays in a register: each takes where it
/// stands and leaves behind what it read. Iterative: the containers around the one being read are
/// `ParserMemory::open`, fewer than `limits.depth`.
class Parser {
 public:
  Parser(std::string_view text, const ParseOptions& options, ParserMemory& memory) noexcept;
  /// Whether `root` is now the text's value; if not, `error()` says why.
  [[nodiscard]] bool run(Value& root);
  [[nodiscard]] ParseError error() const;

 private:
  bool value_at(const char*& at);
  bool name_at(const char*& at, ParserMemory::Frame& frame);
  static bool stands_before(const Value* first, const Value& name) noexcept;
  bool string_at(const char*& at, Value& out);
  bool close_container(const ParserMemory::Frame& frame);
  bool literal_at(const char*& at, std::string_view word, Kind kind, bool boolean);
  bool number_at(const char*& at);
  bool escaped_string(const char*& at, const char* special, bool non_ascii, Value& out);
  bool decode(const char* from, const char* end, char*& out);
  bool decode_unicode(const char*& from, const char* end, char*& out);
  bool check_utf8(const char* from, const char* end);
  bool check_names(std::span<const Member> members);
  [[nodiscard]] std::size_t offset_of_name(const Member& member) const noexcept;

  bool fail(ParseError::Reason reason, const char* where, std::string message);
  bool expected(const char* what, const char* where);

  const char* end_;
  ParserMemory& memory_;
  std::size_t values_left_;
  std::string_view text_;
  const ParseOptions& options_;
  std::size_t depth_max_;
  ParseError error_;
};

}  // namespace squall::json
