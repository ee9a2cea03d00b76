#include "squall/json/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "squall/base/assert.h"
#include "squall/base/text.h"
#include "squall/json/number.h"

#include "inline_stack.h"
#include "scan.h"

namespace squall::json {

namespace {

constexpr std::size_t kInlineBytesMax = 8;
constexpr std::size_t kSizeMax = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kNumberBytesMax = 32;  // of any integer or double we format

/// `text` with every byte that is not UTF-8 replaced.
std::string to_utf8(std::string_view text) {
  std::string out;
  std::size_t bad = base::find_invalid_utf8(text);
  while (bad != std::string_view::npos) {
    out.append(text.substr(0, bad));
    base::append_utf8(out, U'\uFFFD');
    text.remove_prefix(bad + 1);
    bad = base::find_invalid_utf8(text);
  }
  out.append(text);
  return out;
}

template <typename T>
std::optional<T> to_integer(std::string_view text) noexcept {
  T value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end) return value;
  // Not plain digits of that range: `-0`, `1.0` and `1e2` still are whole.
  const Decimal decimal = Decimal::parse(text);
  if (decimal.is_zero()) return T{0};
  if (!decimal.is_integer() || decimal.exponent > std::numeric_limits<T>::digits10) {
    return std::nullopt;
  }
  const auto zeros = static_cast<std::size_t>(decimal.exponent);
  std::array<char, kNumberBytesMax> digits;
  const std::size_t sign = decimal.negative ? 1 : 0;
  const std::size_t size = sign + decimal.digit_count() + zeros;
  if (size > digits.size()) return std::nullopt;
  char* out = digits.data();
  if (decimal.negative) *out++ = '-';
  out = std::copy(decimal.digits_before.begin(), decimal.digits_before.end(), out);
  out = std::copy(decimal.digits_after.begin(), decimal.digits_after.end(), out);
  std::fill_n(out, zeros, '0');
  const auto [end_of_value, range] = std::from_chars(digits.data(), digits.data() + size, value);
  if (range != std::errc() || end_of_value != digits.data() + size) return std::nullopt;
  return value;
}

}  // namespace

/// Lies before the children, so that the 16 bytes of a Value need no room for it.
struct alignas(Value) Value::Block {
  std::size_t capacity;
  Block* next;  // in the list of blocks to free

  [[nodiscard]] static Block* of(Value* children) noexcept {
    return reinterpret_cast<Block*>(children) - 1;
  }
  [[nodiscard]] Value* children() noexcept { return reinterpret_cast<Value*>(this + 1); }
};

static_assert(sizeof(Member) == 2 * sizeof(Value));

std::string_view name_of(Kind kind) noexcept {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "boolean";
    case Kind::number:
      return "number";
    case Kind::string:
      return "string";
    case Kind::array:
      return "array";
    case Kind::object:
      return "object";
  }
  return "null";
}

Value::Value(bool value) noexcept : kind_(Kind::boolean) { data_.boolean = value; }

Value::Value(std::int64_t value) {
  std::array<char, kNumberBytesMax> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  set_text(Kind::number, {text.data(), end});
}

Value::Value(std::uint64_t value) {
  std::array<char, kNumberBytesMax> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  set_text(Kind::number, {text.data(), end});
}

Value::Value(double value) {
  if (!std::isfinite(value)) return;
  std::array<char, kNumberBytesMax> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  set_text(Kind::number, {text.data(), end});
}

Value::Value(std::string_view text) {
  if (base::find_invalid_utf8(text) == std::string_view::npos) {
    set_text(Kind::string, text);
  } else {
    set_text(Kind::string, to_utf8(text));
  }
}

// Delegating, so that a copy that runs out of memory half-way is destroyed.
Value::Value(const Value& other) : Value() { copy_deep(other); }

Value& Value::operator=(const Value& other) {
  if (this != &other) *this = Value(other);
  return *this;
}

void Value::set_text(Kind kind, std::string_view text) {
  SQUALL_ASSERT(text.size() <= kSizeMax);
  if (text.size() <= kInlineBytesMax) {
    flags_ = kInline;
    std::copy(text.begin(), text.end(), data_.inline_text);
  } else {
    char* copy = static_cast<char*>(::operator new(text.size()));
    std::memcpy(copy, text.data(), text.size());
    data_.text = copy;
    flags_ = kOwned;
  }
  kind_ = kind;
  size_ = static_cast<std::uint32_t>(text.size());
}

