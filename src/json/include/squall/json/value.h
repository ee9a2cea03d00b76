#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file The one JSON value: what the wire, files and our own code exchange.

namespace squall::json {

class Value;
struct Member;
class Parser;

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

[[nodiscard]] std::string_view name_of(Kind kind) noexcept;

/// A JSON value: a regular type of 16 bytes, copied deeply, moved cheaply.
///
/// Numbers keep the text they were written as, so `1.0`, `-0`, `1e400` and 9007199254740993 come
/// out as they went in; `==` compares them by their exact decimal value. Objects keep the order of
/// their members and may hold one name twice when parsed with `Duplicates::keep`. Object equality
/// ignores member order.
///
/// A value inside a `Document` borrows the document's memory: look at it, or copy it to keep it.
class Value {
 public:
  Value() noexcept = default;  ///< null
  Value(std::nullptr_t) noexcept {}
  Value(bool value) noexcept;
  Value(int value) : Value(static_cast<std::int64_t>(value)) {}
  Value(unsigned value) : Value(static_cast<std::uint64_t>(value)) {}
  Value(std::int64_t value);
  Value(std::uint64_t value);
  Value(long long value) : Value(static_cast<std::int64_t>(value)) {}
  Value(unsigned long long value) : Value(static_cast<std::uint64_t>(value)) {}
  /// The shortest text that reads back as `value`; null when it is not finite.
  Value(double value);
  Value(const char* text) : Value(std::string_view(text)) {}
  Value(const std::string& text) : Value(std::string_view(text)) {}
  /// A string. Bytes that are not UTF-8 become U+FFFD, so every Value can be written.
  Value(std::string_view text);
  Value(const Value& other);
  Value(Value&& other) noexcept { take(other); }
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept {
    Value held(std::move(other));  // `other` may live inside the value that goes away
    release();
    take(held);
    return *this;
  }
  ~Value() { release(); }

  [[nodiscard]] static Value array();
  [[nodiscard]] static Value array(std::initializer_list<Value> items);
  [[nodiscard]] static Value object();
  /// `object({{"a", 1}, {"b", array({true})}})`; a name given twice keeps its last value.
  [[nodiscard]] static Value object(std::initializer_list<Member> members);
  /// An array of these, without copying them.
  [[nodiscard]] static Value from_items(std::vector<Value> items);
  /// An object of these members as they are: in linear time, so a name given twice stays twice.
  [[nodiscard]] static Value from_members(std::vector<Member> members);
  /// A number from its JSON text; nothing when `text` is not one.
  [[nodiscard]] static std::optional<Value> number(std::string_view text);

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] bool is_null() const noexcept { return kind_ == Kind::null; }
  [[nodiscard]] bool is_bool() const noexcept { return kind_ == Kind::boolean; }
  [[nodiscard]] bool is_number() const noexcept { return kind_ == Kind::number; }
  [[nodiscard]] bool is_string() const noexcept { return kind_ == Kind::string; }
  [[nodiscard]] bool is_array() const noexcept { return kind_ == Kind::array; }
  [[nodiscard]] bool is_object() const noexcept { return kind_ == Kind::object; }
  /// A number whose exact value is whole: 1, 1.0 and 1e2 are, 1.5 is not.
  [[nodiscard]] bool is_integer() const noexcept;

  /// The value as that type, or nothing when it is another kind or does not fit exactly.
  [[nodiscard]] std::optional<bool> as_bool() const noexcept;
  [[nodiscard]] std::optional<std::int64_t> as_int64() const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> as_uint64() const noexcept;
  /// The nearest double of any number (infinite when it is beyond all of them).
  [[nodiscard]] std::optional<double> as_double() const noexcept;
  [[nodiscard]] std::optional<std::string_view> as_string() const noexcept;

  /// A string's characters, or "" for every other kind. Valid until this value changes or moves.
  [[nodiscard]] std::string_view string() const noexcept { return is_string() ? text() : ""; }
  /// A number's text as written, or "" for every other kind.
  [[nodiscard]] std::string_view number_text() const noexcept { return is_number() ? text() : ""; }
  [[nodiscard]] bool boolean() const noexcept { return kind_ == Kind::boolean && data_.boolean; }

