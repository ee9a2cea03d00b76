#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// @file A struct or an enum said once, so that its JSON Schema, its decoder and its encoder
/// follow.
///
/// ```cpp
/// struct GetInvoice { std::string id; std::optional<std::string> currency; };
/// SQUALL_DESCRIBE(GetInvoice, id, currency)
/// enum class Colour { red, green };
/// SQUALL_DESCRIBE_ENUM(Colour, red, green)
/// ```
/// Both stand in the namespace of the type, behind it. Nothing but the standard library is needed.

namespace squall::schema {

/// One described member: its name in JSON, and where it is.
template <typename C, typename T>
struct MemberOf {
  using Type = T;
  std::string_view name;
  T C::* pointer;
};
template <typename C, typename T>
constexpr MemberOf<C, T> member_of(std::string_view name, T C::* pointer) noexcept {
  return {name, pointer};
}

template <typename E>
using Enumerator = std::pair<std::string_view, E>;

/// A struct that `SQUALL_DESCRIBE` has described.
template <typename T>
concept Described = requires { squall_members(static_cast<const T*>(nullptr)); };

/// An enum that `SQUALL_DESCRIBE_ENUM` has described.
template <typename T>
concept DescribedEnum =
    std::is_enum_v<T> && requires { squall_enumerators(static_cast<const T*>(nullptr)); };

/// Calls `function(member)` for each described member, in order.
template <Described T, typename F>
constexpr void for_each_member(F&& function) {
  std::apply([&](const auto&... members) { (function(members), ...); },
             squall_members(static_cast<const T*>(nullptr)));
}

template <DescribedEnum E>
constexpr auto enumerators_of() noexcept {
  return squall_enumerators(static_cast<const E*>(nullptr));
}

}  // namespace squall::schema

// Applies a macro to each of up to 256 arguments, by rescanning.
#define SQUALL_PARENS ()
#define SQUALL_EXPAND(...) SQUALL_EXPAND4(SQUALL_EXPAND4(SQUALL_EXPAND4(__VA_ARGS__)))
#define SQUALL_EXPAND4(...) SQUALL_EXPAND3(SQUALL_EXPAND3(SQUALL_EXPAND3(__VA_ARGS__)))
#define SQUALL_EXPAND3(...) SQUALL_EXPAND2(SQUALL_EXPAND2(SQUALL_EXPAND2(__VA_ARGS__)))
#define SQUALL_EXPAND2(...) SQUALL_EXPAND1(SQUALL_EXPAND1(SQUALL_EXPAND1(__VA_ARGS__)))
#define SQUALL_EXPAND1(...) __VA_ARGS__
#define SQUALL_EACH(macro, type, ...) \
  __VA_OPT__(SQUALL_EXPAND(SQUALL_EACH_STEP(macro, type, __VA_ARGS__)))
#define SQUALL_EACH_STEP(macro, type, first, ...) \
  macro(type, first) __VA_OPT__(, SQUALL_EACH_AGAIN SQUALL_PARENS(macro, type, __VA_ARGS__))
#define SQUALL_EACH_AGAIN() SQUALL_EACH_STEP

#define SQUALL_MEMBER(type, name) ::squall::schema::member_of(#name, &type::name)
#define SQUALL_ENUMERATOR(type, name) ::squall::schema::Enumerator<type>(#name, type::name)

/// Describes the members of struct `type` that JSON shows.
#define SQUALL_DESCRIBE(type, ...)                                         \
  [[maybe_unused]] constexpr auto squall_members(const type*) noexcept {   \
    return std::make_tuple(SQUALL_EACH(SQUALL_MEMBER, type, __VA_ARGS__)); \
  }

/// Describes the enumerators of `type` that JSON spells by name; one at least.
#define SQUALL_DESCRIBE_ENUM(type, ...)                                      \
  [[maybe_unused]] constexpr auto squall_enumerators(const type*) noexcept { \
    return std::array{SQUALL_EACH(SQUALL_ENUMERATOR, type, __VA_ARGS__)};    \
  }
