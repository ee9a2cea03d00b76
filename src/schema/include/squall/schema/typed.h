#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "squall/json/value.h"
#include "squall/schema/describe.h"

/// @file Between C++ types and JSON: `derive` gives a type's JSON Schema, `decode` reads a value
/// into it, `encode` makes a value of it.
///
/// The types: bool, integers, float and double, std::string, std::string_view (a view into the JSON
/// it was decoded from), json::Value (anything), described enums (as strings), described structs,
/// and std::optional, std::vector and std::map<std::string, T> of them. An optional member may be
/// absent; every other member is required.

namespace squall::schema {

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};
template <typename T>
struct IsMap : std::false_type {};
template <typename T>
struct IsMap<std::map<std::string, T>> : std::true_type {};

template <typename T>
concept Number = (std::integral<T> && !std::same_as<T, bool>) || std::floating_point<T>;
template <typename T>
concept Text = std::same_as<T, std::string> || std::same_as<T, std::string_view>;

/// Whether `T` is one of the types above.
template <typename T>
concept Typed =
    std::same_as<T, bool> || Number<T> || Text<T> || std::same_as<T, json::Value> || Described<T> ||
    DescribedEnum<T> || IsOptional<T>::value || IsVector<T>::value || IsMap<T>::value;

/// Why a value is not of a type. Schemas don't say everything: a whole number may be too large.
struct DecodeError {
  std::string pointer;  ///< JSON pointer to the offending value
  std::string message;
};

namespace detail {

/// A struct inside itself is described so deep, and as any object below; decoding checks all of it.
inline constexpr int kNestingMax = 8;

void prepend_pointer_token(std::string& pointer, std::string_view token);
[[nodiscard]] json::Value described_object(json::Value properties, json::Value required);
[[nodiscard]] bool refuse(DecodeError& error, const json::Value& value, std::string_view wanted);

template <Typed T>
json::Value derive(int depth) {
  if constexpr (IsOptional<T>::value) {
    return derive<typename T::value_type>(depth);
  } else if constexpr (std::same_as<T, json::Value>) {
    return json::Value::object();
  } else if constexpr (std::same_as<T, bool>) {
    return json::Value::object({{"type", "boolean"}});
  } else if constexpr (std::unsigned_integral<T>) {
    return json::Value::object({{"type", "integer"}, {"minimum", 0}});
  } else if constexpr (std::integral<T>) {
    return json::Value::object({{"type", "integer"}});
  } else if constexpr (std::floating_point<T>) {
    return json::Value::object({{"type", "number"}});
  } else if constexpr (Text<T>) {
    return json::Value::object({{"type", "string"}});
  } else if constexpr (DescribedEnum<T>) {
    json::Value names = json::Value::array();
    for (const auto& [name, value] : enumerators_of<T>()) names.push_back(name);
    return json::Value::object({{"type", "string"}, {"enum", std::move(names)}});
  } else if constexpr (IsVector<T>::value) {
    return json::Value::object(
        {{"type", "array"}, {"items", derive<typename T::value_type>(depth)}});
  } else if constexpr (IsMap<T>::value) {
    return json::Value::object(
        {{"type", "object"}, {"additionalProperties", derive<typename T::mapped_type>(depth)}});
  } else {
    if (depth >= kNestingMax) return json::Value::object({{"type", "object"}});
    json::Value properties = json::Value::object();
    json::Value required = json::Value::array();
    for_each_member<T>([&](const auto& member) {
      using Member = typename std::remove_cvref_t<decltype(member)>::Type;
      properties.set(member.name, derive<Member>(depth + 1));
      if constexpr (!IsOptional<Member>::value) required.push_back(member.name);
    });
    return described_object(std::move(properties), std::move(required));
  }
}

template <Number T>
bool decode_number(const json::Value& value, T& out, DecodeError& error) {
  if constexpr (std::floating_point<T>) {
    const std::optional<double> number = value.as_double();
    if (!number || !std::isfinite(static_cast<T>(*number))) return refuse(error, value, "a number");
    out = static_cast<T>(*number);
  } else if constexpr (std::unsigned_integral<T>) {
    const std::optional<std::uint64_t> number = value.as_uint64();
    if (!number || !std::in_range<T>(*number)) {
      return refuse(error, value,
                    "a whole number from 0 to " + std::to_string(std::numeric_limits<T>::max()));
    }
    out = static_cast<T>(*number);
  } else {
    const std::optional<std::int64_t> number = value.as_int64();
    if (!number || !std::in_range<T>(*number)) {
      return refuse(error, value,
                    "a whole number from " + std::to_string(std::numeric_limits<T>::min()) +
                        " to " + std::to_string(std::numeric_limits<T>::max()));
    }
    out = static_cast<T>(*number);
  }
  return true;
}

template <Typed T>
bool decode(const json::Value& value, T& out, DecodeError& error);

template <DescribedEnum T>
bool decode_enum(const json::Value& value, T& out, DecodeError& error) {
  for (const auto& [name, enumerator] : enumerators_of<T>()) {
    if (value.is_string() && value.string() == name) {
      out = enumerator;
      return true;
    }
  }
  return refuse(error, value, "one of the names");
}

template <typename T>
bool decode_items(const json::Value& value, T& out, DecodeError& error) {
  if (!value.is_array()) return refuse(error, value, "an array");
  out.clear();
  out.reserve(value.size());
  for (const json::Value& item : value.items()) {
    typename T::value_type one{};
    if (!decode(item, one, error)) {
      prepend_pointer_token(error.pointer, std::to_string(out.size()));
      return false;
    }
    out.push_back(std::move(one));
  }
  return true;
}

template <typename T>
bool decode_map(const json::Value& value, T& out, DecodeError& error) {
  if (!value.is_object()) return refuse(error, value, "an object");
  out.clear();
  for (const json::Member& member : value.members()) {
    if (!decode(member.value, out[std::string(member.name())], error)) {
      prepend_pointer_token(error.pointer, member.name());
      return false;
    }
  }
  return true;
}

/// Absent members keep what the struct begins with.
template <Described T>
bool decode_struct(const json::Value& value, T& out, DecodeError& error) {
  if (!value.is_object()) return refuse(error, value, "an object");
  bool good = true;
  for_each_member<T>([&](const auto& member) {
    if (!good) return;
    const json::Value* found = value.find(member.name);
    if (found == nullptr) return;
    good = decode(*found, out.*member.pointer, error);
    if (!good) prepend_pointer_token(error.pointer, member.name);
  });
  return good;
}

template <Typed T>
bool decode(const json::Value& value, T& out, DecodeError& error) {
  if constexpr (IsOptional<T>::value) {
    return decode(value, out.emplace(), error);
  } else if constexpr (std::same_as<T, json::Value>) {
    out = value;
    return true;
  } else if constexpr (std::same_as<T, bool>) {
    if (!value.is_bool()) return refuse(error, value, "true or false");
    out = value.boolean();
    return true;
  } else if constexpr (Number<T>) {
    return decode_number(value, out, error);
  } else if constexpr (Text<T>) {
    if (!value.is_string()) return refuse(error, value, "a string");
    out = value.string();
    return true;
  } else if constexpr (DescribedEnum<T>) {
    return decode_enum(value, out, error);
  } else if constexpr (IsVector<T>::value) {
    return decode_items(value, out, error);
  } else if constexpr (IsMap<T>::value) {
    return decode_map(value, out, error);
  } else {
    return decode_struct(value, out, error);
  }
}

}  // namespace detail

