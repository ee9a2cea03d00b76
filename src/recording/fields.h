#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/base/text.h"
#include "squall/json/pointer.h"
#include "squall/json/value.h"
#include "squall/json/write.h"

/// @file One description of a struct's members serves writing and reading, so they can't differ:
///
///     template <typename Fields>
///     void describe(Fields& f, Spawn& s) { f("process", s.process)("command", s.command); }
///
/// A member that is zero or empty isn't written, and is that when it isn't there.

namespace squall::recording {

/// The words of an enumeration, in its order; specialised for each.
template <typename Enum>
struct Words;

/// 16 hexadecimal digits instead of a number, which JSON readers would round.
struct HexBits {
  std::optional<std::uint64_t>& value;
};

/// Writes members into an object that the caller has begun.
class FieldWriter {
 public:
  /// Without what differs from run to run, when `hashed`.
  FieldWriter(json::Writer& out, bool hashed) : out_(out), hashed_(hashed) {}

  template <typename T>
  FieldWriter& operator()(std::string_view key, const T& member) {
    if (is_default(member)) return *this;
    out_.key(key);
    put(member);
    return *this;
  }
  FieldWriter& operator()(std::string_view key, HexBits member) {
    if (!member.value) return *this;
    char digits[17];
    for (int i = 0; i < 16; ++i) {
      digits[i] = "0123456789abcdef"[(*member.value >> (60 - 4 * i)) & 15];
    }
    out_.key(key).string({digits, 16});
    return *this;
  }
  /// A member that differs from run to run.
  template <typename T>
  FieldWriter& passing(std::string_view key, const T& member) {
    return hashed_ ? *this : (*this)(key, member);
  }
  /// A list of described structs.
  template <typename T>
  FieldWriter& list(std::string_view key, const std::vector<T>& items) {
    if (items.empty()) return *this;
    out_.key(key).begin_array();
    for (const T& item : items) nested(item);
    out_.end_array();
    return *this;
  }
  template <typename T>
  FieldWriter& optional(std::string_view key, const std::optional<T>& item) {
    if (!item) return *this;
    out_.key(key);
    nested(*item);
    return *this;
  }
  [[nodiscard]] bool hashed() const noexcept { return hashed_; }
  static constexpr bool kReads = false;

 private:
  template <typename T>
  static bool is_default(const T& member) {
    if constexpr (std::is_same_v<T, json::Value>) return member.is_null();
    return member == T{};
  }
  template <typename T>
  void nested(const T& item) {
    out_.begin_object();
    describe(*this, const_cast<T&>(item));  // one description for both ways; this one only reads
    out_.end_object();
  }
  void put(bool value) { out_.boolean(value); }
  void put(std::uint32_t value) { out_.number(static_cast<std::uint64_t>(value)); }
  void put(std::uint64_t value) { out_.number(value); }
  void put(std::int64_t value) { out_.number(value); }
  void put(std::chrono::nanoseconds value) {
    out_.number(static_cast<std::int64_t>(value.count()));
  }
  void put(const std::string& value) { out_.string(value); }
  void put(const json::Value& value) { out_.value(value); }
  void put(std::optional<std::int32_t> value) { out_.number(value.value_or(0)); }
  template <typename Item>
  void put(const std::vector<Item>& values) {
    out_.begin_array();
    for (const Item& value : values) put(value);
    out_.end_array();
  }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void put(Enum value) {
    out_.string(Words<Enum>::kAll[static_cast<std::size_t>(value)]);
  }

  json::Writer& out_;
  bool hashed_;
};

/// Reads members from an object, and keeps the first mistake.
class FieldReader {
 public:
  FieldReader(const json::Value& object, std::string pointer)
      : object_(object), pointer_(std::move(pointer)) {
    if (!object.is_object()) complain("", "expected an object");
  }

  template <typename T>
  FieldReader& operator()(std::string_view key, T& member) {
    const json::Value* value = take(key);
    member = T{};  // what isn't written
    if (value != nullptr && !get(*value, member)) complain(key, expected(member));
    return *this;
  }
  FieldReader& operator()(std::string_view key, HexBits member) {
    const json::Value* value = take(key);
    member.value.reset();
    if (value == nullptr) return *this;
    const std::string_view text = value->string();
    std::uint64_t bits = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
    if (text.size() != 16 || read.ptr != text.data() + 16 || base::to_lower(text) != text) {
      complain(key, "expected 16 lower-case hexadecimal digits");
    }
    member.value = bits;
    return *this;
  }
  template <typename T>
  FieldReader& passing(std::string_view key, T& member) {
    return (*this)(key, member);
  }
  template <typename T>
  FieldReader& list(std::string_view key, std::vector<T>& items) {
    const json::Value* value = take(key);
    if (value == nullptr) return *this;
    if (!value->is_array()) complain(key, "expected an array");
    for (const json::Value& each : value->items()) {
      items.emplace_back();
      nested(each, items.back(), below(key) + "/" + std::to_string(items.size() - 1));
      if (!mistake_.empty()) break;
    }
    return *this;
  }
  template <typename T>
  FieldReader& optional(std::string_view key, std::optional<T>& item) {
    const json::Value* value = take(key);
    if (value != nullptr) nested(*value, item.emplace(), below(key));
    return *this;
  }
  [[nodiscard]] static constexpr bool hashed() noexcept { return false; }
  static constexpr bool kReads = true;

