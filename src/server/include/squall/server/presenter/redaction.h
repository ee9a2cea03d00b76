#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"

namespace squall::server {

/// What stands for a redacted value. What it throws counts as "[REDACTED]".
using Censor = std::function<json::Value(const json::Value& secret)>;

/// Places in a JSON value that nobody may see, given as JSON pointers in which `*` stands for any
/// member or element and `**` for any number of levels: "/card/number", "/users/*/email",
/// "/**/password".
///
/// Fails closed: a pattern that is none is refused when it is compiled, and what lies too deep to
/// be looked at is redacted whole.
class Redaction {
 public:
  Redaction() = default;  ///< of nothing
  /// Refuses text that is no JSON pointer, and "" (which would be everything).
  [[nodiscard]] static Result<Redaction> compile(const std::vector<std::string>& patterns,
                                                 Censor censor = nullptr);
  void apply(json::Value& value) const;
  [[nodiscard]] json::Value applied(const json::Value& value) const;
  [[nodiscard]] bool empty() const noexcept { return paths_.empty(); }
  /// Adds what `other` redacts, each with its own censor.
  void add(const Redaction& other);

 private:
  struct Path {
    std::vector<std::string> tokens;
    Censor censor;
  };
  struct State {
    std::uint32_t path;
    std::uint32_t at;  ///< the token that is next
  };
  using States = std::vector<State>;
  void close_over(States& states) const;
  [[nodiscard]] States step(const States& states, std::string_view token) const;
  void walk(json::Value& value, const States& states, std::size_t depth) const;
  void censor(json::Value& value, const Path& path) const;
  std::vector<Path> paths_;
};

}  // namespace squall::server
