#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// @file The closed table of fault kinds: what there is, where it acts, what can be set.

namespace squall::fault {

/// Where a fault acts, in the order in which faults are applied towards the client. Of the rules of
/// one layer that strike at one event, one wins; those of different layers stack.
enum class Layer : std::uint8_t {
  process,
  connection,
  session,
  auth,
  http,
  stream,
  catalogue,
  tool,
  message,
};
[[nodiscard]] std::string_view name_of(Layer layer) noexcept;

/// What a rule's coin is tossed for: how the site is written.
enum class Key : std::uint8_t {
  args,        ///< tool and arguments, or method and params; the attempt at them
  record,      ///< tool and arguments, whatever the attempt
  call,        ///< the n-th call of that tool
  method,      ///< the n-th message of that method
  connection,  ///< the n-th connection of the run; so with the next three
  stream,
  spawn,
  session,
  window,         ///< the n-th stretch of calls
  catalogue,      ///< an entry of a list
  server_params,  ///< as args, for what the server sends
  server_method,  ///< as method, for what the server sends
};
[[nodiscard]] std::string_view name_of(Key key) noexcept;
[[nodiscard]] std::optional<Key> key_of(std::string_view name) noexcept;

enum class Transport : std::uint8_t { any, stdio, http };
enum class Era : std::uint8_t { both, legacy, modern };

/// One setting that a kind takes.
struct Setting {
  enum class Type : std::uint8_t {
    text,
    boolean,
    count,    ///< a whole number from 0
    integer,  ///< a whole number
    time,     ///< "250ms"
    size,     ///< "64kib"
    delay,    ///< a time, or a distribution of times
    choice,   ///< one of `choices`, or a weighted list of them
    choice_or_time,
    any,  ///< any JSON value
  };
  std::string name;
  Type type = Type::text;
  std::vector<std::string> choices;
  bool required = false;
  [[nodiscard]] std::string type_text() const;  ///< "before|after", "a time such as 250ms"
};

struct Kind {
  std::string_view name;
  Layer layer;
  Key key;  ///< unless the rule says otherwise
  Transport transport;
  Era era;
  bool draws;                ///< draws something even when its probability is 1
  std::string_view methods;  ///< methods it concerns unless `when.method` says; "": tools/call
  std::string_view summary;
  std::string_view example;  ///< one rule, in YAML flow style
  std::vector<Setting> settings;

  [[nodiscard]] const Setting* find(std::string_view setting) const noexcept;
};

/// All of them, by layer, in the order of the table.
[[nodiscard]] std::span<const Kind> kinds();
[[nodiscard]] const Kind* find_kind(std::string_view name);

/// Where a profile is to be used, as far as it is known.
struct Surroundings {
  Transport transport = Transport::any;
  Era era = Era::both;
};
/// Why `kind` has no meaning there, or "".
[[nodiscard]] std::string no_meaning(const Kind& kind, const Surroundings& surroundings);

}  // namespace squall::fault
