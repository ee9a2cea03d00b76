#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "squall/json/value.h"

namespace squall::lab {

/// How one operation ended.
enum class Ending : std::uint8_t {
  success,
  error,            ///< the tool says that it failed (`isError`)
  protocol_error,   ///< a JSON-RPC error
  timeout,          ///< its budget ran out
  cancelled,        ///< the scenario cancelled it
  transport_loss,   ///< no answer can come any more
  invalid_message,  ///< an answer that breaks the protocol
};
[[nodiscard]] std::string_view to_text(Ending ending) noexcept;  ///< "transport_loss"

/// What one operation gave.
struct Attempt {
  Ending ending = Ending::success;
  std::optional<json::Value> value{};  ///< the result, when there was one
  std::string message{};               ///< why there was none: one line, without secrets
  std::optional<std::int64_t> code{};  ///< of a JSON-RPC error
  json::Value data{};                  ///< of a JSON-RPC error
};

}  // namespace squall::lab