std::span<Value> Value::children() const noexcept {
  if (kind_ == Kind::array) return {data_.items, size_};
  if (kind_ == Kind::object) {
    return {reinterpret_cast<Value*>(data_.members), std::size_t{2} * size_};
  }
  return {};
}

/// Copies all of a scalar, and the shape of a container: its children become null.
void Value::copy_shallow(const Value& other) {
  switch (other.kind_) {
    case Kind::null:
      break;
    case Kind::boolean:
      kind_ = Kind::boolean;
      data_.boolean = other.data_.boolean;
      break;
    case Kind::number:
    case Kind::string:
      set_text(other.kind_, other.text());
      break;
    case Kind::array:
    case Kind::object:
      kind_ = other.kind_;
      if (other.size_ == 0) break;
      grow(other.size_);
      size_ = other.size_;
      std::ranges::uninitialized_default_construct(children());
      break;
  }
}

void Value::copy_deep(const Value& other) {
  struct Frame {
    const Value* from;
    Value* to;
    std::size_t left;
  };
  InlineStack<Frame> frames;
  const auto copy = [&frames](const Value& from, Value& to) {
    to.copy_shallow(from);
    const auto children = from.children();
    if (!children.empty()) {
      frames.push({children.data(), to.children().data(), children.size()});
    }
  };
  copy(other, *this);
  while (!frames.empty()) {
    Frame& frame = frames.top();
    if (frame.left == 0) {
      frames.pop();
      continue;
    }
    --frame.left;
    copy(*frame.from++, *frame.to++);
  }
}

/// Frees a value's text, or lines its block up in `pending`: the list runs through the blocks
/// themselves, so freeing needs neither memory nor recursion.
void Value::unlink(Value& value, Block*& pending) noexcept {
  if ((value.flags_ & kOwned) == 0) return;
  const auto children = value.children();
  if (value.kind_ == Kind::array || value.kind_ == Kind::object) {
    Block* block = Block::of(children.data());
    block->capacity = children.size();
    block->next = pending;
    pending = block;
  } else {
    ::operator delete(const_cast<char*>(value.data_.text));
  }
  value.forget();
}

void Value::release_block() noexcept {
  Block* pending = nullptr;
  unlink(*this, pending);
  while (pending != nullptr) {
    Block* block = pending;
    pending = block->next;
    for (Value& child : std::span(block->children(), block->capacity)) unlink(child, pending);
    ::operator delete(block);
  }
}

/// Makes room for `capacity` elements or members; values move, so their own blocks stay put.
void Value::grow(std::size_t capacity) {
  SQUALL_ASSERT(capacity <= kSizeMax);
  const std::size_t width = kind_ == Kind::object ? 2 : 1;
  void* memory = ::operator new(sizeof(Block) + capacity * width * sizeof(Value));
  Block* block = new (memory) Block{capacity, nullptr};
  const auto old = children();
  std::uninitialized_move(old.begin(), old.end(), block->children());
  if ((flags_ & kOwned) != 0) ::operator delete(Block::of(old.data()));
  if (kind_ == Kind::object) {
    data_.members = reinterpret_cast<Member*>(block->children());
  } else {
    data_.items = block->children();
  }
  flags_ = kOwned;
}

void Value::reserve(std::size_t count) {
  SQUALL_ASSERT(is_array() || is_object());
  const std::size_t capacity = (flags_ & kOwned) != 0 ? Block::of(children().data())->capacity : 0;
  if (count > capacity) grow(count);
}

Value Value::array() {
  Value value;
  value.kind_ = Kind::array;
  return value;
}

Value Value::array(std::initializer_list<Value> items) {
  Value value = array();
  value.reserve(items.size());
  for (const Value& item : items) value.push_back(item);
  return value;
}

Value Value::object() {
  Value value;
  value.kind_ = Kind::object;
  return value;
}

Value Value::object(std::initializer_list<Member> members) {
  Value value = object();
  value.reserve(members.size());
  for (const Member& member : members) value.set(member.name(), member.value);
  return value;
}

Value Value::from_items(std::vector<Value> items) {
  Value value = array();
  if (items.empty()) return value;
  value.grow(items.size());
  std::ranges::uninitialized_move(items, std::span(value.data_.items, items.size()));
  value.size_ = static_cast<std::uint32_t>(items.size());
  return value;
}