  /// The elements of an array; empty for every other kind.
  [[nodiscard]] std::span<const Value> items() const noexcept;
  [[nodiscard]] std::span<Value> items() noexcept;
  /// The members of an object in order; empty for every other kind.
  [[nodiscard]] std::span<const Member> members() const noexcept;
  [[nodiscard]] std::span<Member> members() noexcept;
  /// Elements, members or bytes; 0 for other kinds.
  [[nodiscard]] std::size_t size() const noexcept;

  /// The (last) member of that name, or null when there is none or this is no object.
  [[nodiscard]] const Value* find(std::string_view name) const noexcept;
  [[nodiscard]] Value* find(std::string_view name) noexcept;
  [[nodiscard]] bool contains(std::string_view name) const noexcept {
    return find(name) != nullptr;
  }
  /// The member's text when it exists and is a string.
  [[nodiscard]] std::optional<std::string_view> find_string(std::string_view name) const noexcept;

  /// The member of that name, made null at the end when there is none. Null becomes an object.
  Value& operator[](std::string_view name);
  /// Sets a member, in place when it exists; gives this object back for chaining.
  Value& set(std::string_view name, Value value);
  /// Removes every member of that name, keeping the order of the others; whether there was one.
  bool erase(std::string_view name);
  /// Appends to an array (null becomes one); gives the new element.
  Value& push_back(Value value);
  void reserve(std::size_t count);

  /// Equality of JSON values: numbers by exact value, objects without order, kinds never mix.
  friend bool operator==(const Value& a, const Value& b) noexcept;

 private:
  friend class Parser;
  friend class Document;
  static constexpr std::uint8_t kOwned = 1;   // the block behind the pointer is ours to free
  static constexpr std::uint8_t kInline = 2;  // text of at most 8 bytes stands in data_.inline_text

  struct Block;  // precedes the elements or members of an owned array or object

  /// Takes the bits of `other` without freeing what this value held.
  void take(Value& other) noexcept {
    kind_ = other.kind_;
    flags_ = other.flags_;
    size_ = other.size_;
    data_ = other.data_;
    other.forget();
  }
  void forget() noexcept {
    kind_ = Kind::null;
    flags_ = 0;
    size_ = 0;
    data_.text = nullptr;
  }
  void release() noexcept {
    if ((flags_ & kOwned) != 0) release_block();
  }
  void release_block() noexcept;
  static void unlink(Value& value, Block*& pending) noexcept;
  void set_text(Kind kind, std::string_view text);
  [[nodiscard]] std::string_view text() const noexcept {
    return {(flags_ & kInline) != 0 ? data_.inline_text : data_.text, size_};
  }
  /// The element values, or names and values in turn; none for scalars.
  [[nodiscard]] std::span<Value> children() const noexcept;
  void copy_shallow(const Value& other);
  void copy_deep(const Value& other);
  void grow(std::size_t capacity);
  Member& append(std::string_view name, Value value);

  Kind kind_ = Kind::null;
  std::uint8_t flags_ = 0;
  std::uint16_t spare_ = 0;
  std::uint32_t size_ = 0;
  union Data {
    bool boolean;
    char inline_text[8];
    const char* text;
    Value* items;
    Member* members;
  } data_ = {.text = nullptr};
};

/// One member of an object. `name` is a string Value.
struct Member {
  Value key;
  Value value;

  Member() = default;
  Member(std::string_view member_name, Value member_value)
      : key(member_name), value(std::move(member_value)) {}
  [[nodiscard]] std::string_view name() const noexcept { return key.string(); }
};

static_assert(sizeof(Value) == 16);

inline std::span<const Value> Value::items() const noexcept {
  return is_array() ? std::span<const Value>(data_.items, size_) : std::span<const Value>();
}
inline std::span<Value> Value::items() noexcept {
  return is_array() ? std::span<Value>(data_.items, size_) : std::span<Value>();
}
inline std::span<const Member> Value::members() const noexcept {
  return is_object() ? std::span<const Member>(data_.members, size_) : std::span<const Member>();
}
inline std::span<Member> Value::members() noexcept {
  return is_object() ? std::span<Member>(data_.members, size_) : std::span<Member>();
}

}  // namespace squall::json