/// The JSON Schema (2020-12) of `T`. A described struct accepts further members; whoever wants it
/// strict adds `additionalProperties`.
template <Typed T>
[[nodiscard]] json::Value derive() {
  return detail::derive<T>(0);
}

/// Reads `value` into `out`; nothing when all is well. Absent members keep what they were: whether
/// they may be absent is for the schema to say.
template <Typed T>
[[nodiscard]] std::optional<DecodeError> decode(const json::Value& value, T& out) {
  DecodeError error;
  if (detail::decode(value, out, error)) return std::nullopt;
  return error;
}

/// `value` as JSON. Empty optional members are left out; an enum value without a name is null.
template <Typed T>
[[nodiscard]] json::Value encode(const T& value) {
  if constexpr (IsOptional<T>::value) {
    return value ? encode(*value) : json::Value();
  } else if constexpr (std::same_as<T, json::Value>) {
    return value;
  } else if constexpr (std::same_as<T, bool>) {
    return json::Value(value);
  } else if constexpr (std::unsigned_integral<T>) {
    return json::Value(static_cast<std::uint64_t>(value));
  } else if constexpr (std::integral<T>) {
    return json::Value(static_cast<std::int64_t>(value));
  } else if constexpr (std::floating_point<T>) {
    return json::Value(static_cast<double>(value));
  } else if constexpr (Text<T>) {
    return json::Value(std::string_view(value));
  } else if constexpr (DescribedEnum<T>) {
    for (const auto& [name, enumerator] : enumerators_of<T>()) {
      if (enumerator == value) return json::Value(name);
    }
    return {};
  } else if constexpr (IsVector<T>::value) {
    std::vector<json::Value> items;
    items.reserve(value.size());
    for (const auto& item : value) items.push_back(encode<typename T::value_type>(item));
    return json::Value::from_items(std::move(items));
  } else if constexpr (IsMap<T>::value) {
    std::vector<json::Member> members;
    members.reserve(value.size());
    for (const auto& [name, item] : value) members.emplace_back(name, encode(item));
    return json::Value::from_members(std::move(members));
  } else {
    json::Value object = json::Value::object();
    object.reserve(std::tuple_size_v<decltype(squall_members(&value))>);
    for_each_member<T>([&](const auto& member) {
      using Member = typename std::remove_cvref_t<decltype(member)>::Type;
      if constexpr (IsOptional<Member>::value) {
        if (!(value.*member.pointer)) return;
      }
      object.set(member.name, encode(value.*member.pointer));
    });
    return object;
  }
}

}  // namespace squall::schema