Value Value::from_members(std::vector<Member> members) {
  Value value = object();
  if (members.empty()) return value;
  value.grow(members.size());
  std::ranges::uninitialized_move(members, std::span(value.data_.members, members.size()));
  value.size_ = static_cast<std::uint32_t>(members.size());
  return value;
}

std::optional<Value> Value::number(std::string_view text) {
  if (!is_number_text(text)) return std::nullopt;
  Value value;
  value.set_text(Kind::number, text);
  return value;
}

bool Value::is_integer() const noexcept {
  if (!is_number()) return false;
  const std::string_view number = text();
  const bool plain_digits =
      std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
  return plain_digits || Decimal::parse(number).is_integer();
}

std::optional<bool> Value::as_bool() const noexcept {
  return is_bool() ? std::optional(data_.boolean) : std::nullopt;
}

std::optional<std::int64_t> Value::as_int64() const noexcept {
  return is_number() ? to_integer<std::int64_t>(text()) : std::nullopt;
}

std::optional<std::uint64_t> Value::as_uint64() const noexcept {
  return is_number() ? to_integer<std::uint64_t>(text()) : std::nullopt;
}

std::optional<double> Value::as_double() const noexcept {
  if (!is_number()) return std::nullopt;
  double value = 0;
  const std::string_view digits = text();
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec == std::errc()) return value;
  // Out of range, and from_chars does not tell on which side.
  const bool huge = compare_numbers(digits.front() == '-' ? digits.substr(1) : digits, "1") > 0;
  const double magnitude = huge ? std::numeric_limits<double>::infinity() : 0.0;
  return digits.front() == '-' ? -magnitude : magnitude;
}

std::optional<std::string_view> Value::as_string() const noexcept {
  return is_string() ? std::optional(text()) : std::nullopt;
}

std::size_t Value::size() const noexcept { return is_number() ? 0 : size_; }

const Value* Value::find(std::string_view name) const noexcept {
  if (kind_ != Kind::object) return nullptr;
  for (const Member* member = data_.members + size_; member != data_.members;) {
    --member;
    if (member->key.size_ != name.size()) continue;
    if (same_bytes(member->key.text().data(), name.data(), name.size())) return &member->value;
  }
  return nullptr;
}

Value* Value::find(std::string_view name) noexcept {
  return const_cast<Value*>(std::as_const(*this).find(name));
}

std::optional<std::string_view> Value::find_string(std::string_view name) const noexcept {
  const Value* value = find(name);
  return value != nullptr ? value->as_string() : std::nullopt;
}

Member& Value::append(std::string_view name, Value value) {
  if (is_null()) kind_ = Kind::object;
  SQUALL_ASSERT(is_object());
  Member member(name, std::move(value));  // before growing: `name` may point into this object
  if (const std::size_t due = std::size_t{size_} + 1;
      (flags_ & kOwned) == 0 || due > Block::of(children().data())->capacity) {
    grow(due < kSizeMax / 2 ? std::max<std::size_t>(4, 2 * std::size_t{size_}) : due);
  }
  return *new (data_.members + size_++) Member(std::move(member));
}

Value& Value::operator[](std::string_view name) {
  if (Value* present = find(name)) return *present;
  return append(name, Value()).value;
}

Value& Value::set(std::string_view name, Value value) {
  if (Value* present = find(name)) {
    *present = std::move(value);
  } else {
    append(name, std::move(value));
  }
  return *this;
}

bool Value::erase(std::string_view name) {
  const auto all = members();
  const std::string key(name);  // `name` may be the very one that goes away
  const auto kept = std::remove_if(all.begin(), all.end(),
                                   [&key](const Member& member) { return member.name() == key; });
  const auto count = static_cast<std::size_t>(kept - all.begin());
  if (count == all.size()) return false;
  std::destroy(kept, all.end());
  size_ = static_cast<std::uint32_t>(count);
  return true;
}

Value& Value::push_back(Value value) {
  if (is_null()) kind_ = Kind::array;
  SQUALL_ASSERT(is_array());
  if (const std::size_t due = std::size_t{size_} + 1;
      (flags_ & kOwned) == 0 || due > Block::of(data_.items)->capacity) {
    grow(due < kSizeMax / 2 ? std::max<std::size_t>(4, 2 * std::size_t{size_}) : due);
  }
  return *new (data_.items + size_++) Value(std::move(value));
}

}  // namespace squall::json