  /// The member, and notes that it was asked for; null when there is none.
  const json::Value* take(std::string_view key) {
    asked_.push_back(key);
    return object_.find(key);
  }
  void complain(std::string_view key, std::string_view what) {
    if (mistake_.empty())
      mistake_ = (key.empty() ? pointer_ : below(key)) + ": " + std::string(what);
  }
  /// The first mistake; members that nobody asked for are one.
  [[nodiscard]] Result<void> finish() {
    for (const json::Member& member : object_.members()) {
      if (!mistake_.empty()) break;
      if (std::find(asked_.begin(), asked_.end(), member.name()) != asked_.end()) continue;
      const auto meant = base::nearest(member.name(), asked_);
      complain("", "unknown key \"" + base::show_name(member.name(), 40) + "\"" +
                       (meant ? ", did you mean \"" + std::string(*meant) + "\"?" : ""));
    }
    if (mistake_.empty()) return {};
    return fail(ErrorKind::invalid, mistake_.starts_with(':') ? "/" + mistake_ : mistake_);
  }

 private:
  [[nodiscard]] std::string below(std::string_view key) const {
    std::string out = pointer_;
    json::append_pointer_token(out, key);
    return out;
  }
  template <typename T>
  void nested(const json::Value& value, T& item, std::string pointer) {
    FieldReader fields(value, std::move(pointer));
    describe(fields, item);
    if (const auto read = fields.finish(); !read && mistake_.empty()) {
      mistake_ = read.error().message;
    }
  }
  static bool get(const json::Value& value, bool& out) {
    out = value.boolean();
    return value.is_bool();
  }
  static bool get(const json::Value& value, std::uint32_t& out) {
    const auto number = value.as_uint64();
    if (!number || *number > std::numeric_limits<std::uint32_t>::max()) return false;
    out = static_cast<std::uint32_t>(*number);
    return true;
  }
  static bool get(const json::Value& value, std::uint64_t& out) {
    const auto number = value.as_uint64();
    out = number.value_or(0);
    return number.has_value();
  }
  static bool get(const json::Value& value, std::int64_t& out) {
    const auto number = value.as_int64();
    out = number.value_or(0);
    return number.has_value();
  }
  static bool get(const json::Value& value, std::optional<std::int32_t>& out) {
    const auto number = value.as_int64();
    if (!number || *number != static_cast<std::int32_t>(*number)) return false;
    out = static_cast<std::int32_t>(*number);
    return true;
  }
  static bool get(const json::Value& value, std::chrono::nanoseconds& out) {
    const auto number = value.as_int64();
    out = std::chrono::nanoseconds(number.value_or(0));
    return number && *number >= 0;
  }
  static bool get(const json::Value& value, std::string& out) {
    out = value.string();
    return value.is_string();
  }
  static bool get(const json::Value& value, json::Value& out) {
    out = value;
    return true;
  }
  template <typename Item>
  static bool get(const json::Value& value, std::vector<Item>& out) {
    for (const json::Value& each : value.items()) {
      Item item{};
      if (!get(each, item)) return false;
      out.push_back(std::move(item));
    }
    return value.is_array();
  }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  static bool get(const json::Value& value, Enum& out) {
    for (std::size_t i = 0; i < Words<Enum>::kAll.size(); ++i) {
      if (!value.is_string() || value.string() != Words<Enum>::kAll[i]) continue;
      out = static_cast<Enum>(i);
      return true;
    }
    return false;
  }
  template <typename T>
  static std::string expected(const T&) {
    if constexpr (std::is_same_v<T, bool>) {
      return "expected true or false";
    } else if constexpr (std::is_enum_v<T>) {
      std::string out = "expected one of";
      for (const std::string_view word : Words<T>::kAll) out.append(" ").append(word);
      return out;
    } else if constexpr (std::is_same_v<T, std::string>) {
      return "expected a string";
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      return "expected an array of strings";
    } else if constexpr (std::is_same_v<T, std::vector<std::uint64_t>>) {
      return "expected an array of whole numbers";
    } else {
      return "expected a whole number in range";
    }
  }

  const json::Value& object_;
  std::string pointer_;
  std::vector<std::string_view> asked_;
  std::string mistake_;
};

}  // namespace squall::recording
